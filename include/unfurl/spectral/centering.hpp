#pragma once

#include <algorithm>
#include <cmath>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

/// The mean of the squares in each column of a distance matrix.
template <class Derived>
Vector<double> column_mean_squares(const Eigen::MatrixBase<Derived>& D, const Parallel& parallel) {
  Vector<double> means(D.cols());
  const Index block = std::max<Index>(1, 100000 / std::max<Index>(1, D.rows()));
  parallel.for_blocks(D.cols(), block, [&](const Parallel::Block& b) {
    for (Index j = b.begin; j < b.end; ++j)
      means(j) = D.col(j).template cast<double>().squaredNorm() / static_cast<double>(D.rows());
  });
  return means;
}

/// Turns a symmetric matrix of distances into B = -1/2 J D^(2) J, J = I - 1 1^T / n, in place: the
/// inner products of the centred points whose distances these are (Torgerson 1952; Gower 1966).
/// \param mean_squares of the columns, from column_mean_squares.
template <class Scalar>
void double_center(Matrix<Scalar>& D, const Vector<double>& mean_squares,
                   const Parallel& parallel) {
  const double grand = mean_squares.mean();
  const Index block = std::max<Index>(1, 100000 / std::max<Index>(1, D.rows()));
  parallel.for_blocks(D.cols(), block, [&](const Parallel::Block& b) {
    for (Index j = b.begin; j < b.end; ++j)
      D.col(j) = (-0.5 * (D.col(j).template cast<double>().array().square() - mean_squares.array() -
                          (mean_squares(j) - grand)))
                     .template cast<Scalar>();
  });
}

}  // namespace unfurl
