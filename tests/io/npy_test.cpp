#include "unfurl/io/npy.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "io/streams.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using test::contains;
using test::error_text;

namespace {

/// A file as numpy writes it, with the header padded to `length` bytes.
std::string npy(int version, std::string header, const std::string& data,
                std::size_t length = 118) {
  header.resize(length - 1, ' ');
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2u : 4u); ++i)
    bytes += static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return bytes + header + data;
}

std::string header_of(const std::string& descr, const std::string& order,
                      const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

template <class Scalar = double>
Matrix<Scalar> array_of(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_npy<Scalar>(in);
}

template <class Derived>
std::string npy_of(const Eigen::MatrixBase<Derived>& X) {
  std::ostringstream out;
  write_npy(out, X);
  return out.str();
}

std::string npy_complaint(const std::string& bytes) {
  return error_text<FormatError>([&] { array_of(bytes); });
}

// Saved by numpy 1.24: np.save, and np.lib.format.write_array for versions 2 and 3.
const std::string c_order_f8 =
    npy(1, header_of("<f8", "False", "(2, 3)"),
        std::string("\0\0\0\0\0\0\xf8?\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\x08@"
                    "\0\0\0\0\0\0\x10@\0\0\0\0\0\0\x14@\x83\xb6:\xd2\x97\x12\xd0\x01",
                    48));
const std::string fortran_f4 =
    npy(2, header_of("<f4", "True", "(2, 3)"),
        std::string("\0\0\xc0?\0\0\x80@\0\0\0\xc0\0\0\xa0@\0\0@@\0\0\xc0@", 24), 116);
const std::string big_endian_i2 =
    npy(3, header_of(">i2", "False", "(1, 3)"), std::string("\0\x01\xff\xfe\x01,", 6), 116);

}  // namespace

TEST_CASE("arrays that numpy saved are read", "[npy][contract67]") {
  Matrix<double> expected(2, 3);
  expected << 1.5, -2, 3, 4, 5, 6e-300;
  CHECK(test::same_bytes(array_of(c_order_f8), expected));
  expected(1, 2) = 6;
  CHECK(test::same_bytes(array_of(fortran_f4), expected));
  CHECK(test::same_bytes(array_of<float>(fortran_f4), expected.cast<float>().eval()));
  CHECK(test::same_bytes(array_of(big_endian_i2), Eigen::RowVector3d(1, -2, 300)));

  const auto column = array_of(npy(1, header_of("|b1", "False", "(3,)"), std::string("\1\0\1", 3)));
  CHECK(test::same_bytes(column, Eigen::Vector3d(1, 0, 1)));
  const auto single =
      array_of(npy(1, header_of("<f8", "False", "()"), std::string("\0\0\0\0\0\0\x1d@", 8)));
  CHECK(test::same_bytes(single, Matrix<double>::Constant(1, 1, 7.25)));
  const auto empty = array_of(npy(1, header_of("<f8", "False", "(0, 4)"), ""));
  CHECK(empty.rows() == 0);
  CHECK(empty.cols() == 4);
  // Python 2 wrote long integers; keys may come in any order, with either quotes.
  const auto old =
      array_of(npy(1, "{\"shape\":(1L,1L),\"fortran_order\":True,\"descr\":\"|u1\"}", "A"));
  CHECK(old(0, 0) == 65);
}

TEST_CASE("every type of number is read, in both byte orders", "[npy][contract67]") {
  // The largest and the smallest of each type, by their bytes from the lowest.
  struct Case {
    std::string type, bytes;
    double value;
  };
  const std::string ff7(7, '\xff'), zero7(7, '\0');
  for (const Case& c : {
           Case{"i1", "\x80", -128},
           Case{"i1", "\x7f", 127},
           Case{"u1", "\xff", 255},
           Case{"i2", std::string("\0\x80", 2), -32768},
           Case{"u2", "\xff\xff", 65535},
           Case{"i4", std::string("\0\0\0\x80", 4), -2147483648.0},
           Case{"u4", "\xff\xff\xff\xff", 4294967295.0},
           Case{"i8", zero7 + "\x80", -0x1p63},
           Case{"u8", ff7 + "\xff", 0x1p64},
           Case{"u8", "\x15\xcd\x5b\x07" + std::string(4, '\0'), 123456789},
           Case{"f4", std::string("\0\0\x20\xc0", 4), -2.5},
           Case{"f8", std::string("\0\0\0\0\0\0\x04\xc0", 8), -2.5},
       }) {
    CAPTURE(c.type, c.value);
    const bool byte = c.type[1] == '1';
    const std::string reversed(c.bytes.rbegin(), c.bytes.rend());
    CHECK(array_of(npy(1, header_of((byte ? "|" : "<") + c.type, "False", "(1,)"), c.bytes))(0) ==
          c.value);
    CHECK(array_of(npy(1, header_of((byte ? "|" : ">") + c.type, "True", "(1,)"), reversed))(0) ==
          c.value);
  }
}

