// Runs every target on the files kept for it, without libFuzzer: fuzz_replay corpus regressions
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace {

/// True when nothing leaves the target.
bool stands(fuzz::Target target, const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::cout << file.string() << std::endl;  // before it may crash
  try {
    target(bytes);
    return true;
  } catch (const std::exception& error) {
    std::cout << "  finding: " << error.what() << '\n';
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  int n_files = 0, n_findings = 0;
  for (const auto& [name, target] : fuzz::targets())
    for (int folder = 1; folder < argc; ++folder) {
      const fs::path kept = fs::path(argv[folder]) / name;
      if (!fs::is_directory(kept)) continue;
      std::vector<fs::path> files{fs::directory_iterator(kept), fs::directory_iterator()};
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files) {
        ++n_files;
        if (!stands(target, file)) ++n_findings;
      }
    }
  std::cout << n_files << " files, " << n_findings << " findings\n";
  return n_files == 0 || n_findings > 0 ? 1 : 0;
}
