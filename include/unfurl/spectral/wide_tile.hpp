#pragma once

#include "unfurl/core/types.hpp"
#include "unfurl/core/wide.hpp"

namespace unfurl::detail {

/// The inner loops of TwoSidedTile for AVX2.
template <class Real>
class WideTile;

#ifdef UNFURL_CHOOSES_LANES
template <class Real>
class WideTile {
 public:
  UNFURL_WIDE static void two_by_two(Index rows, const Real* a, Index stride, const Real* x,
                                     const Real* right, Index x_stride, Real* y, Index y_stride,
                                     Real* t0, Real* t1) {
    const Real r00 = right[0], r01 = right[1], r10 = right[x_stride], r11 = right[x_stride + 1];
    Vector s00, s01, s10, s11;
    Lanes::load(t0, s00), Lanes::load(t0 + Lanes::size, s01);
    Lanes::load(t1, s10), Lanes::load(t1 + Lanes::size, s11);
    for (Index i = 0; i < rows; i += Lanes::size) {
      Vector p, q, u, v, y0, y1;
      Lanes::load(a + i, p), Lanes::load(a + stride + i, q);
      Lanes::load(x + i, u), Lanes::load(x + x_stride + i, v);
      s00 += p * u;
      s01 += q * u;
      s10 += p * v;
      s11 += q * v;
      Lanes::load(y + i, y0), Lanes::load(y + y_stride + i, y1);
      y0 += p * r00;
      y1 += p * r10;
      y0 += q * r01;
      y1 += q * r11;
      Lanes::store(y0, y + i), Lanes::store(y1, y + y_stride + i);
    }
    Lanes::store(s00, t0), Lanes::store(s01, t0 + Lanes::size);
    Lanes::store(s10, t1), Lanes::store(s11, t1 + Lanes::size);
  }

  UNFURL_WIDE static void four_by_one(Index rows, const Real* a, Index stride, const Real* x,
                                      const Real* right, Real* y, Real* sums) {
    const Real r0 = right[0], r1 = right[1], r2 = right[2], r3 = right[3];
    Vector s0, s1, s2, s3;
    Lanes::load(sums, s0), Lanes::load(sums + Lanes::size, s1);
    Lanes::load(sums + 2 * Lanes::size, s2), Lanes::load(sums + 3 * Lanes::size, s3);
    for (Index i = 0; i < rows; i += Lanes::size) {
      Vector u, p0, p1, p2, p3, to;
      Lanes::load(x + i, u), Lanes::load(y + i, to);
      Lanes::load(a + i, p0), Lanes::load(a + stride + i, p1);
      Lanes::load(a + 2 * stride + i, p2), Lanes::load(a + 3 * stride + i, p3);
      s0 += p0 * u;
      s1 += p1 * u;
      s2 += p2 * u;
      s3 += p3 * u;
      to += p0 * r0;
      to += p1 * r1;
      to += p2 * r2;
      to += p3 * r3;
      Lanes::store(to, y + i);
    }
    Lanes::store(s0, sums), Lanes::store(s1, sums + Lanes::size);
    Lanes::store(s2, sums + 2 * Lanes::size), Lanes::store(s3, sums + 3 * Lanes::size);
  }

 private:
  using Lanes = Wide<Real>;
  using Vector = typename Lanes::Vector;
};
#endif

}  // namespace unfurl::detail
