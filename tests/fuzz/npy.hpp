#pragma once

#include <istream>
#include <sstream>
#include <string>

#include "fuzz/checks.hpp"
#include "io/streams.hpp"
#include "unfurl/io/npy.hpp"

namespace fuzz {

/// A file and a pipe give the same, and what was read is written and read again to the bit.
template <class Scalar>
void npy_as(const std::string& bytes) {
  unfurl::Matrix<Scalar> read, piped, again;
  std::istringstream file(bytes);
  test::Pipe pipe(bytes);
  std::istream from_pipe(&pipe);
  const bool is_array = succeeds([&] { read = unfurl::read_npy<Scalar>(file); });
  require(succeeds([&] { piped = unfurl::read_npy<Scalar>(from_pipe); }) == is_array &&
              identical(read, piped),
          "npy: a pipe is read in another way than a file");
  if (!is_array) return;
  std::stringstream copy;
  unfurl::write_npy(copy, read);
  again = unfurl::read_npy<Scalar>(copy);
  require(identical(read, again), "npy: an array does not come back");
}

inline void npy(const std::string& bytes) {
  npy_as<double>(bytes);
  npy_as<float>(bytes);
}

}  // namespace fuzz
