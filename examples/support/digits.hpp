#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "unfurl/io/csv.hpp"

namespace example {

/// Handwritten digits, 8 x 8 pixels of grey levels 0 to 16; where they come from: data/README.md
struct Digits {
  Eigen::MatrixXd images;   ///< one a row, 64 pixels
  std::vector<int> labels;  ///< 0 to 9
};

/// Reads examples/data/digits.csv of the source tree.
inline Digits read_digits() {
  unfurl::CsvOptions options;
  options.header = unfurl::CsvHeader::none;
  options.label_column = -1;
  const unfurl::CsvTable<> table =
      unfurl::read_csv(UNFURL_SOURCE_DIR "/examples/data/digits.csv", options);
  Digits digits{table.values, {}};
  for (const std::string& label : table.labels) digits.labels.push_back(std::stoi(label));
  return digits;
}

}  // namespace example
