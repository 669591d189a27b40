#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/spectral/dense.hpp"
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

/// The sizes of the space in which block Lanczos looks for k pairs, in vectors.
struct KrylovSpace {
  Index width;     ///< of a block
  Index capacity;  ///< of the space
  Index kept;      ///< at a restart

  /// \param single grown from one vector
  KrylovSpace(Index n, Index k, bool single = false)
      : width(single ? 1 : std::min(n, std::min<Index>(k, 12) + 4)),
        capacity(std::min(n, single ? 2 * k + 20 : std::max({12 * width, 4 * k, Index{120}}))),
        kept(single ? std::min(n, k + 6) : std::max(2 * width, k + width)) {}
};

/// The k largest eigenpairs of an operator by Rayleigh–Ritz on a space that grows by a block at
/// a time and is cut back to its best vectors when it is full: block Lanczos with
/// thick restarts (Golub and Underwood 1977; Wu and Simon 2000). A block of b vectors finds
/// eigenvalues of multiplicity up to b, and a space that is exhausted (few distinct eigenvalues,
/// low rank) is filled up with random directions instead of rounding errors, which is where Spectra
/// loses its way.
/// \param tolerance of the residuals, relative to the largest eigenvalue where that is above 1
/// \param ceiling the search ends at a residual of 2e-4, which makes an eigenvalue good to about
///   its square, once the largest is seen to lie below: Ritz value and residual together do
/// \returns nothing when the residuals have not come below `tolerance` after max_products.
template <class Real = double>
std::optional<EigenPairs<Real>> block_krylov(
    const SymmetricOperator& op, Index k, double tolerance, Index max_products, std::uint64_t seed,
    const KrylovSpace& space, double ceiling = -std::numeric_limits<double>::infinity()) {
  const Index n = op.rows();
  const auto [width, capacity, most_kept] = space;
  Matrix<Real> V(n, capacity), AV(n, capacity), T = Matrix<Real>::Zero(capacity, capacity);
  Matrix<Real> block = Random(seed, 5).normal_matrix<Real>(n, width);
  Index size = 0, n_products = 0, next_look = k;
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
    // The images span what the residuals would; to look for pairs costs more than to grow once the
    // space is large.
    if (size < next_look && size + grown <= capacity) continue;
    next_look = size + size / 8;

    // The best pairs in the space, and what is missing to make them exact.
    const Index kept = std::min(size, most_kept);
    EigenPairs<Real> ritz = solve_densely<Real>(T.topLeftCorner(size, size), kept, Which::largest);
    const Index found = std::min(k, kept);
    const double enough = tolerance * std::max(1.0, std::abs(ritz.values(0)));
    const double below_ceiling = std::isfinite(ceiling) ? 2e-4 * std::abs(ritz.values(0)) : 0;
    // Images of all but the last block lie in the space, so residuals are what these have outside.
    // (Squares of numbers below 1e-8 of the images are lost to rounding: it only foresees.)
    Matrix<Real> outside = inner_product<Real>(block, block);
    add_multiple(outside.size(), Real(-1), inner_product<Real>(edge, edge).data(), outside.data());
    Real foreseen = 0;
    for (Index j = 0; j < found; ++j) {
      const Real* last = ritz.vectors.data() + size * (j + 1) - grown;
      Real square = 0;
      for (Index i = 0; i < grown; ++i)
        square += last[i] * dot(grown, outside.data() + grown * i, last);
      foreseen = std::max(foreseen, square);
    }
    const double close = 10 * std::max(enough, below_ceiling);
    if (foreseen > close * close && size + grown <= capacity && n_products < max_products) continue;
    const auto combined = [&](const Matrix<Real>& basis, Index first, Index count) {
      return product<Real>(basis.leftCols(size), columns(ritz.vectors, first, count));
    };
    const Matrix<Real> vectors = combined(V, 0, found);
    const Matrix<Real> missing = residuals(combined(AV, 0, found), vectors, ritz.values, found);
    Real worst = 0;
    for (Index j = 0; j < found; ++j) worst = std::max(worst, norm(n, missing.data() + n * j));
    const bool below = worst < below_ceiling && ritz.values(0) + worst < ceiling;
    if (found == k && (worst <= enough || size == n || below)) {
      ritz.values.conservativeResize(k);
      return EigenPairs<Real>{ritz.values, vectors};
    }
    if (n_products >= max_products) return std::nullopt;
    if (size + grown > capacity) {
      const Matrix<Real> best = combined(V, 0, kept), images = combined(AV, 0, kept);
      set_columns(V, 0, best, kept);
      set_columns(AV, 0, images, kept);
      size = kept;
      T.setZero();
      for (Index j = 0; j < kept; ++j) T(j, j) = ritz.values(j);
      // All residuals span the same few directions; those of the last pairs are farthest from 0.
      block = residuals(columns(images, kept - width, width), columns(best, kept - width, width),
                        Vector<Real>(ritz.values.tail(width)), width);
      next_look = 0;
    }
  }
}

}  // namespace unfurl::detail
