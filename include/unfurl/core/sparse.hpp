#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <type_traits>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

/// Sparse matrices handed on. Eigen's constructors of a sparse matrix from another one lose memory
/// when an allocation fails in them, which its assignments do not; and before Eigen 5 a sparse
/// matrix that is moved is copied.
namespace unfurl::detail {

/// Eigen stores sparse indices in 32 bits and does not notice when they overflow.
inline void check_sparse_size(std::string_view where, Index n, Index n_nonzero) {
  constexpr Index most = std::numeric_limits<int>::max();
  const Index needed = std::max(n, n_nonzero);
  if (needed > most)
    throw SizeLimitError(text(where, ": a sparse matrix of ", n, " rows and ", n_nonzero,
                              " entries exceeds 2^31 - 1; lower n_neighbors or radius"),
                         static_cast<std::size_t>(needed), static_cast<std::size_t>(most));
}

/// A copy, or the value of an expression.
template <class Expression>
SparseMatrix<typename Expression::Scalar> sparse_copy(const Expression& expression) {
  SparseMatrix<typename Expression::Scalar> M;
  M = expression;
  return M;
}

/// Takes the entries out of M, which is left empty.
template <class Scalar>
std::shared_ptr<const SparseMatrix<Scalar>> shared_sparse(SparseMatrix<Scalar>& M) {
  const auto shared = std::make_shared<SparseMatrix<Scalar>>();
  shared->swap(M);
  return shared;
}

/// The transpose, in any precision.
template <class To, class From>
SparseMatrix<To> sparse_transposed(const SparseMatrix<From>& A) {
  SparseMatrix<To> T(A.cols(), A.rows());
  T.resizeNonZeros(A.nonZeros());
  int* const next = T.outerIndexPtr();  // entry r + 1: where the next one of row r of A goes
  using Entry = typename SparseMatrix<From>::InnerIterator;
  for (Index j = 0; j < A.cols(); ++j)
    for (Entry entry(A, j); entry; ++entry) ++next[entry.row() + 1];
  std::partial_sum(next, next + A.rows() + 1, next);
  std::copy_backward(next, next + A.rows(), next + A.rows() + 1);
  for (Index j = 0; j < A.cols(); ++j)
    for (Entry entry(A, j); entry; ++entry) {
      const int at = next[entry.row() + 1]++;
      T.innerIndexPtr()[at] = static_cast<int>(j);
      T.valuePtr()[at] = static_cast<To>(entry.value());
    }
  return T;
}

/// A sparse matrix in another precision; in its own it is the matrix itself, not a copy. Bind it to
/// a const reference, and keep A alive as long.
template <class Real, class Scalar>
decltype(auto) in_precision(const SparseMatrix<Scalar>& A) {
  if constexpr (std::is_same_v<Real, Scalar>)
    return (A);
  else
    return sparse_copy(A.template cast<Real>());
}

}  // namespace unfurl::detail
