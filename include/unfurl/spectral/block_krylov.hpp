#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "unfurl/core/random.hpp"
#include "unfurl/spectral/columns.hpp"
#include "unfurl/spectral/dense.hpp"
#include "unfurl/spectral/lanes.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/orthonormal.hpp"

namespace unfurl::detail {

/// The columns A x_j - lambda_j x_j, given A x_j.
template <class Real>
Matrix<Real> residuals(const Matrix<Real>& images, const Matrix<Real>& vectors,
                       const Vector<Real>& values, Index count) {
  Matrix<Real> result(images.rows(), count);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < images.rows(); ++i)
      result(i, j) = images(i, j) - values(j) * vectors(i, j);
  return result;
}

/// The k largest eigenpairs of an operator by Rayleigh–Ritz on a space that grows by a block of
/// residuals at a time and is cut back to its best vectors when it is full: block Lanczos with
/// thick restarts (Golub and Underwood 1977; Wu and Simon 2000). A block of b vectors finds
/// eigenvalues of multiplicity up to b, and a space that is exhausted (few distinct eigenvalues,
/// low rank) is filled up with random directions instead of rounding errors, which is where Spectra
/// loses its way.
/// \param ceiling the search ends at a residual of 2e-4, which makes an eigenvalue good to about
///   its square, once the largest is seen to lie below: Ritz value and residual together do
/// \returns nothing when the residuals have not come below `tolerance` after max_products.
template <class Real = double>
std::optional<EigenPairs<Real>> block_krylov(
    const SymmetricOperator& op, Index k, double tolerance, Index max_products, std::uint64_t seed,
    double ceiling = -std::numeric_limits<double>::infinity()) {
  const Index n = op.rows(), width = std::min(n, k + 4);
  const Index capacity = std::min(n, std::max<Index>(12 * width, 120));
  Matrix<Real> V(n, capacity), AV(n, capacity), T = Matrix<Real>::Zero(capacity, capacity);
  Matrix<Real> block = Random(seed, 5).normal_matrix<Real>(n, width);
  Index size = 0, n_products = 0;
  for (;;) {
    // Grow: the block, orthogonal to what is there.
    const Index before = size;
    size = std::min(capacity, size + block.cols());
    const Index grown = size - before;
    set_columns(V, before, block, grown);
    orthonormalise<Real>(V, before, size);
    block = apply<Real>(op, columns(V, before, grown));
    set_columns(AV, before, block, grown);
    n_products += grown;
    const Matrix<Real> edge = inner_product<Real>(V.leftCols(size), block);
    for (Index j = 0; j < grown; ++j)
      for (Index i = 0; i < size; ++i) T(i, before + j) = T(before + j, i) = edge(i, j);

    // The best pairs in the space, and what is missing to make them exact.
    const Index kept = std::min(size, 2 * width);
    EigenPairs<Real> ritz = solve_densely<Real>(T.topLeftCorner(size, size), kept, Which::largest);
    const Matrix<Real> best = columns(ritz.vectors, 0, std::min(width, kept));
    const Matrix<Real> vectors = product<Real>(V.leftCols(size), best);
    block = residuals(product<Real>(AV.leftCols(size), best), vectors, ritz.values, best.cols());
    Real worst = 0;
    for (Index j = 0; j < std::min(k, block.cols()); ++j)
      worst = std::max(worst, norm(n, block.data() + n * j));
    const bool below = worst < 2e-4 * std::abs(ritz.values(0)) && ritz.values(0) + worst < ceiling;
    if (kept >= k && (worst <= tolerance || size == n || below)) {
      ritz.values.conservativeResize(k);
      return EigenPairs<Real>{ritz.values, columns(vectors, 0, k)};
    }
    if (n_products >= max_products) return std::nullopt;
    if (size + block.cols() > capacity) {
      set_columns(V, 0, product<Real>(V.leftCols(size), ritz.vectors), kept);
      set_columns(AV, 0, product<Real>(AV.leftCols(size), ritz.vectors), kept);
      size = kept;
      T.setZero();
      for (Index j = 0; j < kept; ++j) T(j, j) = ritz.values(j);
    }
  }
}

}  // namespace unfurl::detail
