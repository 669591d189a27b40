#include "unfurl/io/idx.hpp"

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

std::string idx(int type, const std::vector<unsigned>& shape, const std::string& data) {
  std::string bytes(2, '\0');
  bytes += static_cast<char>(type);
  bytes += static_cast<char>(shape.size());
  for (const unsigned dimension : shape)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(dimension >> shift);
  return bytes + data;
}

Matrix<double> images_of(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_idx(in);
}

std::vector<int> labels_of(const std::string& bytes) {
  std::istringstream in(bytes);
  return read_idx_labels(in);
}

std::string idx_complaint(const std::string& bytes) {
  return error_text<FormatError>([&] { images_of(bytes); });
}

// Two images of 2 x 3 pixels, as MNIST has its of 28 x 28.
const std::string images =
    idx(8, {2, 2, 3}, std::string("\0\1\2\3\4\5\xff\xfe\xfd\xfc\xfb\xfa", 12));

}  // namespace

TEST_CASE("images become rows of pixels", "[idx]") {
  Matrix<double> expected(2, 6);
  expected << 0, 1, 2, 3, 4, 5, 255, 254, 253, 252, 251, 250;
  CHECK(test::same_bytes(images_of(images), expected));
  std::istringstream in(images);
  CHECK(test::same_bytes(read_idx<float>(in), expected.cast<float>().eval()));
  test::Pipe pipe(images);
  std::istream from_pipe(&pipe);
  CHECK(test::same_bytes(read_idx(from_pipe), expected));
  CHECK(images_of(idx(8, {0, 28, 28}, "")).cols() == 784);
  CHECK(images_of(idx(8, {1, 1, 1, 1, 2}, "ab")).cols() == 2);
}

TEST_CASE("labels become integers", "[idx]") {
  const std::string labels = idx(8, {4}, std::string("\7\0\x09\xff", 4));
  CHECK(labels_of(labels) == std::vector<int>{7, 0, 9, 255});
  CHECK(images_of(labels).cols() == 1);
  CHECK(images_of(labels)(3) == 255);
  CHECK(contains(error_text<FormatError>([&] { labels_of(images); }), "this array has 3"));
  CHECK(contains(error_text<FormatError>([&] { labels_of(idx(13, {1}, "1234")); }), "integers"));
}

TEST_CASE("all types of the format are read", "[idx]") {
  CHECK(images_of(idx(0x08, {1}, "\x80"))(0) == 128);
  CHECK(images_of(idx(0x09, {1}, "\x80"))(0) == -128);
  CHECK(images_of(idx(0x0B, {1}, "\xff\xfe"))(0) == -2);
  CHECK(images_of(idx(0x0C, {1}, std::string("\xff\xff\xff\0", 4)))(0) == -256);
  CHECK(images_of(idx(0x0D, {1}, std::string("\xc0\x20\0\0", 4)))(0) == -2.5);
  CHECK(images_of(idx(0x0E, {1}, std::string("\xc0\x04\0\0\0\0\0\0", 8)))(0) == -2.5);
  for (const int type : {0x00, 0x07, 0x0A, 0x0F, 0xff})
    CHECK(contains(idx_complaint(idx(type, {1}, "12345678")), "no idx type"));
}

TEST_CASE("a compressed file is told as such", "[idx]") {
  CHECK(contains(idx_complaint("\x1f\x8b\x08 and so on"), "gunzip"));
  CHECK(contains(idx_complaint("PK\3\4"), "not an idx file"));
}

TEST_CASE("an idx file cut or lengthened at any byte is an error", "[idx][contract64]") {
  for (std::size_t length = 0; length < images.size(); ++length)
    CHECK_THROWS_AS(images_of(images.substr(0, length)), FormatError);
  CHECK_THROWS_AS(images_of(images + "x"), FormatError);
}

TEST_CASE("absurd shapes of an idx file cost nothing", "[idx][contract63]") {
  const unsigned most = 0xffffffff;
  for (const auto& shape : std::vector<std::vector<unsigned>>{{most},
                                                              {most, most},
                                                              {most, most, most},
                                                              {1, most, most, most},
                                                              {0, most, most, most},
                                                              {65536, 65536, 65536, 65536},
                                                              {},
                                                              std::vector<unsigned>(255, 2)}) {
    CAPTURE(shape.size());
    CHECK_THROWS_AS(images_of(idx(8, shape, "1234")), FormatError);
  }
  CHECK(contains(idx_complaint(idx(14, {3}, "12345678")),
                 "3 numbers of 8 bytes, and 8 bytes follow it (byte 8)"));
}

TEST_CASE("the name of an idx file is in the error", "[idx]") {
  const test::Folder folder("idx");
  test::put(folder / "good", images);
  test::put(folder / "labels", idx(8, {2}, "ab"));
  test::put(folder / "bad", images.substr(0, 20));
  CHECK(read_idx(folder / "good").rows() == 2);
  CHECK(read_idx_labels(folder / "labels") == std::vector<int>{'a', 'b'});
  CHECK(contains(error_text<FormatError>([&] { read_idx(folder / "bad"); }), "bad': read_idx: "));
  CHECK(contains(error_text<IoError>([&] { read_idx(folder / "none"); }), "none"));
}
