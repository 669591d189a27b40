#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/requirements.hpp"

namespace unfurl {

/// A stored symmetric matrix as an operator on double vectors, whatever the matrix is stored in: a
/// float matrix then costs its half of the memory traffic without costing the iteration its
/// accuracy. Each entry of the product is one dot product with one column, so the bytes do not
/// depend on the number of threads. The matrix must outlive the operator.
template <class Stored>
class DenseOperator {
 public:
  using Scalar = double;
  DenseOperator(const Matrix<Stored>& A, const Parallel& parallel) : A_(A), parallel_(parallel) {}
  DenseOperator(Matrix<Stored>&&, const Parallel&) = delete;

  Index rows() const { return A_.rows(); }
  Index cols() const { return A_.cols(); }
  const Matrix<Stored>& matrix() const { return A_; }

  void perform_op(const double* x_in, double* y_out) const {
    const Index n = A_.rows();
    const Eigen::Map<const Vector<double>> x(x_in, n);
    Eigen::Map<Vector<double>> y(y_out, n);
    const Index block = std::max<Index>(1, 200000 / std::max<Index>(1, n));
    parallel_.for_blocks(n, block, [&](const Parallel::Block& b) {
      for (Index j = b.begin; j < b.end; ++j) y(j) = A_.col(j).template cast<double>().dot(x);
    });
  }

 private:
  const Matrix<Stored>& A_;
  const Parallel& parallel_;
};

/// The same for a symmetric sparse matrix, whose columns are read as rows.
template <class Stored>
class SparseOperator {
 public:
  using Scalar = double;
  SparseOperator(const SparseMatrix<Stored>& A, const Parallel& parallel)
      : A_(A), parallel_(parallel) {}
  SparseOperator(SparseMatrix<Stored>&&, const Parallel&) = delete;

  Index rows() const { return A_.rows(); }
  Index cols() const { return A_.cols(); }
  const SparseMatrix<Stored>& matrix() const { return A_; }

  void perform_op(const double* x, double* y) const {
    parallel_.for_blocks(A_.cols(), 4096, [&](const Parallel::Block& b) {
      for (Index j = b.begin; j < b.end; ++j) {
        double sum = 0;
        for (typename SparseMatrix<Stored>::InnerIterator it(A_, j); it; ++it)
          sum += static_cast<double>(it.value()) * x[it.index()];
        y[j] = sum;
      }
    });
  }

 private:
  const SparseMatrix<Stored>& A_;
  const Parallel& parallel_;
};

/// A X, column by column.
template <class Op>
Matrix<typename Op::Scalar> apply(const Op& op, const Matrix<typename Op::Scalar>& X) {
  Matrix<typename Op::Scalar> Y(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) op.perform_op(X.col(j).data(), Y.col(j).data());
  return Y;
}

/// The matrix of an operator: n products. For small n.
template <class Op>
Matrix<typename Op::Scalar> materialise(const Op& op) {
  using Scalar = typename Op::Scalar;
  const Matrix<Scalar> A = apply(op, Matrix<Scalar>::Identity(op.rows(), op.rows()));
  return (A + A.transpose()) / Scalar(2);
}

/// |A| from a few steps of the power method: a lower bound, in practice within a factor of two.
/// Exactly 0 only for the zero operator.
template <class Op>
typename Op::Scalar estimate_norm(const Op& op, std::uint64_t seed = 0) {
  using Scalar = typename Op::Scalar;
  Matrix<Scalar> x = Random(seed, 77).normal_matrix<Scalar>(op.rows(), 1);
  Scalar norm = 0;
  for (int step = 0; step < 6; ++step) {
    const Scalar length = x.stableNorm();
    if (!(length > 0) || !std::isfinite(length)) return norm == 0 ? length : norm;
    x /= length;
    x = apply(op, x);
    norm = std::max(norm, x.stableNorm());
  }
  return norm;
}

}  // namespace unfurl
