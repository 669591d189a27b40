#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Dense L D L^T of the first columns of a symmetric matrix, whose part on and below the diagonal
/// is stored by columns; what is above the diagonal is neither read nor kept. L overwrites the
/// columns (without its unit diagonal), D goes apart. No pivoting.
template <class Real>
class Front {
 public:
  /// \param parallel null: on this thread. The bytes are the same.
  explicit Front(const Parallel* parallel) : parallel_(parallel) {}

  /// Factorises `width` columns of `rows` entries, of which the first stands on the diagonal.
  /// \returns false at a pivot that is 0 or not finite.
  bool factorize(Real* columns, Index stride, Index rows, Index width, Real* pivots) {
    switch (width) {
      case 1:
        return factorize_few<1>(columns, stride, rows, pivots);
      case 2:
        return factorize_few<2>(columns, stride, rows, pivots);
      case 3:
        return factorize_few<3>(columns, stride, rows, pivots);
      case 4:
        return factorize_few<4>(columns, stride, rows, pivots);
      default:
        break;
    }
    const Index left = (width + 7) / 8 * 4, right = width - left;
    Real* const corner = columns + left * (stride + 1);
    if (!factorize(columns, stride, rows, left, pivots)) return false;
    subtract(columns + left, stride, left, pivots, rows - left, right, corner, stride, false);
    return factorize(corner, stride, rows - left, right, pivots + left);
  }

  /// C -= L D L^T on and below the diagonal of C, for its first `cols` columns; C = -L D L^T with
  /// `afresh`.
  void subtract(const Real* L, Index stride, Index depth, const Real* pivots, Index rows,
                Index cols, Real* C, Index c_stride, bool afresh) {
    for (Index from = 0; from < depth; from += most_depth) {
      const Index count = std::min(most_depth, depth - from);
      pack_columns(L + from * stride, stride, count, pivots + from, cols);
      const auto strips = [&](Index first, Index last) {
        alignas(64) Real packed[static_cast<std::size_t>(strip_rows * most_depth)];
        for (Index strip = first; strip < last; ++strip) {
          const Index top = strip * strip_rows;
          pack_rows(L + top + from * stride, stride, count, std::min(strip_rows, rows - top),
                    packed);
          add_strip(packed, count, rows, cols, top, C, c_stride, afresh && from == 0);
        }
      };
      const Index n_strips = (rows + strip_rows - 1) / strip_rows;
      if (parallel_ && rows * cols * count > worth_sharing)
        parallel_->for_blocks(n_strips, 4,
                              [&](const Parallel::Block& b) { strips(b.begin, b.end); });
      else
        strips(0, n_strips);
    }
  }

 private:
  using Packet = typename Eigen::internal::packet_traits<Real>::type;
  static constexpr Index packet = Eigen::internal::packet_traits<Real>::size;
  static constexpr Index strip_rows = 3 * packet;  // with four columns: twelve sums in registers
  static constexpr Index most_depth = 256;         // so that a strip stays in the first cache
  static constexpr Index worth_sharing = 1000000;

  /// Three packets of one column.
  struct Strip {
    Packet a, b, c;
    static Strip zero() {
      const Packet p = Eigen::internal::pset1<Packet>(Real(0));
      return {p, p, p};
    }
    static Strip load(const Real* x) {
      return {load_once<Packet>(x), load_once<Packet>(x + packet),
              load_once<Packet>(x + 2 * packet)};
    }
    void add(const Strip& x, Real factor) {
      using Eigen::internal::pmadd;
      const Packet f = Eigen::internal::pset1<Packet>(factor);
      a = pmadd(x.a, f, a);
      b = pmadd(x.b, f, b);
      c = pmadd(x.c, f, c);
    }
    void store(Real* x) const {
      using Eigen::internal::pstoreu;
      pstoreu(x, a);
      pstoreu(x + packet, b);
      pstoreu(x + 2 * packet, c);
    }
  };

  /// The rows of L that meet L as columns, times -D, four beside each other.
  void pack_columns(const Real* L, Index stride, Index depth, const Real* pivots, Index cols) {
    const Index n_groups = (cols + 3) / 4;
    if (static_cast<Index>(columns_.size()) < 4 * n_groups * depth)
      columns_.resize(static_cast<std::size_t>(4 * n_groups * depth));
    for (Index group = 0; group < n_groups; ++group) {
      Real* to = columns_.data() + 4 * group * depth;
      const Real* from = L + 4 * group;
      const Index count = std::min<Index>(4, cols - 4 * group);
      for (Index k = 0; k < depth; ++k, to += 4, from += stride)
        for (Index t = 0; t < 4; ++t) to[t] = t < count ? -pivots[k] * from[t] : Real(0);
    }
  }

