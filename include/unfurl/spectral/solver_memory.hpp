#pragma once

#include <algorithm>

#include "unfurl/core/types.hpp"
#include "unfurl/spectral/block_krylov.hpp"

/// The bytes that eigensolvers take at their peak beside the matrix: counted in their code where
/// that is simple, else fitted to what malloc was asked for (tests/faults/memory_test.cpp).
namespace unfurl::detail {

/// One triangle of an n x n matrix, of which the other is never touched: half of the entries, and
/// at the ends of columns parts of pages. \param size of an entry
inline double triangle_bytes(Index n, double size) {
  const double rows = static_cast<double>(n);
  return std::min(size * rows * rows, rows * (size * rows / 2 + 3072));
}

/// \param n_threads of a product with a dense symmetric matrix, each of which has sums of its own;
///   0: products need no room
inline double block_lanczos_bytes(Index n, Index k, int n_threads = 0) {
  const KrylovSpace space(n, k);
  const double vectors = 2 * static_cast<double>(space.capacity) +
                         4 * static_cast<double>(space.kept) +
                         (n_threads > 0 ? 4 + 4 * n_threads : 0) * static_cast<double>(space.width);
  const double small = static_cast<double>(space.capacity) * static_cast<double>(space.capacity);
  return 8 * (static_cast<double>(n) * vectors + 4 * small);
}

/// All of a decomposition, and k vectors in several copies.
inline double dense_solver_bytes(Index n, Index k) {
  return 8 * static_cast<double>(n) * (3.4 * static_cast<double>(n) + 10 * static_cast<double>(k));
}

/// The vectors of Lanczos on the inverse for k pairs and the next value.
inline double inverse_vectors_bytes(Index n, Index k) {
  const KrylovSpace space(n, k + 1, true);
  return 8 * static_cast<double>(n) *
         (2 * static_cast<double>(space.capacity) + 5 * static_cast<double>(k + 1) + 4);
}

/// Lanczos on the inverse: at its peak while the factor is made or while vectors stand beside it.
inline double inverse_iteration_bytes(Index n, Index k, double factorization_bytes,
                                      double factor_bytes) {
  return std::max(300 * static_cast<double>(n) + factorization_bytes,
                  inverse_vectors_bytes(n, k) + factor_bytes);
}

/// The same before the factor is known, for one with few entries in each row.
/// \param fill entries of the factor
inline double inverse_iteration_bytes_of_fill(Index n, Index k, double fill) {
  return std::max(400 * static_cast<double>(n) + 13.7 * fill,
                  inverse_vectors_bytes(n, k) + 60 * static_cast<double>(n) + 10 * fill);
}

}  // namespace unfurl::detail
