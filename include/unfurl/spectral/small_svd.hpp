#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "unfurl/core/deferred.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// A = U S V^T of a small square matrix.
template <class Real = double>
struct SmallSVD {
  Vector<Real> singular_values;  // descending
  Matrix<Real> US;               // U S; a zero column where the singular value is zero
  Matrix<Real> V;
};

/// One-sided Jacobi (Hestenes 1958): rotations turn the columns of A orthogonal to each other,
/// every singular value coming out with small relative error. About 10 n^3 operations a sweep, ten
/// sweeps.
template <class Real = double>
SmallSVD<Real> small_svd(Dense<Real> A) {
  const Index n = A.cols();
  Matrix<Real> V = Matrix<Real>::Identity(n, n);
  const Real epsilon = std::numeric_limits<Real>::epsilon();
  for (int sweep = 0; sweep < 40; ++sweep) {
    bool rotated = false;
    for (Index p = 0; p + 1 < n; ++p)
      for (Index q = p + 1; q < n; ++q) {
        const Real *left = A.data() + n * p, *right = A.data() + n * q;
        const Real a = dot(n, left, left), b = dot(n, right, right), c = dot(n, left, right);
        if (!(std::abs(c) > epsilon * std::sqrt(a) * std::sqrt(b))) continue;
        rotated = true;
        const Real zeta = (b - a) / (2 * c);
        const Real t = std::copysign(Real(1), zeta) / (std::abs(zeta) + std::hypot(Real(1), zeta));
        const Real cosine = 1 / std::hypot(Real(1), t), sine = cosine * t;
        for (Matrix<Real>* M : {&A, &V})
          for (Index i = 0; i < n; ++i) {
            const Real x = (*M)(i, p), y = (*M)(i, q);
            (*M)(i, p) = cosine * x - sine * y;
            (*M)(i, q) = sine * x + cosine * y;
          }
      }
    if (!rotated) break;
  }
  Vector<Real> norms(n);
  for (Index j = 0; j < n; ++j) norms(j) = norm(n, A.data() + n * j);
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    return norms(i) > norms(j) || (norms(i) == norms(j) && i < j);
  });
  SmallSVD<Real> svd{Vector<Real>(n), Matrix<Real>(n, n), Matrix<Real>(n, n)};
  for (Index j = 0; j < n; ++j) {
    const Index from = order[static_cast<std::size_t>(j)];
    svd.singular_values(j) = norms(from);
    std::copy_n(A.data() + n * from, n, svd.US.data() + n * j);
    std::copy_n(V.data() + n * from, n, svd.V.data() + n * j);
  }
  return svd;
}

}  // namespace unfurl::detail
