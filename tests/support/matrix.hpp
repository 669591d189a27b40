#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/oracle.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"

// Ways to compare what is defined: entries, subspaces, distances. Never raw eigenvector signs.
namespace test {

/// `double_tol` for double; the same rounding budget in float.
template <class Scalar>
Scalar tol(double double_tol) {
  return static_cast<Scalar>(std::is_same_v<Scalar, double> ? double_tol
                                                            : std::max(double_tol * 5e8, 1e-5));
}

/// Largest entrywise difference; infinite when the shapes differ or a NaN is met.
template <class A, class B>
double max_abs_diff(const A& a, const B& b) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (a.rows() != b.rows() || a.cols() != b.cols()) return infinity;
  double worst = 0;
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i) {
      const double gap = std::abs(static_cast<double>(a(i, j)) - static_cast<double>(b(i, j)));
      if (!(gap <= worst)) worst = std::isnan(gap) ? infinity : gap;
    }
  return worst;
}

template <class A, class B>
bool same_bytes(const A& a, const B& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         ((a.array() == b.array()) || (a.array() != a.array() && b.array() != b.array())).all();
}

/// Columns compared up to a sign each.
template <class A, class B>
double max_abs_diff_up_to_sign(const A& a, const B& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (Index j = 0; j < a.cols(); ++j)
    worst = std::max(worst, std::min(max_abs_diff(a.col(j), b.col(j)),
                                     max_abs_diff(a.col(j), (-b.col(j)).eval())));
  return worst;
}

/// Euclidean distances between the rows, by definition.
template <class Scalar>
Matrix<Scalar> pairwise_distances(const Matrix<Scalar>& X) {
  Matrix<Scalar> D(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.rows(); ++j) D(i, j) = (X.row(i) - X.row(j)).norm();
  return D;
}

/// n x p standard normal numbers.
template <class Scalar>
Matrix<Scalar> gaussian(Index n, Index p, std::uint64_t seed = 1) {
  return unfurl::Random(seed).normal_matrix<Scalar>(n, p);
}

}  // namespace test
