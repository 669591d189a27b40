#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

namespace fuzz {

using unfurl::Index;
using unfurl::Matrix;

/// Takes bytes for numbers. Most of them give ordinary ones, the highest the nastiest there are;
/// behind the last byte the input is zeros.
class Input {
 public:
  explicit Input(std::string bytes) : bytes_(std::move(bytes)) {}

  unsigned byte() {
    return at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_++]) : (++at_, 0U);
  }
  bool flag() { return byte() % 2 == 1; }

  Index count() {
    constexpr Index nasty[] = {-1,
                               std::numeric_limits<Index>::min(),
                               std::numeric_limits<Index>::max(),
                               Index{1} << 31,
                               1000,
                               0};
    return pick(16, nasty, [](unsigned b) { return static_cast<Index>(b % 16); });
  }

  double real() {
    using Limits = std::numeric_limits<double>;
    constexpr double nasty[] = {Limits::quiet_NaN(),  Limits::infinity(), -1,     0,
                                Limits::denorm_min(), Limits::max(),      1e-300, 1e-3};
    return pick(24, nasty, [](unsigned b) { return b / 16.0; });
  }
  std::optional<double> maybe_real() {
    return flag() ? std::optional<double>(real()) : std::nullopt;
  }

  /// One of the first n values of an enumeration, or the one behind them, which has no name.
  template <class Enum>
  Enum choice(unsigned n) {
    return static_cast<Enum>(byte() % 32 == 31 ? n : byte() % n);
  }

  /// A matrix of numbers k / 16: many coincide. They are scaled, far or tiny perhaps; a wild one
  /// has NaN, infinities and any bits among them. What the bytes do not fill is random.
  template <class Scalar>
  Matrix<Scalar> matrix(Index rows, Index cols) {
    const bool is_wide = sizeof(Scalar) == 8;
    const double scales[] = {1,
                             1,
                             1,
                             is_wide ? 1e-150 : 1e-18,
                             is_wide ? 1e150 : 1e17,
                             1e-30,
                             1e10,
                             is_wide ? 1e-310 : 1e-42};
    const auto scale = static_cast<Scalar>(scales[byte() % 8]);
    const bool wild = byte() % 4 == 3;
    Matrix<Scalar> M(rows, cols);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) M(i, j) = value<Scalar>(wild) * scale;
    return M;
  }

 private:
  template <class Value, std::size_t n, class Ordinary>
  Value pick(unsigned n_nasty, const Value (&nasty)[n], Ordinary&& ordinary) {
    const unsigned b = byte();
    return b < 256 - n_nasty ? ordinary(b) : nasty[(255 - b) % n];
  }

  template <class Scalar>
  Scalar value(bool wild) {
    using Limits = std::numeric_limits<Scalar>;
    constexpr Scalar nasty[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
                                Limits::max(),       Limits::lowest(),   Limits::min(),
                                Limits::denorm_min()};
    if (at_ >= bytes_.size()) {
      const std::uint64_t mixed = (++at_ + 1) * 0x9e3779b97f4a7c15ULL;
      return static_cast<Scalar>((mixed ^ (mixed >> 31)) >> 40) / Scalar(1 << 22) - 2;
    }
    const unsigned b = byte();
    if (wild && b >= 248) return nasty[b - 248 < 7 ? b - 248 : 0];
    if (wild && b == 247) {
      char raw[sizeof(Scalar)];
      for (char& part : raw) part = static_cast<char>(byte());
      Scalar any;
      std::memcpy(&any, raw, sizeof(any));
      return any;
    }
    return static_cast<Scalar>(static_cast<int>(b) - 128) / 16;
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace fuzz
