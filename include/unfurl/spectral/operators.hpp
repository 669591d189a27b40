#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/products.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/requirements.hpp"
#include "unfurl/spectral/symmetric_product.hpp"

namespace unfurl {

/// A symmetric operator on double vectors, as the solvers of this layer see it: one type, so that
/// Lanczos iteration is compiled once and not for every kind of matrix. Iterations run in double
/// whatever the matrix is stored in; a float matrix costs its half of the memory traffic without
/// costing the iteration its accuracy.
class SymmetricOperator {
 public:
  using Scalar = double;  ///< of the vectors
  virtual ~SymmetricOperator() = default;
  /// Number of rows, which is that of columns.
  virtual Index rows() const = 0;
  /// As rows().
  Index cols() const { return rows(); }
  /// y = A x, for arrays of rows() numbers that do not overlap.
  virtual void perform_op(const double* x, double* y) const = 0;
  /// At least |A|, if that is known without products, else 0.
  virtual double norm_bound() const { return 0; }
  /// Y = A X; by default a column at a time.
  virtual void perform_block(const Matrix<double>& X, Matrix<double>& Y) const {
    for (Index j = 0; j < X.cols(); ++j)
      perform_op(X.data() + j * X.rows(), Y.data() + j * Y.rows());
  }
};

/// A stored symmetric matrix, of which the upper triangle is read. The matrix must outlive the
/// operator.
template <class Stored>
class DenseOperator final : public SymmetricOperator {
 public:
  /// Refers to both, which must outlive it.
  DenseOperator(const Matrix<Stored>& A, const Parallel& parallel) : A_(A), parallel_(parallel) {}
  DenseOperator(Matrix<Stored>&&, const Parallel&) = delete;

  Index rows() const override { return A_.rows(); }

  void perform_op(const double* x, double* y) const override { multiply(x, y, 1); }

  void perform_block(const Matrix<double>& X, Matrix<double>& Y) const override {
    multiply(X.data(), Y.data(), X.cols());
  }

 private:
  void multiply(const double* x, double* y, Index k) const {
    const Index n = A_.rows();
    detail::symmetric_product(n, x, k, y, parallel_,
                              [&](Index top, Index rows, Index column, double* to) {
                                const Stored* const from = A_.data() + column * n + top;
                                for (Index i = 0; i < rows; ++i)
                                  to[i] = static_cast<double>(from[i]);
                              });
  }

  const Matrix<Stored>& A_;
  const Parallel& parallel_;
};

/// The same for a symmetric sparse matrix, whose columns are read as rows.
template <class Stored>
class SparseOperator final : public SymmetricOperator {
 public:
  /// Refers to both, which must outlive it.
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
  /// Refers to op, which must outlive it.
  explicit OperatorOf(const Op& op) : op_(op) {}

  Index rows() const override { return static_cast<Index>(op_.rows()); }

  void perform_op(const double* x, double* y) const override {
    if constexpr (std::is_same_v<typename Op::Scalar, double>) {
      op_.perform_op(x, y);
    } else {
      using Narrow = typename Op::Scalar;
      Vector<Narrow> in(rows()), out(rows());
      for (Index i = 0; i < rows(); ++i) in(i) = static_cast<Narrow>(x[i]);
      op_.perform_op(in.data(), out.data());
      for (Index i = 0; i < rows(); ++i) y[i] = static_cast<double>(out(i));
    }
  }

 private:
  const Op& op_;
};

/// One of the library's own, whose products with many vectors are their own, or any other.
template <class Op>
using AnyOperator =
    std::conditional_t<std::is_base_of_v<SymmetricOperator, Op>, const Op&, OperatorOf<Op>>;

/// A X
template <class Real = double>
Matrix<Real> apply(const SymmetricOperator& op, const detail::Dense<Real>& X) {
  Matrix<Real> Y(X.rows(), X.cols());
  op.perform_block(X, Y);
  return Y;
}

namespace detail {

/// (A + A^T) / 2
template <class Scalar>
void symmetrise(Matrix<Scalar>& A) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < j; ++i) A(i, j) = A(j, i) = (A(i, j) + A(j, i)) / 2;
}

}  // namespace detail

/// The matrix of an operator: n products. For small n.
template <class Real = double>
Matrix<Real> materialise(const SymmetricOperator& op) {
  const Index n = op.rows();
  Matrix<Real> A = apply<Real>(op, Matrix<Real>::Identity(n, n));
  detail::symmetrise(A);
  return A;
}

namespace detail {

/// |x|, also where squares overflow or underflow.
template <class Real>
double safe_norm(const Vector<Real>& x) {
  double largest = 0, sum = 0;
  for (Index i = 0; i < x.size(); ++i)
    if (!(std::abs(x(i)) <= largest)) largest = std::abs(x(i));
  if (!(largest > 0) || std::isinf(largest)) return largest;
  for (Index i = 0; i < x.size(); ++i) sum += (x(i) / largest) * (x(i) / largest);
  return largest * std::sqrt(sum);
}

}  // namespace detail

/// |A| from three steps of the power method: a lower bound, in practice within a factor of two.
/// Exactly 0 only for the zero operator.
template <class Real = double>
double estimate_norm(const SymmetricOperator& op, std::uint64_t seed = 0) {
  Vector<Real> x = Random(seed, 77).normal_matrix<Real>(op.rows(), 1), y(op.rows());
  double norm = 0;
  for (int step = 0; step < 3; ++step) {
    const double length = detail::safe_norm(x);
    if (!(length > 0)) break;
    for (Real& entry : x) entry /= length;
    op.perform_op(x.data(), y.data());
    norm = std::max(norm, detail::safe_norm(y));
    x.swap(y);
  }
  return norm;
}

}  // namespace unfurl
