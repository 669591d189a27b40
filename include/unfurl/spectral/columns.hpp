#pragma once

#include <algorithm>

#include "unfurl/core/types.hpp"

/// Whole columns of a matrix, which lie one after the other in memory.
namespace unfurl::detail {

/// Columns [first, first + count) of M.
template <class Scalar>
Matrix<Scalar> columns(const Matrix<Scalar>& M, Index first, Index count) {
  Matrix<Scalar> part(M.rows(), count);
  std::copy_n(M.data() + M.rows() * first, part.size(), part.data());
  return part;
}

/// Puts the first `count` columns of `from` at column `at` of M.
template <class Scalar>
void set_columns(Matrix<Scalar>& M, Index at, const Matrix<Scalar>& from, Index count) {
  std::copy_n(from.data(), from.rows() * count, M.data() + M.rows() * at);
}

}  // namespace unfurl::detail
