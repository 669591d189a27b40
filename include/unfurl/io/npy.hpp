#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <istream>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/io/binary.hpp"
#include "unfurl/io/file.hpp"
#include "unfurl/io/npy_header.hpp"

namespace unfurl {

/// Reads an array that numpy.save has written: versions 1 to 3 of the format, C and Fortran order,
/// both byte orders, bool, integers of 1 to 8 bytes and floats of 4 and 8. An array of one
/// dimension is read as a column, a single number as 1 x 1. Numbers become the nearest Scalar; NaN
/// and Inf are read as they are.
///
/// Sizes are checked against the bytes that are there before anything is allocated. The array must
/// end where the stream ends. Time and memory are those of the array.
///
/// \throws FormatError for anything else, objects and named fields included; IoError.
template <class Scalar = double>
Matrix<Scalar> read_npy(std::istream& in) {
  static_assert(is_scalar_v<Scalar>, "read_npy<Scalar>: Scalar must be float or double");
  detail::BinaryInput input(in, "read_npy");
  if (input.take(6) != "\x93NUMPY") input.fail("this is not a .npy file");
  const std::string version = input.take(2);
  if (version[0] < 1 || version[0] > 3)
    input.fail(detail::text("expected format version 1, 2 or 3, found ",
                            static_cast<int>(static_cast<unsigned char>(version[0]))));
  const std::uint32_t length = version[0] == 1
                                   ? detail::decode<std::uint16_t>(input.take(2).data(), false)
                                   : detail::decode<std::uint32_t>(input.take(4).data(), false);
  constexpr std::uint32_t longest = 65535;
  if (length > longest)
    input.fail(detail::text("the header has ", length, " bytes, more than ", longest));
  const std::string literal = input.take(length);
  const detail::NpyHeader header = detail::NpyHeaderParser(literal, input).parse();

  const std::uint64_t rows = header.shape.empty() ? 1 : header.shape[0];
  const std::uint64_t cols = header.shape.size() < 2 ? 1 : header.shape[1];
  if (cols > 0 && rows > (std::numeric_limits<std::uint64_t>::max)() / cols)
    input.fail(detail::text("an array of ", rows, " x ", cols, " is too large"));
  input.expect_numbers(rows * cols, header.format);
  Matrix<Scalar> M(static_cast<Index>(rows), static_cast<Index>(cols));
  if (header.fortran_order)
    input.numbers<Scalar>(rows * cols, header.format,
                          [&](Index i, Scalar value) { M.data()[i] = value; });
  else
    input.numbers<Scalar>(rows * cols, header.format,
                          [&](Index i, Scalar value) { M(i / M.cols(), i % M.cols()) = value; });
  return M;
}

/// The same from a file. \throws IoError when it cannot be opened
template <class Scalar = double>
Matrix<Scalar> read_npy(const std::filesystem::path& file) {
  return detail::read_file("read_npy", file, [](std::istream& in) { return read_npy<Scalar>(in); });
}

/// Writes a matrix for numpy.load, to the bit, in the byte order of a PC and in Fortran order, so
/// that numpy need not transpose what Eigen keeps by columns. Column and row vector types become
/// arrays of one dimension. Any Eigen expression of float, double or integers.
/// \throws IoError
template <class Derived>
void write_npy(std::ostream& out, const Eigen::MatrixBase<Derived>& X) {
  using Number = typename Derived::Scalar;
  static_assert(std::is_arithmetic_v<Number> && sizeof(Number) <= 8,
                "write_npy: the numbers must be float, double or integers");
  const char kind = std::is_same_v<Number, bool>       ? 'b'
                    : std::is_floating_point_v<Number> ? 'f'
                    : std::is_signed_v<Number>         ? 'i'
                                                       : 'u';
  const std::string shape = Derived::IsVectorAtCompileTime
                                ? detail::text("(", X.size(), ",)")
                                : detail::text("(", X.rows(), ", ", X.cols(), ")");
  std::string header =
      detail::text("{'descr': '", sizeof(Number) == 1 ? '|' : '<', kind, sizeof(Number),
                   "', 'fortran_order': True, 'shape': ", shape, ", }");
  // The numbers shall begin at a multiple of 64 bytes, the header end with a newline.
  constexpr std::size_t before = 10;
  header.append(64 - (before + header.size() + 1) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01", 7);
  bytes += '\0';
  for (const std::size_t part : {header.size() & 0xff, header.size() >> 8})
    bytes += static_cast<char>(part);
  bytes += header;

  constexpr std::size_t step = std::size_t{1} << 20;
  const ConstMatrixRef<Number> M(X.derived());
  for (Index j = 0; j < M.cols(); ++j)
    for (Index i = 0; i < M.rows(); ++i) {
      detail::UnsignedOf<sizeof(Number)> bits;
      const Number number = M(i, j);
      std::memcpy(&bits, &number, sizeof(bits));
      for (std::size_t byte = 0; byte < sizeof(bits); ++byte)
        bytes += static_cast<char>((bits >> (8 * byte)) & 0xff);
      if (bytes.size() < step) continue;
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      bytes.clear();
    }
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (!out) throw IoError("write_npy: the stream failed while writing; is the disk full?");
}

/// To a file; one that is there is replaced only when the new one is complete.
template <class Derived>
void write_npy(const std::filesystem::path& file, const Eigen::MatrixBase<Derived>& X) {
  detail::write_file("write_npy", file, [&](std::ostream& out) { write_npy(out, X); });
}

}  // namespace unfurl
