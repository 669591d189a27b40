#pragma once

#include <algorithm>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/products.hpp"

namespace unfurl::detail {

/// Y = A X for a symmetric n x n matrix A, of which only entries on and above the diagonal are
/// read, each once for all columns of X and for both its places: half the memory traffic of a plain
/// product, which is what bounds it. `fetch(top, rows, column, to)` writes so many entries of a
/// column from `top` on.
///
/// A is cut into about 32 strips of columns. Each makes the part of Y in its own rows, and in a
/// buffer what it contributes to the rows above; these are added up in order, so the bytes do not
/// depend on the number of threads.
template <class Real, class Fetch>
void symmetric_product(Index n, const Real* x, Index k, Real* y, const Parallel& parallel,
                       Fetch&& fetch) {
  constexpr Index width = 8, height = 256;  // a panel that stays in the cache while it is used
  using Block = Eigen::Map<const Matrix<Real>, 0, Eigen::OuterStride<>>;
  const auto rows_of_x = [&](Index top, Index rows) {
    return Block(x + top, rows, k, Eigen::OuterStride<>(n));
  };
  const Index strip = std::max(width, (n / 32 + width - 1) / width * width);
  std::vector<Matrix<Real>> above(static_cast<std::size_t>((n + strip - 1) / strip));
  parallel.for_blocks(n, strip, [&](const Parallel::Block& columns) {
    Matrix<Real>& up = above[static_cast<std::size_t>(columns.number)];
    up.setZero(columns.begin, k);
    Matrix<Real> panel(height, width), own = Matrix<Real>::Zero(strip, k);
    // A full panel above the diagonal, for both its places.
    for (Index top = 0; top < columns.begin; top += height) {
      const Index rows = std::min(height, columns.begin - top);
      for (Index first = columns.begin; first < columns.end; first += width) {
        const Index count = std::min(width, columns.end - first);
        for (Index c = 0; c < count; ++c) fetch(top, rows, first + c, panel.data() + c * height);
        const auto tile = panel.topLeftCorner(rows, count);
        InnerProducts<Real>::add(tile, rows_of_x(top, rows),
                                 own.middleRows(first - columns.begin, count));
        RowStrips<Real>::add(tile, rows_of_x(first, count), up.middleRows(top, rows));
      }
    }
    // The square on the diagonal, whole.
    for (Index c = columns.begin; c < columns.end; ++c)
      for (Index top = columns.begin; top < columns.end; top += height) {
        const Index rows = std::min(height, columns.end - top);
        fetch(top, rows, c, panel.data());
        InnerProducts<Real>::add(panel.topLeftCorner(rows, 1), rows_of_x(top, rows),
                                 own.middleRows(c - columns.begin, 1));
      }
    for (Index j = 0; j < k; ++j)
      std::copy_n(own.data() + j * strip, columns.size(), y + j * n + columns.begin);
  });
  parallel.for_blocks(n, strip, [&](const Parallel::Block& rows) {
    for (std::size_t s = static_cast<std::size_t>(rows.number) + 1; s < above.size(); ++s)
      for (Index j = 0; j < k; ++j)
        add_multiple(rows.size(), Real(1), above[s].data() + j * above[s].rows() + rows.begin,
                     y + j * n + rows.begin);
  });
}

}  // namespace unfurl::detail
