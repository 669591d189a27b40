#pragma once

#include <algorithm>

#include "unfurl/core/lanes.hpp"
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

/// A matrix or vector in another precision.
template <class To, class From, int Cols>
Eigen::Matrix<To, Eigen::Dynamic, Cols> converted(
    const Eigen::Matrix<From, Eigen::Dynamic, Cols>& M) {
  Eigen::Matrix<To, Eigen::Dynamic, Cols> result(M.rows(), M.cols());
  for (Index i = 0; i < M.size(); ++i) result.data()[i] = static_cast<To>(M.data()[i]);
  return result;
}

template <class Scalar>
Matrix<Scalar> transposed(const ConstMatrixRef<Scalar>& M) {
  Matrix<Scalar> result(M.cols(), M.rows());
  for (Index j = 0; j < M.cols(); ++j)
    for (Index i = 0; i < M.rows(); ++i) result.data()[M.cols() * i + j] = M(i, j);
  return result;
}
template <class Scalar>
Matrix<Scalar> transposed(const Matrix<Scalar>& M) {
  return transposed(ConstMatrixRef<Scalar>(M));
}

/// Column j times factors(j).
template <class Scalar>
void scale_columns(Matrix<Scalar>& M, const Vector<Scalar>& factors) {
  for (Index j = 0; j < M.cols(); ++j) scale(M.rows(), factors(j), M.data() + M.rows() * j);
}

/// Puts the first `count` columns of `from` at column `at` of M.
template <class Scalar>
void set_columns(Matrix<Scalar>& M, Index at, const Matrix<Scalar>& from, Index count) {
  std::copy_n(from.data(), from.rows() * count, M.data() + M.rows() * at);
}

}  // namespace unfurl::detail
