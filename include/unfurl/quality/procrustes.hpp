#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "unfurl/core/check.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

namespace detail {

/// The rows of X about their mean, scaled to unit Frobenius norm.
template <class Real>
Matrix<Real> standardized(const char* name, const char* matrix, Matrix<Real> X) {
  // Differences from the first row are exactly zero when all rows are equal; a mean is rounded.
  X = (X.rowwise() - X.row(0).eval()).eval();
  const Real largest = X.cwiseAbs().maxCoeff();
  if (!(largest > 0))
    throw NumericalError(text(name, ": all samples of ", matrix,
                              " are equal, so it has no shape to compare; give at least two "
                              "different samples"));
  X /= largest;  // the squares of tiny differences would underflow
  X = (X.rowwise() - X.colwise().mean().eval()).eval();
  return X / X.norm();
}

/// C = U S V^T, with as many rows as columns or more.
template <class Real>
struct Alignment {
  Matrix<Real> rotation;  // U V^T over the singular values that are not negligible
  Real sum_of_singular_values;
};

/// One-sided Jacobi (Hestenes 1958): rotations of the columns turn C into U S = C V.
template <class Real>
Alignment<Real> align(Matrix<Real> C) {
  const Index n = C.cols();
  Matrix<Real> V = Matrix<Real>::Identity(n, n);
  const auto rotate = [](Matrix<Real>& M, Index p, Index q, Real cosine, Real sine) {
    const Vector<Real> left = M.col(p);
    M.col(p) = cosine * left - sine * M.col(q);
    M.col(q) = sine * left + cosine * M.col(q);
  };
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < 40; ++sweep) {
    rotated = false;
    for (Index p = 0; p + 1 < n; ++p)
      for (Index q = p + 1; q < n; ++q) {
        const Real a = C.col(p).squaredNorm(), b = C.col(q).squaredNorm();
        const Real c = C.col(p).dot(C.col(q));
        const Real rounding = std::numeric_limits<Real>::epsilon() * std::sqrt(a) * std::sqrt(b);
        if (!(std::abs(c) > rounding)) continue;
        rotated = true;
        const Real zeta = (b - a) / (2 * c);
        const Real t = std::copysign(Real(1), zeta) / (std::abs(zeta) + std::hypot(Real(1), zeta));
        const Real cosine = 1 / std::hypot(Real(1), t);
        rotate(C, p, q, cosine, cosine * t);
        rotate(V, p, q, cosine, cosine * t);
      }
  }
  constexpr double negligible = 1e-150;  // against 1; squares of what is smaller lose digits
  Alignment<Real> alignment{Matrix<Real>::Zero(C.rows(), n), 0};
  for (Index j = 0; j < n; ++j) {
    const Real singular_value = C.col(j).norm();
    if (!(singular_value > negligible)) continue;
    alignment.rotation += C.col(j) / singular_value * V.col(j).transpose();
    alignment.sum_of_singular_values += singular_value;
  }
  return alignment;
}

}  // namespace detail

/// How far two sets of corresponding points are from having the same shape: what is left of their
/// squared distance after the best translation, rotation or reflection, and scaling (Gower 1975).
/// 0 for equal shapes, 1 at most. With A and B centred and scaled to unit Frobenius norm it is
///
///   min over s >= 0 and Q orthogonal of ||A - s B Q||^2 = 1 - (sum of singular values of A^T B)^2,
///
/// symmetric in A and B; the disparity of scipy.spatial.procrustes. Where the numbers of columns
/// differ, the narrower matrix is taken to have further columns of zeros. Computed as a residual in
/// double precision: equal shapes have about 1e-30, where the formula on the right would have
/// 1e-16. Time O(p q (n + min(p, q))), memory O(n (p + q)).
///
/// \param A n x p. \param B n x q; the scalar types may differ.
/// \throws DataError, DimensionError when A and B differ in their number of rows, NumericalError
///         when all rows of one are equal.
template <class First, class Second>
double procrustes_disparity(const Eigen::MatrixBase<First>& A, const Eigen::MatrixBase<Second>& B) {
  Matrix<double> wide = A.template cast<double>(), narrow = B.template cast<double>();
  const char* const name = "procrustes_disparity";
  if (wide.rows() != narrow.rows())
    throw DimensionError(detail::text(name, ": A has ", wide.rows(), " samples, B has ",
                                      narrow.rows(),
                                      "; they must be the same samples in the same order"));
  detail::check_samples<double>(name, wide, Parallel(1));
  detail::check_samples<double>(name, narrow, Parallel(1));
  wide = detail::standardized(name, "A", std::move(wide));
  narrow = detail::standardized(name, "B", std::move(narrow));
  if (wide.cols() < narrow.cols()) wide.swap(narrow);

  const Matrix<double> products = wide.transpose() * narrow;
  const auto [rotation, scale] = detail::align(products);
  const Matrix<double> aligned = wide * rotation;
  // Directions of `wide` that correlate with nothing in `narrow` have nothing to be turned to.
  const Matrix<double> left_out = wide - aligned * rotation.transpose();
  return (narrow - scale * aligned).squaredNorm() + scale * scale * left_out.squaredNorm();
}

}  // namespace unfurl