TEMPLATE_TEST_CASE("an array is written and read to the bit", "[npy][contract61]", float, double) {
  Matrix<TestType> X = test::gaussian<TestType>(13, 5);
  X(1, 1) = -TestType(0);
  X(2, 2) = std::numeric_limits<TestType>::denorm_min();
  X(3, 3) = std::numeric_limits<TestType>::quiet_NaN();
  X(4, 4) = -std::numeric_limits<TestType>::infinity();
  const Matrix<TestType> back = array_of<TestType>(npy_of(X));
  CHECK(test::same_bytes(back, X));
  CHECK(std::signbit(back(1, 1)));
  CHECK(npy_of(back) == npy_of(X));
  // Blocks, expressions and rows are written as what they are.
  CHECK(test::same_bytes(array_of<TestType>(npy_of(X.block(0, 0, 2, 2) * 2)),
                         (X.block(0, 0, 2, 2) * 2).eval()));
  CHECK(test::same_bytes(array_of<TestType>(npy_of(X.row(0))), X.row(0).transpose().eval()));
  CHECK(contains(npy_of(X.col(0)), "'shape': (13,)"));
  CHECK(contains(npy_of(X), "'shape': (13, 5)"));
}

TEST_CASE("a large matrix goes through many pieces, and through a pipe", "[npy]") {
  const Matrix<double> X = test::gaussian<double>(401, 700);  // over 2 MB
  const std::string bytes = npy_of(X);
  CHECK(test::same_bytes(array_of(bytes), X));
  test::Pipe pipe(bytes), cut(bytes.substr(0, bytes.size() - 1)), long_pipe(bytes + "x");
  std::istream in(&pipe), short_in(&cut), long_in(&long_pipe);
  CHECK(test::same_bytes(read_npy(in), X));
  CHECK(error_text<FormatError>([&] { read_npy(short_in); }) ==
        npy_complaint(bytes.substr(0, bytes.size() - 1)));
  CHECK(error_text<FormatError>([&] { read_npy(long_in); }) == npy_complaint(bytes + "x"));
}

TEST_CASE("what is written has the form that numpy asks for", "[npy]") {
  const Eigen::Matrix<std::int16_t, 2, 2> X =
      (Eigen::Matrix<std::int16_t, 2, 2>() << 1, -2, 3, 4).finished();
  const std::string bytes = npy_of(X);
  CHECK(bytes.substr(0, 8) == std::string("\x93NUMPY\x01\0", 8));
  const std::size_t length =
      static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  CHECK((10 + length) % 64 == 0);
  CHECK(bytes[10 + length - 1] == '\n');
  CHECK(bytes.substr(10, 60) == "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 2), }  ");
  CHECK(bytes.substr(10 + length) == std::string("\1\0\3\0\xfe\xff\4\0", 8));
}

TEST_CASE("numbers of the header do not follow the locale", "[npy][contract68]") {
  const std::string plain = npy_of(Matrix<double>::Ones(12345, 1).eval());
  const test::ContinentalLocale continental;
  CHECK(contains(plain, "(12345, 1)"));
  CHECK(npy_of(Matrix<double>::Ones(12345, 1).eval()) == plain);
  CHECK(array_of(plain).rows() == 12345);
}

TEST_CASE("a file cut at any byte is an error", "[npy][contract64]") {
  for (const std::string& good : {c_order_f8, fortran_f4, big_endian_i2}) {
    for (std::size_t length = 0; length < good.size(); ++length)
      CHECK_THROWS_AS(array_of(good.substr(0, length)), FormatError);
    CHECK(contains(npy_complaint(good + '\0'), "bytes follow it"));
  }
}

TEST_CASE("a header with a flipped bit is an error or another array, never a crash",
          "[npy][contract63][contract67]") {
  std::size_t n_refused = 0;
  for (std::size_t at = 0; at < 128; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = c_order_f8;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      Index size = 6;
      try {
        size = array_of(bad).size();
      } catch (const FormatError&) {
        ++n_refused;
      }
      CHECK(size == 6);
    }
  CHECK(n_refused > 900);  // of 1024: a space may become a tab, '<' a '>'
}

