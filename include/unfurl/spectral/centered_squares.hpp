#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/centering.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/symmetric_product.hpp"

namespace unfurl {

/// B = -1/2 J D^(2) J of a symmetric matrix of distances as an operator: squares and means are
/// taken while D is read, so D may be stored in float and no second n x n matrix is made. Only its
/// upper triangle is read. The matrix D or the block of one, and the threads, must outlive it.
template <class Stored>
class CenteredSquares final : public SymmetricOperator {
 public:
  /// Reads D twice, for the means of its squares and for the norm.
  CenteredSquares(const ConstMatrixRef<Stored>& D, const Parallel& parallel)
      : n_(D.rows()),
        stride_(D.outerStride()),
        D_(D.data()),
        parallel_(parallel),
        means_(mean_squares()),
        grand_(means_.size() > 0 ? means_.mean() : 0),
        relative_squared_norm_(compute_relative_squared_norm()) {}
  CenteredSquares(Matrix<Stored>&&, const Parallel&) = delete;

  Index rows() const override { return n_; }
  /// Residuals below carry nothing: distances in float are good to 1e-7. 0: the solver's own.
  static constexpr double tolerance = std::is_same_v<Stored, float> ? 1e-9 : 0;

  /// Of the squares in each column of D.
  const Vector<double>& means() const { return means_; }
  /// An entry of B.
  double operator()(Index i, Index j) const {
    double square = 0;
    fetch(std::min(i, j), 1, std::max(i, j), 1, &square);
    return -0.5 * (square - (means_(i) + means_(j)) + grand_);
  }

  /// The mean of the squares, of the size of what B holds.
  double scale() const { return grand_; }

  /// |B|_F^2 / scale()^2 (fourth powers of distances need not be numbers), from |J S J|_F^2 =
  /// |S|_F^2 - 2 n |m|^2 + n^2 g^2 with the means m and g of S = D^(2).
  double relative_squared_norm() const { return relative_squared_norm_; }
  double norm_bound() const override { return grand_ * std::sqrt(relative_squared_norm_); }

  void perform_op(const double* x, double* y) const override { multiply(x, 1, y); }

  void perform_block(const Matrix<double>& X, Matrix<double>& Y) const override {
    multiply(X.data(), X.cols(), Y.data());
  }

 private:
  Vector<double> mean_squares() const {
    const Vector<double> ones = Vector<double>::Ones(n_);
    Vector<double> sums(n_);
    multiply_squares(ones.data(), 1, sums.data());
    return sums / static_cast<double>(std::max<Index>(1, n_));
  }

  double compute_relative_squared_norm() const {
    if (!(grand_ > 0)) return 0;
    const double n = static_cast<double>(rows());
    const double unit = 1 / std::sqrt(grand_);
    const double squares = parallel_.reduce(
        rows(), 16, 0.0,
        [&](const Parallel::Block& b) {
          double sum = 0;
          for (Index j = b.begin; j < b.end; ++j) {
            const auto squares_above = [&](Index top, Index count, double* to) {
              fetch(top, count, j, unit, to);
            };
            sum += 2 * detail::sum_of_squares(j, squares_above);
            double own = 0;
            fetch(j, 1, j, unit, &own);
            sum += own * own;
          }
          return sum;
        },
        [](double all, double part) { return all + part; });
    return std::max(0.0, squares - 2 * n * (means_ / grand_).squaredNorm() + n * n) / 4;
  }

  /// The squares of entries of a column of D over unit^-2.
  void fetch(Index top, Index count, Index column, double unit, double* to) const {
    const Stored* const from = D_ + column * stride_ + top;
    for (Index i = 0; i < count; ++i) {
      const double length = unit * static_cast<double>(from[i]);
      to[i] = length * length;
    }
  }

  void multiply_squares(const double* x, Index k, double* y) const {
    detail::symmetric_product(
        n_, x, k, y, parallel_, [&](Index top, Index count, Index column, double* to) {
          detail::prefetch_next_tile(D_ + column * stride_ + top, stride_, column, n_, count);
          fetch(top, count, column, 1, to);
        });
  }

  void multiply(const double* x, Index k, double* y) const {
    const Index n = rows();
    multiply_squares(x, k, y);
    for (Index c = 0; c < k; ++c, x += n, y += n) {
      double sum = 0, weighted = detail::dot(n, x, means_.data());
      for (Index i = 0; i < n; ++i) sum += x[i];
      for (Index i = 0; i < n; ++i) y[i] = -0.5 * (y[i] - weighted - (means_(i) - grand_) * sum);
    }
  }

  Index n_, stride_;
  const Stored* D_;
  const Parallel& parallel_;
  Vector<double> means_;
  double grand_, relative_squared_norm_;
};

}  // namespace unfurl
