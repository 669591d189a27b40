#pragma once

#include <cstdint>
#include <vector>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/deferred.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Turns columns [from, to) of W, given orthonormal columns before them, into orthonormal ones too:
/// Gram–Schmidt, each column orthogonalised twice, which is orthogonal to rounding ("twice is
/// enough", Giraud et al. 2005). A column that depends on those before it is replaced by a random
/// direction. \returns the coefficients R with W = Q R, zero on the diagonal for replaced columns.
template <class Real = double>
Matrix<Real> orthonormalise(Dense<Real>& W, Index from, Index to) {
  const Index n = W.rows();
  Matrix<Real> R = Matrix<Real>::Zero(to, to);
  for (Index j = from; j < to; ++j) {
    Real* const w = W.data() + n * j;
    const auto project = [&](Real* along) {
      for (Index i = 0; i < j; ++i) {
        const Real part = dot(n, W.data() + n * i, w);
        add_multiple(n, -part, W.data() + n * i, w);
        along[i] += part;
      }
    };
    const Real negligible = Real(1e-14) * norm(n, w);
    for (int pass = 0; pass < 2; ++pass) project(R.data() + to * j);
    Real length = norm(n, w);
    const bool depends = !(length > negligible);
    R(j, j) = depends ? 0 : length;
    // However large the column was, a random one is about 1 long in each direction that is left.
    if (depends) length = 0;
    for (std::uint64_t attempt = 0; depends && !(length > Real(1e-3)); ++attempt) {
      Random random(attempt, static_cast<std::uint64_t>(j));
      for (Index i = 0; i < n; ++i) w[i] = static_cast<Real>(random.normal());
      std::vector<Real> unused(static_cast<std::size_t>(j));
      for (int pass = 0; pass < 3; ++pass) project(unused.data());
      length = norm(n, w);
    }
    for (Index i = 0; i < n; ++i) w[i] /= length;
  }
  return R;
}

template <class Real = double>
Matrix<Real> orthonormalise(Dense<Real>& W) {
  return orthonormalise<Real>(W, 0, W.cols());
}

/// Orthonormal columns that span those of W.
template <class Scalar>
Matrix<Scalar> orthonormal(const Matrix<Scalar>& W) {
  Matrix<double> Q = converted<double>(W);
  orthonormalise<double>(Q);
  return converted<Scalar>(Q);
}

}  // namespace unfurl::detail
