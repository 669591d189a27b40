#pragma once

#include "unfurl/core/types.hpp"

/// Dense products as functions. Every product expression written out makes the compiler build
/// Eigen's whole product machinery for its own types; through these it is built once for each
/// scalar.
namespace unfurl::detail {

/// C = A B
template <class Scalar>
void multiply(const ConstMatrixRef<Scalar>& A, const ConstMatrixRef<Scalar>& B,
              Eigen::Ref<Matrix<Scalar>> C) {
  C.noalias() = A * B;
}

/// C += A^T B
template <class Scalar>
void add_inner_product(const ConstMatrixRef<Scalar>& A, const ConstMatrixRef<Scalar>& B,
                       Eigen::Ref<Matrix<Scalar>> C) {
  C.noalias() += A.transpose() * B;
}

using DenseRef = ConstMatrixRef<double>;

/// A B
inline Matrix<double> product(const DenseRef& A, const DenseRef& B) {
  Matrix<double> C(A.rows(), B.cols());
  multiply<double>(A, B, C);
  return C;
}

/// A^T B
inline Matrix<double> inner_product(const DenseRef& A, const DenseRef& B) {
  Matrix<double> C = Matrix<double>::Zero(A.cols(), B.cols());
  add_inner_product<double>(A, B, C);
  return C;
}

/// W minus its part in the span of the orthonormal columns Q.
inline void project_out(const DenseRef& Q, Matrix<double>& W) {
  if (Q.cols() > 0) W -= product(Q, inner_product(Q, W));
}

}  // namespace unfurl::detail
