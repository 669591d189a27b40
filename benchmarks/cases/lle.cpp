// LLE: neighbors=12
#include "unfurl/lle.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    unfurl::LLEOptions options;
    options.n_neighbors = arguments.count("neighbors", 12);
    bench::fit<double>(arguments, unfurl::LLE<>(options));
  });
}
