#pragma once

#include <cstddef>
#include <utility>

#include "unfurl/core/types.hpp"
#include "unfurl/core/wide.hpp"

namespace unfurl::detail {

/// The inner loop of attraction_of for AVX2.
template <class Real, std::size_t Dim>
class WideAttraction;

#if UNFURL_HAS_WIDE_LANES
template <class Real, std::size_t Dim>
class WideAttraction {
 public:
  /// force = Σ_j p_ij w_ij (y_i - y_j) over the first entries, as many as fill vectors.
  /// \returns how many those are
  static int sum(const int* index, const Real* value, int count, const Real* Y, const Real* own,
                 Real nu, Real* force) {
    return sum_of(std::make_index_sequence<static_cast<std::size_t>(Lanes::size)>(), index, value,
                  count, Y, own, nu, force);
  }

 private:
  using Lanes = Wide<Real>;
  using Vector = typename Lanes::Vector;

  /// Coordinates are put together in registers: a vector that is read back from where its numbers
  /// have just been written one by one waits for them (half of the time, measured).
  template <std::size_t... S>
  UNFURL_WIDE static int sum_of(std::index_sequence<S...>, const int* index, const Real* value,
                                int count, const Real* Y, const Real* own, Real nu, Real* force) {
    Vector sums[Dim] = {};
    int e = 0;
    for (; e + static_cast<int>(Lanes::size) <= count; e += static_cast<int>(Lanes::size)) {
      const Real* const from[] = {Y + static_cast<std::size_t>(index[e + static_cast<int>(S)]) *
                                          Dim...};
      Vector gaps[Dim], squared = {}, pull;
      for (std::size_t c = 0; c < Dim; ++c) {
        gaps[c] = own[c] - Vector{from[S][c]...};
        squared += gaps[c] * gaps[c];
      }
      if (nu != 1) squared /= nu;
      Lanes::load(value + e, pull);
      pull /= squared + Real(1);
      for (std::size_t c = 0; c < Dim; ++c) sums[c] += pull * gaps[c];
    }
    for (std::size_t c = 0; c < Dim; ++c) force[c] = Lanes::sum(sums[c]);
    return e;
  }
};
#endif

}  // namespace unfurl::detail
