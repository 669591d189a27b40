#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/core/wide.hpp"
#include "unfurl/spectral/wide_tile.hpp"

namespace unfurl::detail {

/// What neighbouring columns of a symmetric matrix contribute to a product above the diagonal, for
/// both places of each entry, in one go: every number that is loaded is used several times, and the
/// sums stay in registers.
template <class Real>
class TwoSidedTile {
 public:
  /// At least a vector of AVX2, which may run instead of what the program is compiled for.
  static constexpr Index packet_size = std::max(Lanes<Real>::packet_size, 32 / Index{sizeof(Real)});
  static constexpr Index width = 4;  ///< columns

  /// y += A right and sums(c) += left^T a_c, for all columns of X.
  /// \param rows a multiple of packet_size
  /// \param A so many rows of the columns a_c, `stride` apart
  /// \param left the same rows of X, \param right its rows `first` to `first` + 4
  /// \param sums for each column of X four packets, whose entries are to be added up
  static void add(Index rows, const Real* A, Index stride, const Real* left, const Real* right,
                  Index x_stride, Index k, Real* y, Index y_stride, Real* sums) {
    constexpr Index packets = width * packet_size;
    for (; k >= 2; k -= 2) {
      two_by_two(rows, A, stride, left, right, x_stride, y, y_stride, sums);
      two_by_two(rows, A + 2 * stride, stride, left, right + 2, x_stride, y, y_stride,
                 sums + 2 * packet_size);
      left += 2 * x_stride;
      right += 2 * x_stride;
      y += 2 * y_stride;
      sums += 2 * packets;
    }
    if (k == 1) four_by_one(rows, A, stride, left, right, y, sums);
  }

 private:
  using Packet = typename Lanes<Real>::Packet;

  /// Two columns of A with two of X; their sums are packets 0, 1 and 4, 5.
  static void two_by_two(Index rows, const Real* a0, Index stride, const Real* x0,
                         const Real* right, Index x_stride, Real* y0, Index y_stride, Real* sums) {
    using namespace Eigen::internal;
    const Real *a1 = a0 + stride, *x1 = x0 + x_stride;
    Real *y1 = y0 + y_stride, *t0 = sums, *t1 = sums + width * packet_size;
    if constexpr (chooses_lanes)
      if (has_wide_lanes())
        return WideTile<Real>::two_by_two(rows, a0, stride, x0, right, x_stride, y0, y_stride, t0,
                                          t1);
    const Packet r00 = pset1<Packet>(right[0]), r01 = pset1<Packet>(right[1]);
    const Packet r10 = pset1<Packet>(right[x_stride]), r11 = pset1<Packet>(right[x_stride + 1]);
    Packet s00 = ploadu<Packet>(t0), s01 = ploadu<Packet>(t0 + packet_size);
    Packet s10 = ploadu<Packet>(t1), s11 = ploadu<Packet>(t1 + packet_size);
    for (Index i = 0; i < rows; i += Lanes<Real>::packet_size) {
      const Packet p = load_once<Packet>(a0 + i), q = load_once<Packet>(a1 + i);
      const Packet u = load_once<Packet>(x0 + i), v = load_once<Packet>(x1 + i);
      s00 = pmadd(p, u, s00);
      s01 = pmadd(q, u, s01);
      s10 = pmadd(p, v, s10);
      s11 = pmadd(q, v, s11);
      pstoreu(y0 + i, pmadd(q, r01, pmadd(p, r00, ploadu<Packet>(y0 + i))));
      pstoreu(y1 + i, pmadd(q, r11, pmadd(p, r10, ploadu<Packet>(y1 + i))));
    }
    pstoreu(t0, s00);
    pstoreu(t0 + packet_size, s01);
    pstoreu(t1, s10);
    pstoreu(t1 + packet_size, s11);
  }

