#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <istream>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

/// Model files. Layout, all integers little-endian, floating-point numbers by their IEEE bits:
///
///   8 bytes  "\x89UNFURL\n"      (the first byte and the newline betray text-mode copies)
///   u32      format version, 1
///   u32      bytes of a scalar, 4 or 8
///   string   estimator            (u64 length, then the characters)
///   u64      bytes of content
///   content  what the estimator writes
///   u64      FNV-1a checksum of the content
namespace unfurl {

/// What a model file says of itself before its content.
struct ModelKind {
  std::string estimator = "";     ///< as its class is called: "PCA"
  std::uint32_t scalar_size = 0;  ///< in bytes: 4 for float, 8 for double
};

}  // namespace unfurl

namespace unfurl::detail {

inline constexpr char archive_magic[8] = {'\x89', 'U', 'N', 'F', 'U', 'R', 'L', '\n'};
inline constexpr std::uint32_t archive_version = 1;

inline std::uint64_t checksum(const std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return hash;
}

class ArchiveWriter {
 public:
  template <class Unsigned>
  void unsigned_integer(Unsigned value) {
    static_assert(std::is_unsigned_v<Unsigned>);
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
      bytes_.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  }
  void count(Index value) { unsigned_integer(static_cast<std::uint64_t>(value)); }
  void flag(bool value) { unsigned_integer(static_cast<std::uint8_t>(value ? 1 : 0)); }

  template <class Scalar>
  void number(Scalar value) {
    using Bits = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;
    Bits bits;
    std::memcpy(&bits, &value, sizeof(bits));
    unsigned_integer(bits);
  }

  template <class Derived>
  void matrix(const Eigen::MatrixBase<Derived>& M) {
    count(M.rows());
    count(M.cols());
    bytes_.reserve(bytes_.size() +
                   static_cast<std::size_t>(M.size()) * sizeof(typename Derived::Scalar));
    for (Index j = 0; j < M.cols(); ++j)
      for (Index i = 0; i < M.rows(); ++i) number(M(i, j));
  }

  /// By columns.
  template <class Scalar>
  void sparse(const SparseMatrix<Scalar>& M) {
    count(M.rows());
    count(M.cols());
    count(M.nonZeros());
    for (Index j = 0; j < M.cols(); ++j) {
      Index entries = 0;
      for (typename SparseMatrix<Scalar>::InnerIterator it(M, j); it; ++it) ++entries;
      count(entries);
      for (typename SparseMatrix<Scalar>::InnerIterator it(M, j); it; ++it) {
        unsigned_integer(static_cast<std::uint32_t>(it.row()));
        number(it.value());
      }
    }
  }

  void indices(const std::vector<Index>& values) {
    count(static_cast<Index>(values.size()));
    for (const Index value : values) count(value);
  }

  void optional(const std::optional<double>& value) {
    flag(value.has_value());
    number(value.value_or(0.0));
  }

  void string(const std::string& value) {
    count(static_cast<Index>(value.size()));
    bytes_ += value;
  }

  /// The beginning of a file, up to and with the estimator's name.
  void kind(const ModelKind& model) {
    bytes_.append(archive_magic, sizeof(archive_magic));
    unsigned_integer(archive_version);
    unsigned_integer(model.scalar_size);
    string(model.estimator);
  }

  const std::string& bytes() const { return bytes_; }

  /// Puts the header and the checksum around the content. \throws IoError
  void write_to(std::ostream& out, const std::string& estimator, std::size_t scalar_size) const {
    ArchiveWriter head, tail;
    head.kind({estimator, static_cast<std::uint32_t>(scalar_size)});
    head.unsigned_integer(static_cast<std::uint64_t>(bytes_.size()));
    tail.unsigned_integer(checksum(bytes_));
    for (const std::string& part :
         {std::cref(head.bytes_), std::cref(bytes_), std::cref(tail.bytes_)})
      out.write(part.data(), static_cast<std::streamsize>(part.size()));
    out.flush();
    if (!out)
      throw IoError(text(estimator, "::save: the stream failed while writing; is the disk full?"));
  }

