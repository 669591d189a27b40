#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/spectral/eigen_pairs.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/symmetric_eigen.hpp"

namespace unfurl {

namespace detail {

template <class Real = double>
EigenPairs<Real> solve_densely(const Dense<Real>& A, Index k, Which which) {
  const Index n = A.rows();
  const bool descending = which == Which::largest;
  SymmetricEigen<Real> all = symmetric_eigen<Real>(A, descending ? n - k : 0, k);
  if (!all.converged)
    throw ConvergenceError(text("DenseSolver: the decomposition of a ", n, " x ", n,
                                " matrix did not converge; does it contain NaN or Inf?"),
                           k, 0, 0, std::numeric_limits<double>::infinity());
  EigenPairs<Real> pairs{Vector<Real>(k), std::move(all.vectors)};
  for (Index j = 0; j < k; ++j) pairs.values(j) = all.values(descending ? n - 1 - j : j);
  if (descending)
    for (Index j = 0; j < k / 2; ++j)
      std::swap_ranges(&pairs.vectors(0, j), &pairs.vectors(0, j) + n,
                       &pairs.vectors(0, k - 1 - j));
  fix_signs(pairs.vectors);
  pairs.info.path = text("dense ", n, " x ", n);
  pairs.info.complete = true;
  pairs.info.evidence = "all eigenvalues were computed";
  if (k < n) pairs.info.next_value = all.values(descending ? n - 1 - k : k);
  return pairs;
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE EigenPairs<double> solve_densely<double>(const Matrix<double>&, Index, Which);
#endif

}  // namespace detail

/// All eigenpairs by tridiagonalisation, of which k are kept: about 9 n^3 operations and three n x
/// n matrices of double. Nothing can be missed, so it is the reference for the iterative solvers
/// and their last resort.
struct DenseSolver {
  /// k pairs at one end of the spectrum of a symmetric matrix, dense or sparse, or of an operator.
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which) const {
    using Scalar = typename A::Scalar;
    if constexpr (is_symmetric_operator_v<A>)
      return detail::solve_densely(materialise(AnyOperator<A>(a)), k, which).template cast<Scalar>();
    else
      return detail::solve_densely(detail::converted<double>(Matrix<Scalar>(a)), k, which)
          .template cast<Scalar>();
  }
};

}  // namespace unfurl
