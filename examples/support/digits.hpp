#pragma once

#include <Eigen/Core>
#include <fstream>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

/// Handwritten digits, 8 x 8 pixels of grey levels 0 to 16; where they come from: data/README.md
struct Digits {
  Eigen::MatrixXd images;   ///< one a row, 64 pixels
  std::vector<int> labels;  ///< 0 to 9
};

/// Reads examples/data/digits.csv of the source tree.
inline Digits read_digits() {
  const std::string path = UNFURL_SOURCE_DIR "/examples/data/digits.csv";
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read the digits from " + path +
                             ": is the source tree still where it was built?");
  constexpr Eigen::Index n_pixels = 64;
  std::vector<double> pixels;
  Digits digits;
  for (std::string line; std::getline(file, line);) {
    const auto number = std::to_string(digits.labels.size() + 1);
    std::istringstream fields(line);
    fields.imbue(std::locale::classic());
    int value = 0;
    char comma = ',';
    for (Eigen::Index i = 0; i <= n_pixels; ++i) {
      if (i > 0) fields >> comma;
      if (!(fields >> value) || comma != ',' || value < 0 || value > 16)
        throw std::runtime_error(path + ", line " + number + ": expected 64 pixels and a label");
      if (i < n_pixels) pixels.push_back(value);
    }
    digits.labels.push_back(value);
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  digits.images = Eigen::Map<const RowMajor>(
      pixels.data(), static_cast<Eigen::Index>(digits.labels.size()), n_pixels);
  return digits;
}

}  // namespace example