 private:
  std::string bytes_;
};

/// Reads what ArchiveWriter wrote. Every length is checked against the bytes that are there before
/// anything is allocated for it.
class ArchiveReader {
 public:
  /// Reads a whole model and verifies header and checksum. \throws FormatError, IoError
  ArchiveReader(std::istream& in, const std::string& estimator, std::size_t scalar_size)
      : ArchiveReader(estimator + "::load") {
    const ModelKind found = receive_kind(in);
    if (found.estimator != estimator)
      fail(text("expected a model of ", estimator, ", found ", found.estimator));
    if (found.scalar_size != scalar_size)
      fail(text("expected scalars of ", scalar_size, " bytes, found ", found.scalar_size));
    const auto length = header<std::uint64_t>(in);
    if (length > std::numeric_limits<std::size_t>::max() / 2) fail("the content is too long");
    receive(in, static_cast<std::size_t>(length));
    std::string content = std::move(bytes_);
    if (header<std::uint64_t>(in) != checksum(content))
      fail("the checksum does not match: the file is damaged");
    if (in.peek() != std::istream::traits_type::eof()) fail("bytes follow the end of the model");
    content_start_ = read_ - content.size() - 8;
    bytes_ = std::move(content);
    at_ = 0;
  }

  /// Reads the beginning of a model, up to and with the estimator's name, and no byte more.
  /// \param caller begins the text of an error. \throws FormatError, IoError
  static ModelKind kind(std::istream& in, const std::string& caller) {
    return ArchiveReader(caller).receive_kind(in);
  }

