#pragma once

#include <optional>
#include <string>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/io/csv.hpp"

namespace embed {

/// How the input is to be read.
struct InputOptions {
  unfurl::CsvOptions csv = {};  ///< of text files
  std::string labels = "";      ///< a file of labels; empty: none
};

struct Labels {
  std::vector<std::string> of_rows = {};  ///< one for each, or none at all
  std::string name = "label";
};

struct Data {
  unfurl::Matrix<double> points = {};
  Labels labels = {};
  bool named = false;  ///< the first line held the names of columns
};

/// Reads .npy, idx (MNIST's format) and, under any other name, text; "-" is standard input.
Data read_data(const std::string& file, const InputOptions& options);

/// Writes .npy or, under any other name, CSV with the labels as last column; "-" is standard
/// output. \param named write a first line with the names of the columns.
void write_map(const std::string& file, const unfurl::Matrix<double>& Y, const Labels& labels,
               bool named);

}  // namespace embed
