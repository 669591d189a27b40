// The main program of Catch2 3, which lists names alone for `--list-tests --verbosity quiet`.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch_test_macros.hpp>
#include <string>

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--list-tests" && std::string(argv[2]) == "--verbosity" &&
      std::string(argv[3]) == "quiet") {
    const char* names_only[] = {argv[0], "--list-test-names-only"};
    Catch::Session().run(2, names_only);
    return 0;  // v2 returns the number of names
  }
  return Catch::Session().run(argc, argv);
}