  static void pack_rows(const Real* L, Index stride, Index depth, Index count, Real* to) {
    if (count == strip_rows) {
      for (Index k = 0; k < depth; ++k) Strip::load(L + k * stride).store(to + k * strip_rows);
      return;
    }
    for (Index k = 0; k < depth; ++k, L += stride, to += strip_rows)
      for (Index t = 0; t < strip_rows; ++t) to[t] = t < count ? L[t] : Real(0);
  }

  void add_strip(const Real* packed, Index depth, Index rows, Index cols, Index top, Real* C,
                 Index stride, bool afresh) const {
    const Index end = std::min(cols, top + strip_rows), high = std::min(strip_rows, rows - top);
    for (Index j = 0; j < end; j += 4) {
      const Real* const group = columns_.data() + j * depth;
      Real* const c = C + top + j * stride;
      if (high == strip_rows && j + 4 <= cols) {
        add_tile(depth, packed, group, c, stride, afresh);
        continue;
      }
      Real edge[static_cast<std::size_t>(4 * strip_rows)];
      add_tile(depth, packed, group, edge, strip_rows, true);
      for (Index t = 0; t < std::min<Index>(4, cols - j); ++t)
        for (Index i = 0; i < high; ++i)
          c[i + t * stride] = (afresh ? Real(0) : c[i + t * stride]) + edge[i + t * strip_rows];
    }
  }

  static void add_tile(Index depth, const Real* x, const Real* y, Real* c, Index stride,
                       bool afresh) {
    Strip s0 = Strip::zero(), s1 = s0, s2 = s0, s3 = s0;
    if (!afresh) {
      s0 = Strip::load(c);
      s1 = Strip::load(c + stride);
      s2 = Strip::load(c + 2 * stride);
      s3 = Strip::load(c + 3 * stride);
    }
    for (Index k = 0; k < depth; ++k, x += strip_rows, y += 4) {
      const Strip column = Strip::load(x);
      s0.add(column, y[0]);
      s1.add(column, y[1]);
      s2.add(column, y[2]);
      s3.add(column, y[3]);
    }
    s0.store(c);
    s1.store(c + stride);
    s2.store(c + 2 * stride);
    s3.store(c + 3 * stride);
  }

  /// Up to four columns at once: they are read and written once.
  template <int Width>
  static bool factorize_few(Real* columns, Index stride, Index rows, Real* pivots) {
    using namespace Eigen::internal;
    Real L[4][4] = {}, reciprocal[4] = {};
    Real* column[4] = {};
    for (int k = 0; k < Width; ++k) column[k] = columns + k * stride;
    for (int i = 0; i < Width; ++i) {
      Real x[4] = {};  // row i of L D
      for (int k = 0; k <= i; ++k) {
        x[k] = column[k][i];
        for (int t = 0; t < k; ++t) x[k] -= x[t] * L[k][t];
        if (k < i) L[i][k] = column[k][i] = x[k] * reciprocal[k];
      }
      // Written so that NaN fails.
      if (!(std::abs(x[i]) >= std::numeric_limits<Real>::min() && std::isfinite(x[i])))
        return false;
      pivots[i] = x[i];
      reciprocal[i] = 1 / x[i];
    }
    Index i = Width;
    for (; i + packet <= rows; i += packet) {
      const Packet x0 = ploadu<Packet>(column[0] + i);
      pstoreu(column[0] + i, pmul(x0, pset1<Packet>(reciprocal[0])));
      if constexpr (Width > 1) {
        const Packet x1 = pmadd(pset1<Packet>(-L[1][0]), x0, ploadu<Packet>(column[1] + i));
        pstoreu(column[1] + i, pmul(x1, pset1<Packet>(reciprocal[1])));
        if constexpr (Width > 2) {
          Packet x2 = pmadd(pset1<Packet>(-L[2][0]), x0, ploadu<Packet>(column[2] + i));
          x2 = pmadd(pset1<Packet>(-L[2][1]), x1, x2);
          pstoreu(column[2] + i, pmul(x2, pset1<Packet>(reciprocal[2])));
          if constexpr (Width > 3) {
            Packet x3 = pmadd(pset1<Packet>(-L[3][0]), x0, ploadu<Packet>(column[3] + i));
            x3 = pmadd(pset1<Packet>(-L[3][1]), x1, x3);
            x3 = pmadd(pset1<Packet>(-L[3][2]), x2, x3);
            pstoreu(column[3] + i, pmul(x3, pset1<Packet>(reciprocal[3])));
          }
        }
      }
    }
    for (; i < rows; ++i) {
      Real x[4] = {};
      for (int k = 0; k < Width; ++k) {
        x[k] = column[k][i];
        for (int t = 0; t < k; ++t) x[k] -= x[t] * L[k][t];
        column[k][i] = x[k] * reciprocal[k];
      }
    }
    return true;
  }

  const Parallel* parallel_;
  std::vector<Real, Eigen::aligned_allocator<Real>> columns_;
};

}  // namespace unfurl::detail