TEST_CASE("absurd shapes cost nothing and are told", "[npy][contract63][contract67]") {
  for (const char* shape : {"(99999999999999999999999,)",
                            "(9223372036854775808,)",
                            "(9223372036854775807, 2)",
                            "(4611686018427387904, 4)",
                            "(4294967296, 4294967296)",
                            "(1000000000000, 1)",
                            "(-1,)",
                            "(-1, 3)",
                            "(2, 3, 4)",
                            "(1.5,)",
                            "(0x10,)",
                            "(1 2)",
                            "(1,,2)",
                            "(1, 2",
                            "1, 2",
                            "(True,)",
                            "[1, 2]",
                            "()",
                            "(0,)",
                            "(5,)",
                            "(7, 1)"}) {
    CAPTURE(shape);
    CHECK_THROWS_AS(array_of(npy(1, header_of("<f8", "False", shape), std::string(48, '\1'))),
                    FormatError);
  }
  CHECK(contains(npy_complaint(npy(1, header_of("<f8", "False", "(2, 3, 4)"), "")),
                 "more than 2 dimensions"));
  CHECK(npy_complaint(npy(1, header_of("<f8", "False", "(2, 3)"), "12345678")) ==
        "read_npy: the header speaks of 6 numbers of 8 bytes, and 8 bytes follow it (byte 128)");
  // A header that claims to be longer than anyone's.
  std::string longer = npy(2, header_of("<f8", "False", "(1,)"), "12345678", 116);
  longer[10] = 1;
  CHECK(contains(npy_complaint(longer), "more than 65535"));
}

TEST_CASE("a header is read to the letter", "[npy][contract67]") {
  const std::string eight = "12345678";
  const auto of = [&](const std::string& header) { return npy_complaint(npy(1, header, eight)); };
  CHECK(of(header_of("<f8", "False", "(1,)")).empty());
  CHECK(contains(of("{'descr': '<f8', 'shape': (1,), }"), "lacks the key 'fortran_order'"));
  CHECK(contains(of("{}"), "lacks the key 'descr'"));
  CHECK(contains(of("{'descr': '<f8', 'descr': '<f8', 'fortran_order': True, 'shape': (1,)}"),
                 "'descr' appears twice"));
  CHECK(contains(of("{'descr': '<f8', 'order': 'C', 'fortran_order': True, 'shape': (1,)}"),
                 "unknown key 'order'"));
  CHECK(contains(of("{'descr': '<f8' 'fortran_order': True, 'shape': (1,)}"), "comma"));
  CHECK(contains(of("{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}"), "True or False"));
  CHECK(contains(of(header_of("<f8", "False", "(1,)") + "; import os"), "closing brace"));
  CHECK(contains(of("__import__('os')"), "should have '{'"));
  CHECK(contains(of("{'descr': '<f8"), "should have a string"));
  CHECK(contains(of("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }"),
                 "named fields"));
  for (const char* type : {"|O", "<c16", "<f2", "<f16", "|S8", "<U2", "<M8[s]", "f8", "<f", "<i3",
                           "=f8", "|f8", "<b2", "", "<x8"}) {
    CAPTURE(type);
    CHECK(contains(of(header_of(type, "False", "(1,)")),
                   "cannot read numbers of type '" + std::string(type) + "'"));
  }
  CHECK(contains(npy_complaint("PK\3\4 and more"), "not a .npy file"));
  CHECK(contains(npy_complaint(npy(4, header_of("<f8", "False", "(1,)"), eight, 116)), "found 4"));
}

TEST_CASE("a double too large for float is an error, not Inf", "[npy]") {
  const std::string bytes = npy_of(Eigen::Vector2d(1, 1e39));
  CHECK(array_of(bytes)(1) == 1e39);
  CHECK(contains(error_text<FormatError>([&] { array_of<float>(bytes); }), "too large for float"));
}

TEST_CASE("files are named in errors, and an old one survives a failure", "[npy][contract66]") {
  const test::Folder folder("npy");
  const Matrix<double> X = test::gaussian<double>(6, 2);
  write_npy(folder / "x.npy", X);
  CHECK(test::same_bytes(read_npy(folder / "x.npy"), X));
  CHECK(test::same_bytes(read_npy<float>((folder / "x.npy").string()), X.cast<float>().eval()));
  const auto missing = error_text<IoError>([&] { read_npy(folder / "none.npy"); });
  CHECK(contains(missing, "none.npy"));
  CHECK(contains(missing, "No such file"));
  test::put(folder / "bad.npy", c_order_f8.substr(0, 100));
  const auto cut = error_text<FormatError>([&] { read_npy(folder / "bad.npy"); });
  CHECK(contains(cut, "bad.npy'"));
  CHECK(contains(cut, "ends too early"));
  CHECK(contains(error_text<IoError>([&] { read_npy(folder / "."); }), "is a directory"));

  for (const std::size_t room : {0u, 5u, 100u, 223u}) {
    test::FullDisk disk(room);
    std::ostream out(&disk);
    CHECK_THROWS_AS(write_npy(out, X), IoError);
  }
  test::BrokenDisk broken(c_order_f8.substr(0, 100));
  std::istream in(&broken);
  CHECK(contains(error_text<IoError>([&] { read_npy(in); }), "failed while reading"));
}
