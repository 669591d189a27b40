#pragma once

#include <memory>
#include <type_traits>

#include "unfurl/core/types.hpp"

/// Sparse matrices handed on. Eigen's constructors of a sparse matrix from another one lose memory
/// when an allocation fails in them, which its assignments do not; and before Eigen 5 a sparse
/// matrix that is moved is copied.
namespace unfurl::detail {

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
