#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "unfurl/core/random.hpp"
#include "unfurl/spectral/dense.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/orthonormal.hpp"

namespace unfurl::detail {

/// The k largest eigenpairs of an operator by Rayleigh–Ritz on a space that grows by a block of
/// residuals at a time and is cut back to its best vectors when it is full: block Lanczos with
/// thick restarts (Golub and Underwood 1977; Wu and Simon 2000). A block of b vectors finds
/// eigenvalues of multiplicity up to b, and a space that is exhausted (few distinct eigenvalues,
/// low rank) is filled up with random directions instead of rounding errors, which is where Spectra
/// loses its way. \returns nothing when the residuals have not come below `tolerance` after
/// max_products.
inline std::optional<EigenPairs<double>> block_krylov(const SymmetricOperator& op, Index k,
                                                      double tolerance, Index max_products,
                                                      std::uint64_t seed) {
  const Index n = op.rows(), width = std::min(n, k + 4);
  const Index capacity = std::min(n, std::max<Index>(6 * width, 40));
  Matrix<double> V(n, capacity), AV(n, capacity), T = Matrix<double>::Zero(capacity, capacity);
  Matrix<double> block = Random(seed, 5).normal_matrix<double>(n, width);
  Index size = 0, n_products = 0;
  for (;;) {
    // Grow: the block, orthogonal to what is there.
    const Index before = size;
    size = std::min(capacity, size + block.cols());
    const Index grown = size - before;
    V.middleCols(before, grown) = block.leftCols(grown);
    orthonormalise(V, before, size);
    AV.middleCols(before, grown) = apply(op, V.middleCols(before, grown));
    n_products += grown;
    const Matrix<double> edge = inner_product(V.leftCols(size), AV.middleCols(before, grown));
    T.block(0, before, size, grown) = edge;
    T.block(before, 0, grown, size) = edge.transpose();

    // The best pairs in the space, and what is missing to make them exact.
    const Index kept = std::min(size, 2 * width);
    const EigenPairs<double> ritz =
        solve_densely(T.topLeftCorner(size, size), kept, Which::largest);
    const Matrix<double> vectors = product(V.leftCols(size), ritz.vectors);
    const Matrix<double> images = product(AV.leftCols(size), ritz.vectors);
    const Index tested = std::min(width, kept);
    block =
        images.leftCols(tested) - vectors.leftCols(tested) * ritz.values.head(tested).asDiagonal();
    const double worst = block.leftCols(std::min(k, tested)).colwise().norm().maxCoeff();
    if (kept >= k && (worst <= tolerance || size == n))
      return EigenPairs<double>{ritz.values.head(k), vectors.leftCols(k)};
    if (n_products >= max_products) return std::nullopt;
    if (size + block.cols() > capacity) {
      size = kept;
      V.leftCols(size) = vectors;
      AV.leftCols(size) = images;
      T.topLeftCorner(size, size) = ritz.values.asDiagonal();
    }
  }
}

}  // namespace unfurl::detail
