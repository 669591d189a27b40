#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/products.hpp"
#include "unfurl/spectral/requirements.hpp"

namespace unfurl {

/// A symmetric operator on double vectors, as the solvers of this layer see it: one type, so that
/// Lanczos iteration is compiled once and not for every kind of matrix. Iterations run in double
/// whatever the matrix is stored in; a float matrix costs its half of the memory traffic without
/// costing the iteration its accuracy.
class SymmetricOperator {
 public:
  using Scalar = double;
  virtual ~SymmetricOperator() = default;
  virtual Index rows() const = 0;
  Index cols() const { return rows(); }
  virtual void perform_op(const double* x, double* y) const = 0;
  /// Y = A X; by default a column at a time.
  virtual void perform_block(const Matrix<double>& X, Matrix<double>& Y) const {
    for (Index j = 0; j < X.cols(); ++j) perform_op(X.col(j).data(), Y.col(j).data());
  }
};

/// A stored symmetric matrix, read a panel of columns at a time; panels depend only on its size, so
/// the bytes do not depend on the number of threads. The matrix must outlive the operator.
template <class Stored>
class DenseOperator final : public SymmetricOperator {
 public:
  DenseOperator(const Matrix<Stored>& A, const Parallel& parallel) : A_(A), parallel_(parallel) {}
  DenseOperator(Matrix<Stored>&&, const Parallel&) = delete;

  Index rows() const override { return A_.rows(); }

  void perform_op(const double* x_in, double* y_out) const override {
    const Index n = A_.rows();
    const Eigen::Map<const Vector<double>> x(x_in, n);
    const Index block = std::max<Index>(1, 200000 / std::max<Index>(1, n));
    parallel_.for_blocks(n, block, [&](const Parallel::Block& b) {
      for (Index j = b.begin; j < b.end; ++j) y_out[j] = A_.col(j).template cast<double>().dot(x);
    });
  }

 private:
  const Matrix<Stored>& A_;
  const Parallel& parallel_;
};

/// The same for a symmetric sparse matrix, whose columns are read as rows.
template <class Stored>
class SparseOperator final : public SymmetricOperator {
 public:
  SparseOperator(const SparseMatrix<Stored>& A, const Parallel& parallel)
      : A_(A), parallel_(parallel) {}
  SparseOperator(SparseMatrix<Stored>&&, const Parallel&) = delete;

  Index rows() const override { return A_.rows(); }

  void perform_op(const double* x, double* y) const override {
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

/// Any class with the members of a symmetric operator (requirements.hpp), in float or double.
template <class Op>
class OperatorOf final : public SymmetricOperator {
 public:
  explicit OperatorOf(const Op& op) : op_(op) {}

  Index rows() const override { return static_cast<Index>(op_.rows()); }

  void perform_op(const double* x, double* y) const override {
    if constexpr (std::is_same_v<typename Op::Scalar, double>) {
      op_.perform_op(x, y);
    } else {
      using Narrow = typename Op::Scalar;
      const Vector<Narrow> in = Eigen::Map<const Vector<double>>(x, rows()).template cast<Narrow>();
      Vector<Narrow> out(rows());
      op_.perform_op(in.data(), out.data());
      Eigen::Map<Vector<double>>(y, rows()) = out.template cast<double>();
    }
  }

 private:
  const Op& op_;
};

/// A X
inline Matrix<double> apply(const SymmetricOperator& op, const Matrix<double>& X) {
  Matrix<double> Y(X.rows(), X.cols());
  op.perform_block(X, Y);
  return Y;
}

/// The matrix of an operator: n products. For small n.
inline Matrix<double> materialise(const SymmetricOperator& op) {
  const Matrix<double> A = apply(op, Matrix<double>::Identity(op.rows(), op.rows()));
  return (A + A.transpose()) / 2;
}

/// |A| from a few steps of the power method: a lower bound, in practice within a factor of two.
/// Exactly 0 only for the zero operator.
inline double estimate_norm(const SymmetricOperator& op, std::uint64_t seed = 0) {
  Vector<double> x = Random(seed, 77).normal_matrix<double>(op.rows(), 1), y(op.rows());
  double norm = 0;
  for (int step = 0; step < 6; ++step) {
    const double length = x.stableNorm();
    if (!(length > 0)) break;
    x /= length;
    op.perform_op(x.data(), y.data());
    norm = std::max(norm, y.stableNorm());
    x.swap(y);
  }
  return norm;
}

}  // namespace unfurl