  template <class Unsigned>
  Unsigned unsigned_integer() {
    need(sizeof(Unsigned));
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
      value = static_cast<Unsigned>(
          value |
          static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(bytes_[at_ + i]))
                                << (8 * i)));
    at_ += sizeof(Unsigned);
    return value;
  }

  Index count() {
    const auto value = unsigned_integer<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
      fail("a length is out of range");
    return static_cast<Index>(value);
  }

  bool flag() {
    const auto value = unsigned_integer<std::uint8_t>();
    if (value > 1) fail("a flag is neither 0 nor 1");
    return value == 1;
  }

  template <class Scalar>
  Scalar number() {
    using Bits = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;
    const Bits bits = unsigned_integer<Bits>();
    Scalar value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }

  template <class Scalar>
  Matrix<Scalar> matrix() {
    const Index rows = count(), cols = count();
    const std::uint64_t room = (bytes_.size() - at_) / sizeof(Scalar);
    const auto longer = static_cast<std::uint64_t>(std::max(rows, cols));
    const auto shorter = static_cast<std::uint64_t>(std::min(rows, cols));
    // An empty one needs no room, but its rows or columns are walked through.
    if (shorter == 0 ? longer > bytes_.size() : longer > room / shorter)
      fail(text("a matrix of ", rows, " x ", cols, " does not fit in the file"));
    Matrix<Scalar> M(rows, cols);
    for (Index j = 0; j < cols; ++j)
      for (Index i = 0; i < rows; ++i) M(i, j) = number<Scalar>();
    return M;
  }

  template <class Scalar>
  Vector<Scalar> vector() {
    const Matrix<Scalar> M = matrix<Scalar>();
    if (M.cols() != 1) fail("a vector has more than one column");
    return M;
  }

  template <class Scalar>
  SparseMatrix<Scalar> sparse() {
    const Index rows = count(), cols = count(), n_entries = count();
    constexpr Index most = std::numeric_limits<int>::max();
    if (rows > most || cols > most || n_entries > most || !holds(cols, 8) ||
        !holds(n_entries, sizeof(std::uint32_t) + sizeof(Scalar)))
      fail("a sparse matrix does not fit in the file");
    SparseMatrix<Scalar> M(rows, cols);
    M.reserve(n_entries);
    for (Index j = 0; j < cols; ++j) {
      M.startVec(j);
      Index last = -1;
      for (Index entries = count(); entries > 0; --entries) {
        const Index i = unsigned_integer<std::uint32_t>();
        const Scalar value = number<Scalar>();
        if (i >= rows || i <= last) fail("the rows of a sparse matrix are not ascending");
        if (!std::isfinite(value)) fail("a value is NaN or Inf");
        M.insertBack(i, j) = value;
        last = i;
      }
    }
    M.finalize();
    if (M.nonZeros() != n_entries) fail("a sparse matrix has another number of entries");
    return M;
  }

  /// Ascending numbers below `limit`.
  std::vector<Index> indices(Index limit) {
    const Index n = count();
    if (n > limit) fail("there are more indices than things to count");
    std::vector<Index> values;
    for (Index i = 0; i < n; ++i) {
      const Index value = count();
      if (value >= limit) fail("an index is out of range");
      if (i > 0 && value <= values.back()) fail("indices are not ascending");
      values.push_back(value);
    }
    return values;
  }

  std::optional<double> optional() {
    const bool there = flag();
    const double value = number<double>();
    return there ? std::optional<double>(value) : std::nullopt;
  }

  std::string string() {
    const auto length = unsigned_integer<std::uint64_t>();
    need(length);
    std::string value = bytes_.substr(at_, static_cast<std::size_t>(length));
    at_ += static_cast<std::size_t>(length);
    return value;
  }

  /// There are bytes left for n elements of this size.
  bool holds(Index n, std::size_t size) const {
    return static_cast<std::uint64_t>(n) <= (bytes_.size() - at_) / size;
  }

  /// To be called after the last field.
  void finish() const {
    if (at_ != bytes_.size()) fail("the content is longer than the model");
  }

  void require(bool condition, const char* what) const {
    if (!condition) fail(what);
  }

  /// Runs what the data of a sound model allow. \throws FormatError in place of DataError
  template <class Action>
  void attempt(Action&& action) const {
    try {
      action();
    } catch (const DataError& error) {
      fail(error.what());
    }
  }

 private:
  explicit ArchiveReader(std::string caller) : caller_(std::move(caller)) {}

  ModelKind receive_kind(std::istream& in) {
    receive(in, sizeof(archive_magic));
    if (std::memcmp(bytes_.data(), archive_magic, sizeof(archive_magic)) != 0)
      fail("this is not an unfurl model file");
    const auto version = header<std::uint32_t>(in);
    if (version != archive_version)
      fail(text("expected format version ", archive_version, ", found ", version));
    ModelKind found;
    found.scalar_size = header<std::uint32_t>(in);
    const auto name_length = header<std::uint64_t>(in);
    if (name_length > 64) fail("the estimator's name is too long");
    receive(in, static_cast<std::size_t>(name_length));
    found.estimator = bytes_;
    return found;
  }

  template <class Unsigned>
  Unsigned header(std::istream& in) {
    receive(in, sizeof(Unsigned));
    return unsigned_integer<Unsigned>();
  }

  /// Replaces `bytes_` by the next n bytes. In steps, so that a length that lies costs no more
  /// memory than the stream has bytes.
  void receive(std::istream& in, std::size_t n) {
    bytes_.clear();
    at_ = 0;
    constexpr std::size_t step = std::size_t{1} << 20;
    while (bytes_.size() < n) {
      const std::size_t before = bytes_.size(), part = std::min(step, n - before);
      bytes_.resize(before + part);
      in.read(&bytes_[before], static_cast<std::streamsize>(part));
      const auto got = static_cast<std::size_t>(in.gcount());
      read_ += got;
      if (in.bad()) throw IoError(text(caller_, ": the stream failed while reading"));
      if (got < part) fail("the file ends too early");
    }
  }

  void need(std::uint64_t n) const {
    if (n > bytes_.size() - at_) fail("the content ends too early");
  }

  [[noreturn]] void fail(const std::string& why) const {
    const std::size_t offset = content_start_ > 0 ? content_start_ + at_ : read_;
    throw FormatError(text(caller_, ": ", why, " (byte ", offset, ")"), offset);
  }

  std::string caller_, bytes_;
  std::size_t at_ = 0, read_ = 0, content_start_ = 0;
};

}  // namespace unfurl::detail
