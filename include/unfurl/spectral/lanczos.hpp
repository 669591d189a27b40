#pragma once

#include <type_traits>

#include "unfurl/spectral/krylov.hpp"

namespace unfurl {

/// A few eigenpairs at either end by Lanczos iteration on products with A alone (Spectra), repeated
/// eigenvalues with their full multiplicity. Good where the wanted eigenvalues stand apart from the
/// rest: top of a covariance or of a double-centred distance matrix, graphs of high-dimensional
/// data. Cost: some tens of products, and about 20 + 2 k vectors of double.
struct LanczosSolver {
  std::uint64_t seed = 0;
  double tolerance = 0;  ///< of the residuals relative to |A|; 0: 1e-12 (1e-6: operators in float)
  const Parallel* parallel = nullptr;  ///< borrowed; null: all cores
  bool search_missing = true;  ///< look for missed multiplicities; costs about one more solve

  /// \param known orthonormal eigenvectors that are neither wanted nor computed again.
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which,
                                            const Matrix<typename A::Scalar>& known = {}) const {
    using Scalar = typename A::Scalar;
    const Parallel own(parallel ? 1 : 0);
    const Parallel& threads = parallel ? *parallel : own;
    const Matrix<double> beside = known.template cast<double>();
    if constexpr (is_symmetric_operator_v<A>)
      return solve(OperatorOf<A>(a), k, which, beside, std::is_same_v<Scalar, float> ? 1e-6 : 1e-12)
          .template cast<Scalar>();
    else if constexpr (std::is_same_v<A, Matrix<Scalar>>)
      return solve(DenseOperator<Scalar>(a, threads), k, which, beside).template cast<Scalar>();
    else
      return solve(SparseOperator<Scalar>(a, threads), k, which, beside).template cast<Scalar>();
  }

 private:
  EigenPairs<double> solve(const SymmetricOperator& op, Index k, Which which,
                           const Matrix<double>& known, double default_tolerance = 1e-12) const {
    const double norm = estimate_norm(op, seed);
    if (!(norm > 0)) {  // the zero matrix, which Spectra cannot take
      EigenPairs<double> zero{Vector<double>::Zero(k), Matrix<double>::Identity(op.rows(), k)};
      zero.info = {"zero operator", true, "every vector is an eigenvector", 0, 0};
      return zero;
    }
    // (1 + A / |A|) / 2 has its spectrum in [0, 1] with the wanted end at the top: Spectra's
    // tolerance, which is relative to the eigenvalue, becomes one relative to |A|.
    const double factor = (which == Which::largest ? 0.5 : -0.5) / norm;
    detail::KrylovOptions options;
    options.seed = seed;
    options.tolerance = tolerance > 0 ? tolerance : default_tolerance;
    options.search_missing = search_missing;
    EigenPairs<double> pairs =
        detail::KrylovSolver("Lanczos", op, 0.5, factor, known, options).largest(k);
    if (!search_missing) pairs.info.evidence = "no search for missed multiplicities was made";
    pairs.info.next_value = (pairs.info.next_value - 0.5) / factor;
    detail::rayleigh_ritz(op, pairs, which);
    fix_signs(pairs.vectors);
    return pairs;
  }
};

}  // namespace unfurl
