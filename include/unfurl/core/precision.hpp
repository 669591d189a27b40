#pragma once

#include <type_traits>

#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// A sparse matrix in another precision; in its own it is the matrix itself, not a copy. Bind it to
/// a const reference, and keep A alive as long.
template <class Real, class Scalar>
decltype(auto) in_precision(const SparseMatrix<Scalar>& A) {
  if constexpr (std::is_same_v<Real, Scalar>)
    return (A);
  else
    return SparseMatrix<Real>(A.template cast<Real>());
}

}  // namespace unfurl::detail
