#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// A = U S V^T of a small square matrix.
struct SmallSVD {
  Vector<double> singular_values;  // descending
  Matrix<double> US;               // U S; a zero column where the singular value is zero
  Matrix<double> V;
};

/// One-sided Jacobi (Hestenes 1958): rotations turn the columns of A orthogonal to each other,
/// every singular value coming out with small relative error. About 10 n^3 operations a sweep, ten
/// sweeps.
inline SmallSVD small_svd(Matrix<double> A) {
  const Index n = A.cols();
  Matrix<double> V = Matrix<double>::Identity(n, n);
  const double epsilon = std::numeric_limits<double>::epsilon();
  for (int sweep = 0; sweep < 40; ++sweep) {
    bool rotated = false;
    for (Index p = 0; p + 1 < n; ++p)
      for (Index q = p + 1; q < n; ++q) {
        const double a = A.col(p).squaredNorm(), b = A.col(q).squaredNorm();
        const double c = A.col(p).dot(A.col(q));
        if (!(std::abs(c) > epsilon * std::sqrt(a) * std::sqrt(b))) continue;
        rotated = true;
        const double zeta = (b - a) / (2 * c);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double cosine = 1 / std::hypot(1.0, t), sine = cosine * t;
        for (Matrix<double>* M : {&A, &V})
          for (Index i = 0; i < n; ++i) {
            const double x = (*M)(i, p), y = (*M)(i, q);
            (*M)(i, p) = cosine * x - sine * y;
            (*M)(i, q) = sine * x + cosine * y;
          }
      }
    if (!rotated) break;
  }
  const Vector<double> norms = A.colwise().norm();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return norms(i) > norms(j); });
  SmallSVD svd{Vector<double>(n), Matrix<double>(n, n), Matrix<double>(n, n)};
  for (Index j = 0; j < n; ++j) {
    const Index from = order[static_cast<std::size_t>(j)];
    svd.singular_values(j) = norms(from);
    svd.US.col(j) = A.col(from);
    svd.V.col(j) = V.col(from);
  }
  return svd;
}

}  // namespace unfurl::detail
