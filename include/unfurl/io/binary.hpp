#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <istream>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

/// Reading arrays of numbers from bytes that may be anything.
namespace unfurl::detail {

/// How a number is stored.
struct NumberFormat {
  enum class Kind { boolean, signed_integer, unsigned_integer, floating_point } kind;
  std::size_t size;  // in bytes: 1, 2, 4 or 8
  bool big_endian;
};

/// The unsigned integer in the first bytes.
template <class Unsigned>
Unsigned decode_unsigned(const char* bytes, bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    const std::size_t at = big_endian ? i : sizeof(Unsigned) - 1 - i;
    value = (value << 8) | static_cast<unsigned char>(bytes[at]);
  }
  return static_cast<Unsigned>(value);
}

template <std::size_t size>
using UnsignedOf = std::conditional_t<
    size == 1, std::uint8_t,
    std::conditional_t<size == 2, std::uint16_t,
                       std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;

template <class Stored>
Stored decode(const char* bytes, bool big_endian) {
  const auto bits = decode_unsigned<UnsignedOf<sizeof(Stored)>>(bytes, big_endian);
  Stored value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Calls `use` with a value of the type that the format describes.
template <class Use>
void with_type_of(const NumberFormat& format, Use&& use) {
  using Kind = NumberFormat::Kind;
  const auto pick = [&](auto one, auto two, auto four, auto eight) {
    switch (format.size) {
      case 1:
        return use(one);
      case 2:
        return use(two);
      case 4:
        return use(four);
      default:
        return use(eight);
    }
  };
  switch (format.kind) {
    case Kind::boolean:
      return use(std::uint8_t{});
    case Kind::signed_integer:
      return pick(std::int8_t{}, std::int16_t{}, std::int32_t{}, std::int64_t{});
    case Kind::unsigned_integer:
      return pick(std::uint8_t{}, std::uint16_t{}, std::uint32_t{}, std::uint64_t{});
    case Kind::floating_point:
      return format.size == 4 ? use(float{}) : use(double{});
  }
}

/// A stream of bytes with a caller to name in errors. Nothing is allocated for a size that the
/// stream only claims to have.
class BinaryInput {
 public:
  BinaryInput(std::istream& in, std::string caller) : in_(&in), caller_(std::move(caller)) {}

  /// The next n bytes.
  std::string take(std::size_t n) {
    std::string bytes;
    while (bytes.size() < n) {
      const std::size_t before = bytes.size(), part = std::min(step, n - before);
      bytes.resize(before + part);
      if (read_some(&bytes[before], part) < part) fail("the file ends too early");
    }
    return bytes;
  }

  /// Checks that exactly so many numbers follow, before the caller allocates for them.
  void expect_numbers(std::uint64_t n, const NumberFormat& format) {
    const std::uint64_t there = remaining(), wanted = n * format.size;
    if (n > (std::numeric_limits<std::uint64_t>::max)() / format.size || there != wanted)
      fail(text("the header speaks of ", n, " numbers of ", format.size, " bytes, and ", there,
                " bytes follow it"));
  }

  /// Calls `use(i, value)` for the next n numbers, each as the nearest Scalar.
  template <class Scalar, class Use>
  void numbers(std::uint64_t n, const NumberFormat& format, Use&& use) {
    const std::uint64_t at_once = step / format.size;
    std::vector<Scalar> values;
    for (std::uint64_t done = 0; done < n; done += values.size()) {
      values.resize(static_cast<std::size_t>(std::min(at_once, n - done)));
      const std::string bytes = take(values.size() * format.size);
      with_type_of(format, [&](auto zero) { convert<decltype(zero)>(bytes, format, values); });
      for (std::size_t i = 0; i < values.size(); ++i) use(static_cast<Index>(done + i), values[i]);
    }
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw FormatError(text(caller_, ": ", why, " (byte ", offset_, ")"), offset_);
  }

 private:
  static constexpr std::size_t step = std::size_t{1} << 20;

  template <class Stored, class Scalar>
  void convert(const std::string& bytes, const NumberFormat& format,
               std::vector<Scalar>& values) const {
    const char* number = bytes.data();
    for (Scalar& value : values) {
      const auto stored = decode<Stored>(number, format.big_endian);
      value = static_cast<Scalar>(stored);
      if constexpr (std::is_same_v<Stored, double> && std::is_same_v<Scalar, float>)
        if (std::isinf(value) && !std::isinf(stored))
          fail(text("the number ", stored, " is too large for float; read it as double"));
      number += sizeof(Stored);
    }
  }

  std::size_t read_some(char* bytes, std::size_t n) {
    in_->read(bytes, static_cast<std::streamsize>(n));
    const auto got = static_cast<std::size_t>(in_->gcount());
    offset_ += got;
    if (in_->bad()) throw IoError(text(caller_, ": the stream failed while reading"));
    return got;
  }

  /// Bytes up to the end. Where the stream cannot tell (a pipe), they are read to be counted.
  std::uint64_t remaining() {
    const std::istream::pos_type here = in_->tellg();
    if (here != std::istream::pos_type(-1)) {
      in_->seekg(0, std::ios::end);
      const std::istream::pos_type end = in_->tellg();
      in_->seekg(here);
      if (!*in_) throw IoError(text(caller_, ": the stream failed while reading"));
      return end < here ? 0 : static_cast<std::uint64_t>(end - here);
    }
    std::string rest;
    for (std::size_t got = step; got == step;) {
      const std::size_t before = rest.size();
      rest.resize(before + step);
      got = read_some(&rest[before], step);
      rest.resize(before + got);
    }
    offset_ -= rest.size();
    const std::uint64_t n = rest.size();
    rest_.str(std::move(rest));
    in_ = &rest_;
    return n;
  }

  std::istream* in_;
  std::string caller_;
  std::size_t offset_ = 0;
  std::istringstream rest_{};
};

}  // namespace unfurl::detail
