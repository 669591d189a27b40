#pragma once

#include <algorithm>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Solves with the columns of L that Front has made. They are read once, four beside each other,
/// and reading them is what a solve costs.
template <class Real>
class FrontSolve {
 public:
  /// \param columns `width` of them, of `rows` entries, of which the first stands on the diagonal
  /// \param parallel null: on this thread. The bytes are the same.
  FrontSolve(const Real* columns, Index rows, Index width, const Parallel* parallel)
      : columns_(columns), rows_(rows), width_(width), parallel_(parallel) {}

  /// x: first `width` entries of the right side, which become those of the solution, then zeros,
  /// to which their part in the entries below is added.
  void forward(Real* x) const {
    for (Index k = 0; k < width_; k += 4) {
      const Index count = std::min<Index>(4, width_ - k);
      for (Index t = k; t < k + count; ++t)
        for (Index i = t + 1; i < k + count; ++i) x[i] -= at(i, t) * x[t];
      subtract_columns(k, count, x, k + count, width_);
    }
    constexpr Index block = 256;
    for_parts((rows_ - width_ + block - 1) / block, 1, [&](Index part) {
      const Index begin = width_ + part * block, end = std::min(rows_, begin + block);
      for (Index k = 0; k < width_; k += 4)
        subtract_columns(k, std::min<Index>(4, width_ - k), x, begin, end);
    });
  }

  /// x: right side in the first `width` entries, which become the solution; the rest is known.
  void backward(Real* x) const {
    for_parts((width_ + 3) / 4, 8, [&](Index part) {
      subtract_dots(4 * part, std::min<Index>(4, width_ - 4 * part), x, width_, rows_);
    });
    for (Index k = (width_ + 3) / 4 * 4 - 4; k >= 0; k -= 4) {
      const Index count = std::min<Index>(4, width_ - k);
      subtract_dots(k, count, x, k + count, width_);
      for (Index t = k + count - 1; t >= k; --t)
        for (Index i = t + 1; i < k + count; ++i) x[t] -= at(i, t) * x[i];
    }
  }

 private:
  using Packet = typename Eigen::internal::packet_traits<Real>::type;
  static constexpr Index packet = Eigen::internal::packet_traits<Real>::size;

  Real at(Index i, Index k) const { return columns_[i + k * rows_]; }

  template <class Body>
  void for_parts(Index n, Index at_once, Body&& body) const {
    if (parallel_ && rows_ * width_ > 100000)
      parallel_->for_each(n, body, at_once);
    else
      for (Index part = 0; part < n; ++part) body(part);
  }

  /// x(i) -= sum of L(i, t) x(t) over `count` columns t from k on
  void subtract_columns(Index k, Index count, Real* x, Index begin, Index end) const {
    using namespace Eigen::internal;
    Index i = begin;
    if (count == 4) {
      const Real *c0 = columns_ + k * rows_, *c1 = c0 + rows_, *c2 = c1 + rows_, *c3 = c2 + rows_;
      const Packet x0 = pset1<Packet>(-x[k]), x1 = pset1<Packet>(-x[k + 1]);
      const Packet x2 = pset1<Packet>(-x[k + 2]), x3 = pset1<Packet>(-x[k + 3]);
      for (; i + packet <= end; i += packet) {
        Packet sum = pmadd(ploadu<Packet>(c0 + i), x0, ploadu<Packet>(x + i));
        sum = pmadd(ploadu<Packet>(c1 + i), x1, sum);
        sum = pmadd(ploadu<Packet>(c2 + i), x2, sum);
        pstoreu(x + i, pmadd(ploadu<Packet>(c3 + i), x3, sum));
      }
    }
    for (; i < end; ++i)
      for (Index t = k; t < k + count; ++t) x[i] -= at(i, t) * x[t];
  }

  /// x(t) -= sum of L(i, t) x(i) over rows i, for `count` columns t from k on
  void subtract_dots(Index k, Index count, Real* x, Index begin, Index end) const {
    using namespace Eigen::internal;
    Index i = begin;
    if (count == 4 && end - begin >= packet) {
      const Real *c0 = columns_ + k * rows_, *c1 = c0 + rows_, *c2 = c1 + rows_, *c3 = c2 + rows_;
      Packet s0 = pset1<Packet>(Real(0)), s1 = s0, s2 = s0, s3 = s0;
      for (; i + packet <= end; i += packet) {
        const Packet y = load_once<Packet>(x + i);
        s0 = pmadd(ploadu<Packet>(c0 + i), y, s0);
        s1 = pmadd(ploadu<Packet>(c1 + i), y, s1);
        s2 = pmadd(ploadu<Packet>(c2 + i), y, s2);
        s3 = pmadd(ploadu<Packet>(c3 + i), y, s3);
      }
      x[k] -= predux(s0);
      x[k + 1] -= predux(s1);
      x[k + 2] -= predux(s2);
      x[k + 3] -= predux(s3);
    }
    for (Index t = k; t < k + count; ++t) {
      Real sum = 0;
      for (Index r = i; r < end; ++r) sum += at(r, t) * x[r];
      x[t] -= sum;
    }
  }

  const Real* columns_;
  Index rows_, width_;
  const Parallel* parallel_;
};

}  // namespace unfurl::detail
