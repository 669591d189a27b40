#pragma once

#include <Eigen/Eigenvalues>
#include <limits>
#include <type_traits>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/spectral/eigen_pairs.hpp"
#include "unfurl/spectral/operators.hpp"

namespace unfurl {

namespace detail {

inline EigenPairs<double> solve_densely(const Matrix<double>& A, Index k, Which which) {
  const Index n = A.rows();
  // Scaled to 1 so that tiny or huge matrices neither underflow nor overflow inside.
  const double largest = n > 0 ? A.cwiseAbs().maxCoeff() : 0;
  const double factor = largest > 0 ? 1 / largest : 1;
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> solver(A * factor);
  if (solver.info() != Eigen::Success || !solver.eigenvectors().allFinite())
    throw ConvergenceError(text("DenseSolver: the decomposition of a ", n, " x ", n,
                                " matrix did not converge; does it contain NaN or Inf?"),
                           k, 0, 0, std::numeric_limits<double>::infinity());
  EigenPairs<double> pairs{Vector<double>(k), Matrix<double>(n, k)};
  for (Index j = 0; j < k; ++j) {
    const Index from = which == Which::largest ? n - 1 - j : j;
    pairs.values(j) = solver.eigenvalues()(from) / factor;
    pairs.vectors.col(j) = solver.eigenvectors().col(from);
  }
  fix_signs(pairs.vectors);
  pairs.info.path = text("dense ", n, " x ", n);
  pairs.info.complete = true;
  pairs.info.evidence = "all eigenvalues were computed";
  if (k < n)
    pairs.info.next_value = solver.eigenvalues()(which == Which::largest ? n - 1 - k : k) / factor;
  return pairs;
}

}  // namespace detail

/// All eigenpairs by tridiagonalisation, of which k are kept: about 9 n^3 operations and three n x
/// n matrices of double. Nothing can be missed, so it is the reference for the iterative solvers
/// and their last resort.
struct DenseSolver {
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which) const {
    using Scalar = typename A::Scalar;
    if constexpr (is_symmetric_operator_v<A>)
      return detail::solve_densely(materialise(OperatorOf<A>(a)), k, which).template cast<Scalar>();
    else
      return detail::solve_densely(Matrix<Scalar>(a).template cast<double>(), k, which)
          .template cast<Scalar>();
  }
};

}  // namespace unfurl
