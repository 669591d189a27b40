#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "unfurl/core/types.hpp"

namespace test {

/// A table of tests/reference, made by tests/reference/make.py with scikit-learn.
inline unfurl::Matrix<double> golden(const std::string& name) {
  std::ifstream in(std::string(UNFURL_SOURCE_DIR) + "/tests/reference/" + name);
  if (!in) throw std::runtime_error("missing tests/reference/" + name);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  unfurl::Matrix<double> table(static_cast<unfurl::Index>(rows.size()),
                               static_cast<unfurl::Index>(rows.front().size()));
  for (unfurl::Index i = 0; i < table.rows(); ++i)
    for (unfurl::Index j = 0; j < table.cols(); ++j)
      table(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return table;
}

}  // namespace test
