#pragma once

#include <istream>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/checks.hpp"
#include "io/streams.hpp"
#include "unfurl/io/idx.hpp"

namespace fuzz {

/// A file and a pipe give the same, and labels are what is read as an array of one column.
inline void idx(const std::string& bytes) {
  unfurl::Matrix<double> read, piped;
  unfurl::Matrix<float> narrow;
  std::istringstream file(bytes), narrow_file(bytes), label_file(bytes);
  test::Pipe pipe(bytes);
  std::istream from_pipe(&pipe);
  const bool is_array = succeeds([&] { read = unfurl::read_idx(file); });
  require(
      succeeds([&] { piped = unfurl::read_idx(from_pipe); }) == is_array && identical(read, piped),
      "idx: a pipe is read in another way than a file");
  if (succeeds([&] { narrow = unfurl::read_idx<float>(narrow_file); }))
    require(is_array, "idx: floats are read where doubles are not");
  std::vector<int> labels;
  if (!succeeds([&] { labels = unfurl::read_idx_labels(label_file); })) return;
  require(is_array && read.cols() == 1 && read.rows() == static_cast<unfurl::Index>(labels.size()),
          "idx: labels are not the array");
  for (std::size_t i = 0; i < labels.size(); ++i)
    require(read(static_cast<unfurl::Index>(i), 0) == labels[i], "idx: a label is another number");
}

}  // namespace fuzz
