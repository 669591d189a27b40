#pragma once

#include <array>
#include <cstddef>

#include "unfurl/core/types.hpp"
#include "unfurl/core/wide.hpp"

namespace unfurl::detail {

/// BarnesHut::meet_in_pairs for AVX2, for as many points as fill a vector.
template <class Real, std::size_t Dim>
class WideRepulsion;

#ifdef UNFURL_CHOOSES_LANES
template <class Real, std::size_t Dim>
class WideRepulsion {
 public:
  static constexpr int lanes = static_cast<int>(Wide<Real>::size);

  /// \param x of the points
  /// \param from where the sources are, `count` of them, an even number
  static void meet(const std::array<const Real*, Dim>& x, const std::array<const Real*, Dim>& from,
                   const Real* weight, std::size_t count, Real* sum,
                   const std::array<Real*, Dim>& force) {
    meet_all(x.data(), from.data(), weight, count, sum, force.data());
  }

 private:
  using Lanes = Wide<Real>;
  using Vector = typename Lanes::Vector;

  UNFURL_WIDE static void meet_all(const Real* const* x, const Real* const* from,
                                   const Real* weight, std::size_t count, Real* sum,
                                   Real* const* force) {
    const Vector one = Vector{} + Real(1), largest = Vector{} + Real(1e18);
    Vector own[Dim], pushes[Dim], weights;
    Lanes::load(sum, weights);
    for (std::size_t c = 0; c < Dim; ++c) {
      Lanes::load(x[c], own[c]);
      Lanes::load(force[c], pushes[c]);
    }
    for (std::size_t at = 0; at < count; at += 2) {
      Vector gap[Dim], gap2[Dim], a = one, b = one;
      for (std::size_t c = 0; c < Dim; ++c) {
        gap[c] = own[c] - from[c][at];
        gap2[c] = own[c] - from[c][at + 1];
        a += gap[c] * gap[c];
        b += gap2[c] * gap2[c];
      }
      a = a < largest ? a : largest;
      b = b < largest ? b : largest;
      const Vector inverse = one / (a * b), w = b * inverse, w2 = a * inverse;
      const Vector u = weight[at] * w, u2 = weight[at + 1] * w2;
      weights += u;
      weights += u2;
      for (std::size_t c = 0; c < Dim; ++c) {
        pushes[c] += (u * w) * gap[c];
        pushes[c] += (u2 * w2) * gap2[c];
      }
    }
    Lanes::store(weights, sum);
    for (std::size_t c = 0; c < Dim; ++c) Lanes::store(pushes[c], force[c]);
  }
};
#endif

}  // namespace unfurl::detail
