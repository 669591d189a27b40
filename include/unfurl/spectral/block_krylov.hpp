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
    V.middleCols(before, size - before) = block.leftCols(size - before);
    orthonormalise(V, before, size);
    AV.middleCols(before, size - before) = apply(op, V.middleCols(before, size - before));
    n_products += size - before;
    T.block(0, before, size, size - before).noalias() =
        V.leftCols(size).transpose() * AV.middleCols(before, size - before);
    T.block(before, 0, size - before, size) =
        T.block(0, before, size, size - before).transpose().eval();

    // The best pairs in the space, and what is missing to make them exact.
    const Index kept = std::min(size, 2 * width);
    const EigenPairs<double> ritz =
        solve_densely(T.topLeftCorner(size, size), kept, Which::largest);
    const Matrix<double> vectors = V.leftCols(size) * ritz.vectors;
    const Matrix<double> images = AV.leftCols(size) * ritz.vectors;
    const Index tested = std::min(width, kept);
    block =
        images.leftCols(tested) - vectors.leftCols(tested) * ritz.values.head(tested).asDiagonal();
    const bool converged =
        block.leftCols(std::min(k, tested)).colwise().norm().maxCoeff() <= tolerance;
    if (kept >= k && (converged || size == n))
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
