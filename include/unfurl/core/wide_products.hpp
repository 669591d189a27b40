#pragma once

#include <cstddef>
#include <utility>

#include "unfurl/core/types.hpp"
#include "unfurl/core/wide.hpp"

namespace unfurl::detail {

/// The inner loops of InnerProducts and RowStrips for AVX2.
template <class Real>
class WideProducts;

#ifdef UNFURL_CHOOSES_LANES
template <class Real>
class WideProducts {
 public:
  /// sums(i + n t) = a_i^T b_t of n columns a_i and four columns b_t, as far as vectors go.
  /// \returns how many rows that is
  template <std::size_t... I>
  UNFURL_WIDE static Index dots(std::index_sequence<I...>, Index depth, const Real* a,
                                Index a_stride, const Real* b, Index b_stride, Real* sums) {
    constexpr std::size_t n = sizeof...(I);
    Vector s0[n] = {}, s1[n] = {}, s2[n] = {}, s3[n] = {};
    Index row = 0;
    for (; row + Lanes::size <= depth; row += Lanes::size) {
      Vector x[n], y;
      (Lanes::load(a + row + nth(I, a_stride), x[I]), ...);
      Lanes::load(b + row, y);
      ((s0[I] += x[I] * y), ...);
      Lanes::load(b + row + b_stride, y);
      ((s1[I] += x[I] * y), ...);
      Lanes::load(b + row + 2 * b_stride, y);
      ((s2[I] += x[I] * y), ...);
      Lanes::load(b + row + 3 * b_stride, y);
      ((s3[I] += x[I] * y), ...);
    }
    ((sums[I] = Lanes::sum(s0[I]), sums[n + I] = Lanes::sum(s1[I]),
      sums[2 * n + I] = Lanes::sum(s2[I]), sums[3 * n + I] = Lanes::sum(s3[I])),
     ...);
    return row;
  }

  static constexpr Index rows = 2 * Wide<Real>::size;  ///< of a strip

  /// So many rows of a few columns of C = A B, or C += A B.
  template <std::size_t... J>
  UNFURL_WIDE static void columns(std::index_sequence<J...>, Index depth, const Real* a,
                                  Index a_stride, const Real* b, Index b_stride, Real* c,
                                  Index c_stride, bool first) {
    constexpr std::size_t n = sizeof...(J);
    Vector above[n] = {}, below[n] = {};
    if (!first)
      ((Lanes::load(c + nth(J, c_stride), above[J]),
        Lanes::load(c + nth(J, c_stride) + Lanes::size, below[J])),
       ...);
    for (Index k = 0; k < depth; ++k) {
      Vector x, y;
      Lanes::load(a + k * a_stride, x);
      Lanes::load(a + k * a_stride + Lanes::size, y);
      ((above[J] += x * b[k + nth(J, b_stride)], below[J] += y * b[k + nth(J, b_stride)]), ...);
    }
    ((Lanes::store(above[J], c + nth(J, c_stride)),
      Lanes::store(below[J], c + nth(J, c_stride) + Lanes::size)),
     ...);
  }

 private:
  using Lanes = Wide<Real>;
  using Vector = typename Lanes::Vector;

  static Index nth(std::size_t j, Index stride) { return static_cast<Index>(j) * stride; }
};
#endif

}  // namespace unfurl::detail
