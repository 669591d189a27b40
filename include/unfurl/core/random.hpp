#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl {

/// Seeded random numbers that are the same on every platform: the engine is xoshiro256++ (Blackman
/// and Vigna 2019) and the distributions are our own, because the standard ones differ between
/// standard libraries. `stream` gives independent sequences for one seed.
class Random {
 public:
  /// Any seed is as good as any other, 0 and neighbouring ones included.
  explicit Random(std::uint64_t seed = 0, std::uint64_t stream = 0) {
    // splitmix64 spreads nearby seeds over the whole state, which must not be all zero.
    std::uint64_t z = seed + 0x632be59bd9b4e019ULL * (stream + 1);
    for (auto& word : state_) {
      z += 0x9e3779b97f4a7c15ULL;
      std::uint64_t x = z;
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
      x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
      word = x ^ (x >> 31);
    }
  }

  /// 64 random bits.
  std::uint64_t next() {
    const std::uint64_t result = rotate_left(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate_left(state_[3], 45);
    return result;
  }

  /// Uniform on [0, 1): a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Uniform on [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform on {0, …, n - 1}, without the bias of a plain remainder.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t reject_from = ~std::uint64_t{0} - (~std::uint64_t{0} % n);
    std::uint64_t x = next();
    while (x >= reject_from) x = next();
    return x % n;
  }

  /// Standard normal by the ratio of uniforms (Kinderman and Monahan 1977). The value returned is a
  /// quotient of uniforms; the logarithm only decides acceptance, so platforms whose logarithms
  /// differ in the last bit still draw the same numbers.
  double normal() {
    for (;;) {
      const double u = 1.0 - uniform();                             // (0, 1]
      const double x = 1.7155277699214135 * (uniform() - 0.5) / u;  // sqrt(8 / e)
      if (x * x <= -4.0 * std::log(u)) return x;
    }
  }

  /// Standard normal entries, drawn column by column.
  template <class Scalar>
  Matrix<Scalar> normal_matrix(Index rows, Index cols) {
    Matrix<Scalar> M(rows, cols);
    for (Index j = 0; j < cols; ++j)
      for (Index i = 0; i < rows; ++i) M(i, j) = static_cast<Scalar>(normal());
    return M;
  }

  /// k different numbers out of {0, …, n - 1}, in random order (the start of a Fisher–Yates
  /// shuffle).
  std::vector<Index> sample(Index n, Index k) {
    std::vector<Index> items(static_cast<std::size_t>(n));
    std::iota(items.begin(), items.end(), Index{0});
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i)
      std::swap(items[i], items[i + static_cast<std::size_t>(below(items.size() - i))]);
    items.resize(static_cast<std::size_t>(k));
    return items;
  }

 private:
  static std::uint64_t rotate_left(std::uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
  }

  std::uint64_t state_[4];
};

}  // namespace unfurl
