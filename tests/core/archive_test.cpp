#include "unfurl/core/archive.hpp"

#include <limits>
#include <sstream>
#include <string>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using detail::ArchiveReader;
using detail::ArchiveWriter;

namespace {

std::string written(const ArchiveWriter& archive) {
  std::ostringstream out;
  archive.write_to(out, "Thing", 8);
  return out.str();
}

ArchiveReader reader(const std::string& bytes, const char* name = "Thing", std::size_t size = 8) {
  std::istringstream in(bytes);
  return ArchiveReader(in, name, size);
}

}  // namespace

TEST_CASE("what is written is read back to the bit", "[archive][contract61]") {
  ArchiveWriter archive;
  Matrix<double> M = test::gaussian<double>(5, 3);
  M(2, 1) = -0.0;
  M(3, 1) = std::numeric_limits<double>::denorm_min();
  archive.count(7);
  archive.flag(true);
  archive.number(0.1f);
  archive.matrix(M);
  archive.matrix(Vector<float>());
  archive.string("text");
  ArchiveReader back = reader(written(archive));
  CHECK(back.count() == 7);
  CHECK(back.flag());
  CHECK(back.number<float>() == 0.1f);
  const Matrix<double> N = back.matrix<double>();
  CHECK(test::same_bytes(M, N));
  CHECK(std::signbit(N(2, 1)));
  CHECK(back.vector<float>().size() == 0);
  CHECK(back.string() == "text");
  back.finish();
}

TEST_CASE("the file is the same on every machine", "[archive][contract62]") {
  ArchiveWriter archive;
  archive.number(1.0);
  const std::string bytes = written(archive);
  const std::string head(
      "\x89UNFURL\n\x01\0\0\0\x08\0\0\0\x05\0\0\0\0\0\0\0Thing\x08\0\0\0\0\0\0\0", 37);
  CHECK(bytes.substr(0, 37) == head);
  CHECK(bytes.substr(37, 8) == std::string("\0\0\0\0\0\0\xf0\x3f", 8));
  CHECK(bytes.size() == 37 + 8 + 8);
}

TEST_CASE("the header is checked and said", "[archive][contract62]") {
  ArchiveWriter archive;
  archive.count(1);
  const std::string good = written(archive);
  const auto said = [](const std::string& bytes, const char* name = "Thing",
                       std::size_t size = 8) -> std::string {
    try {
      reader(bytes, name, size);
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(said(good).empty());
  CHECK(said("PK\3\4 not a model").find("not an unfurl model file") != std::string::npos);
  CHECK(said(good, "PCA").find("expected a model of PCA, found Thing") != std::string::npos);
  CHECK(said(good, "Thing", 4).find("expected scalars of 4 bytes, found 8") != std::string::npos);
  std::string newer = good;
  newer[8] = 9;
  CHECK(said(newer).find("expected format version 1, found 9") != std::string::npos);
}

TEST_CASE("lengths that lie cost nothing", "[archive][contract63]") {
  // A content length, a matrix shape and a name length, each set to extreme values.
  ArchiveWriter archive;
  archive.matrix(Matrix<double>::Ones(2, 2));
  const std::string good = written(archive);
  for (const std::size_t field : {std::size_t{16}, std::size_t{29}})
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 31, std::uint64_t{1} << 62,
          (std::uint64_t{1} << 63), ~std::uint64_t{0}}) {
      std::string bad = good;
      for (std::size_t i = 0; i < 8; ++i) bad[field + i] = static_cast<char>(value >> (8 * i));
      CHECK_THROWS_AS(reader(bad), FormatError);
    }
  for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1} << 31,
                                   std::uint64_t{1} << 62, ~std::uint64_t{0}})
    for (const std::uint64_t cols : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{1} << 62}) {
      ArchiveWriter lie;
      lie.unsigned_integer(rows);
      lie.unsigned_integer(cols);
      if (rows + cols < 4) continue;  // a legal empty matrix
      ArchiveReader back = reader(written(lie));
      CHECK_THROWS_AS(back.matrix<double>(), FormatError);
    }
  ArchiveWriter lie;
  lie.unsigned_integer(~std::uint64_t{0});
  CHECK_THROWS_AS(reader(written(lie)).string(), FormatError);
  CHECK_THROWS_AS(reader(written(lie)).count(), FormatError);
}
