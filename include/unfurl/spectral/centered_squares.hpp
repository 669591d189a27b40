#pragma once

#include <algorithm>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/centering.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/products.hpp"

namespace unfurl {

/// B = -1/2 J D^(2) J of a symmetric matrix of distances as an operator: squares and means are
/// taken while D is read, so D may be stored in float and no second n x n matrix is made. D and the
/// threads must outlive it.
template <class Stored>
class CenteredSquares final : public SymmetricOperator {
 public:
  CenteredSquares(const Matrix<Stored>& D, const Parallel& parallel)
      : D_(D),
        parallel_(parallel),
        means_(column_mean_squares(D, parallel)),
        grand_(means_.size() > 0 ? means_.mean() : 0) {}
  CenteredSquares(Matrix<Stored>&&, const Parallel&) = delete;

  Index rows() const override { return D_.rows(); }
  /// Of the squares in each column of D.
  const Vector<double>& means() const { return means_; }
  double trace() const { return static_cast<double>(rows()) * grand_ / 2; }

  /// The mean of the squares, of the size of what B holds.
  double scale() const { return grand_; }

  /// |B|_F^2 / scale()^2 (fourth powers of distances need not be numbers), from |J S J|_F^2 =
  /// |S|_F^2 - 2 n |m|^2 + n^2 g^2 with the means m and g of S = D^(2).
  double relative_squared_norm() const {
    if (!(grand_ > 0)) return 0;
    const double n = static_cast<double>(rows());
    const double squares = parallel_.reduce(
        rows(), 64, 0.0,
        [&](const Parallel::Block& b) {
          double sum = 0;
          for (Index j = b.begin; j < b.end; ++j)
            sum += (D_.col(j).template cast<double>().array().square() / grand_).square().sum();
          return sum;
        },
        [](double all, double part) { return all + part; });
    return std::max(0.0, squares - 2 * n * (means_ / grand_).squaredNorm() + n * n) / 4;
  }

  void perform_op(const double* x, double* y) const override {
    Matrix<double> Y(rows(), 1);
    perform_block(Eigen::Map<const Vector<double>>(x, rows()), Y);
    Eigen::Map<Vector<double>>(y, rows()) = Y;
  }

  /// Each entry of D is squared once for all columns of X.
  void perform_block(const Matrix<double>& X, Matrix<double>& Y) const override {
    const Index n = D_.rows(), k = X.cols();
    Vector<double> sums(k), weighted(k);
    for (Index c = 0; c < k; ++c) {
      sums(c) = X.col(c).sum();
      weighted(c) = X.col(c).dot(means_);
    }
    constexpr Index width = 16, height = 256;  // a panel that stays in cache while it is used
    parallel_.for_blocks(n, width, [&](const Parallel::Block& b) {
      Matrix<double> squares(height, width), part = Matrix<double>::Zero(width, k);
      if (b.size() < width) squares.setZero();
      for (Index top = 0; top < n; top += height) {
        const Index rows = std::min(height, n - top);
        for (Index j = 0; j < b.size(); ++j)
          squares.col(j).head(rows) =
              D_.col(b.begin + j).segment(top, rows).template cast<double>().array().square();
        detail::add_inner_product<double>(squares.topRows(rows), X.middleRows(top, rows), part);
      }
      for (Index c = 0; c < k; ++c)
        for (Index j = 0; j < b.size(); ++j)
          Y(b.begin + j, c) =
              -0.5 * (part(j, c) - weighted(c) - (means_(b.begin + j) - grand_) * sums(c));
    });
  }

 private:
  const Matrix<Stored>& D_;
  const Parallel& parallel_;
  Vector<double> means_;
  double grand_;
};

}  // namespace unfurl