  /// Four columns of A with one of X.
  static void four_by_one(Index rows, const Real* a0, Index stride, const Real* x,
                          const Real* right, Real* y, Real* sums) {
    using namespace Eigen::internal;
    if constexpr (chooses_lanes)
      if (has_wide_lanes()) return WideTile<Real>::four_by_one(rows, a0, stride, x, right, y, sums);
    const Real *a1 = a0 + stride, *a2 = a1 + stride, *a3 = a2 + stride;
    const Packet r0 = pset1<Packet>(right[0]), r1 = pset1<Packet>(right[1]);
    const Packet r2 = pset1<Packet>(right[2]), r3 = pset1<Packet>(right[3]);
    Packet s0 = ploadu<Packet>(sums), s1 = ploadu<Packet>(sums + packet_size);
    Packet s2 = ploadu<Packet>(sums + 2 * packet_size);
    Packet s3 = ploadu<Packet>(sums + 3 * packet_size);
    for (Index i = 0; i < rows; i += Lanes<Real>::packet_size) {
      const Packet u = load_once<Packet>(x + i);
      const Packet p0 = load_once<Packet>(a0 + i), p1 = load_once<Packet>(a1 + i);
      const Packet p2 = load_once<Packet>(a2 + i), p3 = load_once<Packet>(a3 + i);
      s0 = pmadd(p0, u, s0);
      s1 = pmadd(p1, u, s1);
      s2 = pmadd(p2, u, s2);
      s3 = pmadd(p3, u, s3);
      const Packet t = pmadd(p1, r1, pmadd(p0, r0, ploadu<Packet>(y + i)));
      pstoreu(y + i, pmadd(p3, r3, pmadd(p2, r2, t)));
    }
    pstoreu(sums, s0);
    pstoreu(sums + packet_size, s1);
    pstoreu(sums + 2 * packet_size, s2);
    pstoreu(sums + 3 * packet_size, s3);
  }
};

/// To be called by a `fetch` of symmetric_product that reads a stored matrix of n columns: lets the
/// memory bring the same rows of the column that is asked for four calls later.
template <class Stored>
void prefetch_next_tile(const Stored* from, Index stride, Index column, Index n, Index rows) {
  constexpr Index width = TwoSidedTile<double>::width;
  constexpr Index line = 64 / static_cast<Index>(sizeof(Stored));
  if (column + width >= n) return;
  for (Index i = 0; i < rows; i += line) prefetch(from + width * stride + i);
}

/// Y = A X for a symmetric n x n matrix A, of which only entries on and above the diagonal are
/// read, each once for all columns of X and for both its places: half the memory traffic of a plain
/// product. `fetch(top, rows, column, to)` writes so many entries of a column from `top` on;
/// a column is asked for by one thread.
///
/// A is cut into about 32 strips of columns. Each makes what it contributes to its own rows and to
/// those above in a buffer; these are added up in order, so the bytes do not depend on the number
/// of threads.
template <class Real, class Fetch>
void symmetric_product(Index n, const Real* x, Index k, Real* y, const Parallel& parallel,
                       Fetch&& fetch) {
  using Tile = TwoSidedTile<Real>;
  constexpr Index width = Tile::width, packet = Tile::packet_size;
  constexpr Index height = 256;  // a tile and its rows of X and Y stay in the cache
  constexpr Index stride = height + 64 / static_cast<Index>(sizeof(Real));  // no power of two
  const auto padded = [](Index rows) { return (rows + packet - 1) / packet * packet; };
  const Index n_padded = padded(n) + width;
  Matrix<Real> X(n_padded, k);
  for (Index c = 0; c < k; ++c) {
    std::copy_n(x + c * n, n, X.data() + c * n_padded);
    std::fill_n(X.data() + c * n_padded + n, n_padded - n, Real(0));
  }
  const Index strip = std::max<Index>(32, (n / 32 + width - 1) / width * width);
  std::vector<Matrix<Real>> parts(static_cast<std::size_t>((n + strip - 1) / strip));
  parallel.for_blocks(n, strip, [&](const Parallel::Block& columns) {
    Matrix<Real>& part = parts[static_cast<std::size_t>(columns.number)];
    part.setZero(padded(columns.end), k);
    const Index n_tiles = (columns.size() + width - 1) / width;
    Matrix<Real> panel = Matrix<Real>::Zero(stride, width);
    Matrix<Real> sums = Matrix<Real>::Zero(width * packet, n_tiles * k);
    for (Index top = 0; top < columns.end; top += height)
      for (Index t = std::max<Index>(0, (top - columns.begin) / width); t < n_tiles; ++t) {
        // Above the square that the tile has on the diagonal.
        const Index first = columns.begin + t * width, count = std::min(width, columns.end - first);
        const Index rows = std::min(height, first - top), high = padded(rows);
        if (rows <= 0) continue;
        for (Index c = 0; c < width; ++c) {
          Real* const to = panel.data() + c * stride;
          if (c < count) fetch(top, rows, first + c, to);
          std::fill(to + (c < count ? rows : 0), to + high, Real(0));
        }
        Tile::add(high, panel.data(), stride, X.data() + top, X.data() + first, n_padded, k,
                  part.data() + top, part.rows(), sums.data() + t * k * sums.rows());
      }
    for (Index t = 0; t < n_tiles; ++t) {
      const Index first = columns.begin + t * width;
      for (Index c = 0; c < std::min(width, columns.end - first); ++c) {
        Real corner[static_cast<std::size_t>(width)];
        fetch(first, c + 1, first + c, corner);
        for (Index j = 0; j < k; ++j) {
          const Real* const in = X.data() + j * n_padded + first;
          Real* const out = part.data() + j * part.rows() + first;
          const Real* const lanes = sums.data() + (t * k + j) * sums.rows() + c * packet;
          Real sum = corner[c] * in[c];
          for (Index i = 0; i < packet; ++i) sum += lanes[i];
          for (Index i = 0; i < c; ++i) {
            sum += corner[i] * in[i];
            out[i] += corner[i] * in[c];
          }
          out[c] += sum;
        }
      }
    }
  });
  parallel.for_blocks(n, strip, [&](const Parallel::Block& rows) {
    for (Index j = 0; j < k; ++j) {
      Real* const to = y + j * n + rows.begin;
      std::fill_n(to, rows.size(), Real(0));
      for (std::size_t s = static_cast<std::size_t>(rows.number); s < parts.size(); ++s)
        add_multiple(rows.size(), Real(1), parts[s].data() + j * parts[s].rows() + rows.begin, to);
    }
  });
}

}  // namespace unfurl::detail
