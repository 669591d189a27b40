#pragma once

#include <Eigen/Eigenvalues>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/spectral/eigen_pairs.hpp"
#include "unfurl/spectral/operators.hpp"

namespace unfurl {

/// All eigenpairs by tridiagonalisation, of which k are kept: about 9 n^3 operations and three n x
/// n matrices. Nothing can be missed, so it is the reference for the iterative solvers and their
/// last resort.
struct DenseSolver {
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which) const {
    using Scalar = typename A::Scalar;
    if constexpr (std::is_same_v<A, Matrix<Scalar>>)
      return solve(a, k, which);
    else if constexpr (is_symmetric_operator_v<A>)
      return solve(materialise(a), k, which);
    else
      return solve(Matrix<Scalar>(a), k, which);
  }

 private:
  template <class Scalar>
  static EigenPairs<Scalar> solve(const Matrix<Scalar>& A, Index k, Which which) {
    const Index n = A.rows();
    const Scalar scale = n > 0 ? A.cwiseAbs().maxCoeff() : Scalar(0);
    // Scaled to 1 so that tiny or huge matrices neither underflow nor overflow inside.
    const Scalar factor = scale > 0 ? Scalar(1) / scale : Scalar(1);
    const Eigen::SelfAdjointEigenSolver<Matrix<Scalar>> solver(A * factor);
    if (solver.info() != Eigen::Success || !solver.eigenvectors().allFinite())
      throw ConvergenceError(
          detail::text("DenseSolver: the decomposition of a ", n, " x ", n,
                       " matrix did not converge; does it contain NaN, Inf or 1e300?"),
          k, 0, 0, std::numeric_limits<double>::infinity());
    EigenPairs<Scalar> pairs{Vector<Scalar>(k), Matrix<Scalar>(n, k)};
    for (Index j = 0; j < k; ++j) {
      const Index from = which == Which::largest ? n - 1 - j : j;
      pairs.values(j) = solver.eigenvalues()(from) / factor;
      pairs.vectors.col(j) = solver.eigenvectors().col(from);
    }
    fix_signs(pairs.vectors);
    pairs.info.path = detail::text("dense ", n, " x ", n);
    pairs.info.complete = true;
    pairs.info.evidence = "all eigenvalues were computed";
    if (k < n)
      pairs.info.next_value = static_cast<double>(
          solver.eigenvalues()(which == Which::largest ? n - 1 - k : k) / factor);
    return pairs;
  }
};

}  // namespace unfurl
