#pragma once

#include <algorithm>
#include <cmath>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

/// The mean of the squares in each column of a distance matrix.
template <class Derived>
Vector<double> column_mean_squares(const Eigen::MatrixBase<Derived>& D, const Parallel& parallel) {
  Vector<double> means(D.cols());
  const Index block = std::max<Index>(1, 100000 / std::max<Index>(1, D.rows()));
  parallel.for_blocks(D.cols(), block, [&](const Parallel::Block& b) {
    for (Index j = b.begin; j < b.end; ++j) {
      constexpr Index height = 256;
      double part[height], sum = 0;
      for (Index top = 0; top < D.rows(); top += height) {
        const Index count = std::min(height, D.rows() - top);
        for (Index i = 0; i < count; ++i) part[i] = static_cast<double>(D(top + i, j));
        sum += detail::dot(count, part, part);
      }
      means(j) = sum / static_cast<double>(D.rows());
    }
  });
  return means;
}

/// Turns a symmetric matrix of distances into B = -1/2 J D^(2) J, J = I - 1 1^T / n, in place: the
/// inner products of the centred points whose distances these are (Torgerson 1952; Gower 1966).
/// \param D distances, not squared; overwritten by B.
/// \param mean_squares of the columns, from column_mean_squares.
/// \param parallel the threads to work on.
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
