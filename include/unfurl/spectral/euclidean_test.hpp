#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "unfurl/core/check.hpp"
#include "unfurl/spectral/centering.hpp"
#include "unfurl/spectral/symmetric_eigen.hpp"

namespace unfurl {

/// Answer of euclidean_test.
struct EuclideanTest {
  /// Points in a Euclidean space with exactly these distances exist.
  bool embeddable = false;
  /// The least dimension in which they do; when they do not, the number of positive eigenvalues.
  Index dimension = 0;
  /// When not embeddable: a vector x with sum(x) = 0 and x^T D^(2) x > 0, which cannot be for
  /// distances between points. Empty otherwise.
  Vector<double> witness = {};
  /// Of -1/2 J D^(2) J, descending.
  Vector<double> eigenvalues = {};
  /// Sum of the moduli of the negative eigenvalues over the sum of all moduli.
  double negative_mass = 0;
  /// The least constant that, added to the squares of all distances between different points, makes
  /// them embeddable (Lingoes 1971); 0 when they are.
  double additive_constant = 0;
};

/// Are these the distances between points of a Euclidean space? They are, in dimension k, exactly
/// when -1/2 J D^(2) J is positive semi-definite of rank at most k (Schoenberg 1935); the triangle
/// inequality is not enough. Eigenvalues within `tolerance` (relative to the largest modulus;
/// empty: 1e-9 in double, 1e-4 in float) count as zero. Time O(n^3), memory 3 n^2. \throws
/// DataError when D is not a matrix of dissimilarities.
template <class Derived>
EuclideanTest euclidean_test(const Eigen::MatrixBase<Derived>& D,
                             std::optional<double> tolerance = std::nullopt) {
  using Scalar = typename Derived::Scalar;
  const Parallel parallel;
  detail::check_distances<Scalar>("euclidean_test", D, parallel, 1);
  if (tolerance && !(*tolerance >= 0 && *tolerance < 1))
    throw ParameterError(
        detail::text("euclidean_test: tolerance must be in [0, 1), got ", *tolerance));
  Matrix<double> B = D.template cast<double>();
  double_center(B, column_mean_squares(B, parallel), parallel);
  const detail::SymmetricEigen<double> solved = detail::symmetric_eigen(B, 0, 1);
  const Vector<double>& ascending = solved.values;

  EuclideanTest test;
  test.eigenvalues = ascending.reverse();
  const double largest = ascending.cwiseAbs().maxCoeff();
  const double zero = tolerance.value_or(std::is_same_v<Scalar, float> ? 1e-4 : 1e-9) * largest;
  test.dimension = (ascending.array() > zero).count();
  test.embeddable = ascending(0) >= -zero;
  const double total = ascending.cwiseAbs().sum();
  test.negative_mass = total > 0 ? -ascending.cwiseMin(0.0).sum() / total : 0;
  if (test.embeddable) return test;
  test.witness = solved.vectors.col(0);
  test.witness.array() -= test.witness.mean();
  test.additive_constant = -2 * ascending(0);
  return test;
}

}  // namespace unfurl
