#pragma once

#include "unfurl/core/types.hpp"

/// Dense products as functions. Every product expression written out makes the compiler build
/// Eigen's whole product machinery for its own types; through these it is built once (compiling PCA
/// takes half the time).
namespace unfurl::detail {

using DenseRef = Eigen::Ref<const Matrix<double>>;

/// A B
inline Matrix<double> product(const DenseRef& A, const DenseRef& B) {
  Matrix<double> C(A.rows(), B.cols());
  C.noalias() = A * B;
  return C;
}

/// A^T B
inline Matrix<double> inner_product(const DenseRef& A, const DenseRef& B) {
  Matrix<double> C(A.cols(), B.cols());
  C.noalias() = A.transpose() * B;
  return C;
}

/// W minus its part in the span of the orthonormal columns Q.
inline void project_out(const DenseRef& Q, Matrix<double>& W) {
  if (Q.cols() > 0) W -= product(Q, inner_product(Q, W));
}

}  // namespace unfurl::detail
