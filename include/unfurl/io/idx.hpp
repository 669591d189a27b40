#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <limits>
#include <string>
#include <vector>

#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/io/binary.hpp"
#include "unfurl/io/file.hpp"

namespace unfurl {

namespace detail {

struct IdxHeader {
  NumberFormat format{};
  std::uint64_t rows = 0, cols = 1;
  std::size_t n_dimensions = 0;
};

/// Two zeros, the type, the number of dimensions; then each dimension as 4 bytes. All big-endian.
inline IdxHeader read_idx_header(BinaryInput& input) {
  const std::string magic = input.take(4);
  if (magic[0] == '\x1f' && magic[1] == '\x8b')
    input.fail("this file is compressed; decompress it first, with gunzip");
  if (magic[0] != 0 || magic[1] != 0) input.fail("this is not an idx file");
  using Kind = NumberFormat::Kind;
  IdxHeader header;
  switch (magic[2]) {
    case 0x08:
      header.format = {Kind::unsigned_integer, 1, true};
      break;
    case 0x09:
      header.format = {Kind::signed_integer, 1, true};
      break;
    case 0x0B:
      header.format = {Kind::signed_integer, 2, true};
      break;
    case 0x0C:
      header.format = {Kind::signed_integer, 4, true};
      break;
    case 0x0D:
      header.format = {Kind::floating_point, 4, true};
      break;
    case 0x0E:
      header.format = {Kind::floating_point, 8, true};
      break;
    default:
      input.fail(text("there is no idx type with number ",
                      static_cast<int>(static_cast<unsigned char>(magic[2]))));
  }
  header.n_dimensions = static_cast<unsigned char>(magic[3]);
  if (header.n_dimensions == 0) input.fail("the array has no dimensions");
  header.rows = decode<std::uint32_t>(input.take(4).data(), true);
  constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<Index>::max)());
  for (std::size_t i = 1; i < header.n_dimensions; ++i) {
    const auto dimension = decode<std::uint32_t>(input.take(4).data(), true);
    if (dimension > 0 && header.cols > most / dimension)
      input.fail("the dimensions of the array are too large");
    header.cols *= dimension;
  }
  if (header.cols > 0 && header.rows > most / header.cols)
    input.fail("the dimensions of the array are too large");
  return header;
}

}  // namespace detail

/// Reads an array in the idx format, in which MNIST and its kin come: n images of r x c pixels
/// become n x (r c), a pixel a column, row by row; n labels become n x 1. All types of the format,
/// any number of dimensions. Compressed files (.gz) must be decompressed first.
///
///     Eigen::MatrixXd images = unfurl::read_idx("train-images-idx3-ubyte");   // 60000 x 784
///     std::vector<int> digits = unfurl::read_idx_labels("train-labels-idx1-ubyte");
///
/// Sizes are checked against the bytes that are there before anything is allocated.
///
/// \throws FormatError, IoError
template <class Scalar = double>
Matrix<Scalar> read_idx(std::istream& in) {
  static_assert(is_scalar_v<Scalar>, "read_idx<Scalar>: Scalar must be float or double");
  detail::BinaryInput input(in, "read_idx");
  const detail::IdxHeader header = detail::read_idx_header(input);
  input.expect_numbers(header.rows * header.cols, header.format);
  Matrix<Scalar> M(static_cast<Index>(header.rows), static_cast<Index>(header.cols));
  input.numbers<Scalar>(header.rows * header.cols, header.format,
                        [&](Index i, Scalar value) { M(i / M.cols(), i % M.cols()) = value; });
  return M;
}

/// The same from a file. \throws IoError when it cannot be opened
template <class Scalar = double>
Matrix<Scalar> read_idx(const std::filesystem::path& file) {
  return detail::read_file("read_idx", file, [](std::istream& in) { return read_idx<Scalar>(in); });
}

/// Reads an idx array of one dimension that holds integers. \throws FormatError, IoError
inline std::vector<int> read_idx_labels(std::istream& in) {
  detail::BinaryInput input(in, "read_idx_labels");
  const detail::IdxHeader header = detail::read_idx_header(input);
  if (header.n_dimensions != 1)
    input.fail(detail::text("labels have 1 dimension, this array has ", header.n_dimensions,
                            "; read_idx reads images"));
  if (header.format.kind == detail::NumberFormat::Kind::floating_point)
    input.fail("labels are integers, this array holds floating-point numbers");
  input.expect_numbers(header.rows, header.format);
  std::vector<int> labels(static_cast<std::size_t>(header.rows));
  input.numbers<double>(header.rows, header.format, [&](Index i, double value) {
    labels[static_cast<std::size_t>(i)] = static_cast<int>(value);
  });
  return labels;
}

/// The same from a file. \throws IoError when it cannot be opened
inline std::vector<int> read_idx_labels(const std::filesystem::path& file) {
  return detail::read_file("read_idx_labels", file,
                           [](std::istream& in) { return read_idx_labels(in); });
}

}  // namespace unfurl
