#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "unfurl/core/random.hpp"
#include "unfurl/spectral/eigen_pairs.hpp"
#include "unfurl/spectral/operators.hpp"

namespace unfurl::detail {

/// Lanczos without restart from a unit vector, fully orthogonalised: the tridiagonal matrix.
inline Matrix<double> lanczos_matrix(const SymmetricOperator& op, Vector<double> q, Index steps) {
  Matrix<double> Q(op.rows(), steps), T = Matrix<double>::Zero(steps, steps);
  for (Index i = 0; i < steps; ++i) {
    Q.col(i) = q;
    Vector<double> r(op.rows());
    op.perform_op(q.data(), r.data());
    T(i, i) = q.dot(r);
    for (int pass = 0; pass < 2; ++pass)
      r -= Q.leftCols(i + 1) * (Q.leftCols(i + 1).transpose() * r);
    const double length = r.norm();
    if (i + 1 == steps || !(length > 1e-14 * std::abs(T(0, 0)) && length > 0))
      return T.topLeftCorner(i + 1, i + 1);
    T(i, i + 1) = T(i + 1, i) = length;
    q = r / length;
  }
  return T;
}

/// Sum of the moduli of the negative eigenvalues, given some of the pairs, by stochastic Lanczos
/// quadrature (Ubaru, Chen and Saad 2017): an estimate, exactly 0 when there are none. Beside the
/// given pairs the rest is small, so a few random vectors do.
inline double estimate_negative_sum(const SymmetricOperator& op, const EigenPairs<double>& known,
                                    std::uint64_t seed) {
  constexpr Index n_probes = 4, steps = 10;
  const Index n = op.rows(), room = n - known.values.size();
  double sum = 0;
  for (Index probe = 0; probe < n_probes; ++probe) {
    Vector<double> z =
        Random(seed, 1000 + static_cast<std::uint64_t>(probe)).normal_matrix<double>(n, 1);
    for (int pass = 0; pass < 2; ++pass)
      z -= known.vectors * (known.vectors.transpose() * z).eval();
    const Matrix<double> T = lanczos_matrix(op, z.normalized(), std::min(steps, room));
    const Eigen::SelfAdjointEigenSolver<Matrix<double>> quadrature(T);
    for (Index i = 0; i < T.rows(); ++i) {
      const double weight = quadrature.eigenvectors()(0, i);
      sum += weight * weight * std::max(0.0, -quadrature.eigenvalues()(i));
    }
  }
  return sum / n_probes * static_cast<double>(room) - known.values.cwiseMin(0.0).sum();
}

}  // namespace unfurl::detail
