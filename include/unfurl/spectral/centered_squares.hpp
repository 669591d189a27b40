#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/symmetric_product.hpp"

namespace unfurl {

/// B = -1/2 J D^(2) J of a symmetric matrix of distances as an operator: squares and means are
/// taken while D is read, so D may be stored in float and no second n x n matrix is made. Only its
/// upper triangle is read. The matrix D or the block of one, and the threads, must outlive it.
template <class Stored>
class CenteredSquares final : public SymmetricOperator {
 public:
  /// Reads D once, for the means of its squares and for the norm; twice where fourth powers of
  /// distances are out of range.
  CenteredSquares(const ConstMatrixRef<Stored>& D, const Parallel& parallel)
      : n_(D.rows()), stride_(D.outerStride()), D_(D.data()), parallel_(parallel), means_(n_) {
    const Vector<double> ones = Vector<double>::Ones(n_);
    Vector<double> fourth_powers = Vector<double>::Zero(n_);  // summed up by columns
    multiply_squares(ones.data(), 1, means_.data(), 1, fourth_powers.data());
    const double n = static_cast<double>(n_);
    means_ /= std::max(1.0, n);
    grand_ = n_ > 0 ? means_.mean() : 0;
    if (!(grand_ > 0)) return;

    double squared_norm = fourth_powers.sum() / grand_ / grand_;
    if (!(fourth_powers.sum() > 1e-250 && std::isfinite(squared_norm))) {
      Vector<double> sums(n_);
      fourth_powers.setZero();
      multiply_squares(ones.data(), 1, sums.data(), 1 / std::sqrt(grand_), fourth_powers.data());
      squared_norm = fourth_powers.sum();
    }
    // |J S J|_F^2 = |S|_F^2 - 2 n |m|^2 + n^2 g^2 with the means m and g of S = D^(2).
    const double centered = squared_norm - 2 * n * (means_ / grand_).squaredNorm() + n * n;
    relative_squared_norm_ = std::max(0.0, centered) / 4;
  }
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

  /// |B|_F^2 / scale()^2: fourth powers of distances need not be numbers.
  double relative_squared_norm() const { return relative_squared_norm_; }
  double norm_bound() const override { return grand_ * std::sqrt(relative_squared_norm_); }

  void perform_op(const double* x, double* y) const override { multiply(x, 1, y); }

  void perform_block(const Matrix<double>& X, Matrix<double>& Y) const override {
    multiply(X.data(), X.cols(), Y.data());
  }

 private:
  /// The squares of `unit` times entries of a column of D.
  void fetch(Index top, Index count, Index column, double unit, double* to) const {
    const Stored* const from = D_ + column * stride_ + top;
    for (Index i = 0; i < count; ++i) {
      const double length = unit * static_cast<double>(from[i]);
      to[i] = length * length;
    }
  }

  /// Y = S X with the squares S of `unit` times D; if asked to, adds up the squares of S by
  /// columns, those above the diagonal for both their places.
  void multiply_squares(const double* x, Index k, double* y, double unit = 1,
                        double* fourth_powers = nullptr) const {
    detail::symmetric_product(
        n_, x, k, y, parallel_, [&](Index top, Index count, Index column, double* to) {
          detail::prefetch_next_tile(D_ + column * stride_ + top, stride_, column, n_, count);
          fetch(top, count, column, unit, to);
          if (!fourth_powers) return;
          const double own = top + count > column ? to[column - top] : 0;
          fourth_powers[column] += 2 * detail::dot(count, to, to) - own * own;
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
  double grand_ = 0, relative_squared_norm_ = 0;
};

}  // namespace unfurl
