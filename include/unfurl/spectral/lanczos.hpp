#pragma once

#include <Eigen/QR>
#include <type_traits>

#include "unfurl/spectral/krylov.hpp"

namespace unfurl {

/// A few eigenpairs at either end by Lanczos iteration on products with A alone (Spectra), repeated
/// eigenvalues with their full multiplicity. Good where the wanted eigenvalues stand apart from the
/// rest: top of a covariance or of a double-centred distance matrix, graphs of high-dimensional
/// data. Cost: some tens of products, and about 20 + 2 k vectors.
struct LanczosSolver {
  std::uint64_t seed = 0;
  double tolerance = 0;  ///< of the residuals relative to |A|; 0: 1e-12 in double, 2e-6 in float
  const Parallel* parallel = nullptr;  ///< borrowed; null: all cores
  bool search_missing = true;  ///< look for missed multiplicities; costs about one more solve

  /// \param known orthonormal eigenvectors that are neither wanted nor computed again.
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which,
                                            const Matrix<typename A::Scalar>& known = {}) const {
    using Scalar = typename A::Scalar;
    const Parallel own(parallel ? 1 : 0);
    const Parallel& threads = parallel ? *parallel : own;
    if constexpr (is_symmetric_operator_v<A>)
      return solve(a, k, which, known);
    else if constexpr (std::is_same_v<A, Matrix<Scalar>>)
      return cast<Scalar>(solve(DenseOperator<Scalar>(a, threads), k, which,
                                Matrix<double>(known.template cast<double>())));
    else
      return cast<Scalar>(solve(SparseOperator<Scalar>(a, threads), k, which,
                                Matrix<double>(known.template cast<double>())));
  }

 private:
  template <class Scalar>
  static EigenPairs<Scalar> cast(const EigenPairs<double>& pairs) {
    return {pairs.values.template cast<Scalar>(), pairs.vectors.template cast<Scalar>(),
            pairs.info};
  }

  template <class Op>
  EigenPairs<typename Op::Scalar> solve(const Op& op, Index k, Which which,
                                        const Matrix<typename Op::Scalar>& known) const {
    using Scalar = typename Op::Scalar;
    const Scalar norm = estimate_norm(op, seed);
    if (!(norm > 0)) {  // the zero matrix, which Spectra cannot take
      EigenPairs<Scalar> zero{Vector<Scalar>::Zero(k), Matrix<Scalar>::Identity(op.rows(), k)};
      zero.info = {"zero operator", true, "every vector is an eigenvector", 0, 0};
      return zero;
    }
    // (1 + A / |A|) / 2 has its spectrum in [0, 1] with the wanted end at the top: Spectra's
    // tolerance, which is relative to the eigenvalue, becomes one relative to |A|.
    const Scalar factor = (which == Which::largest ? Scalar(0.5) : Scalar(-0.5)) / norm;
    detail::KrylovOptions options{seed, tolerance};
    options.search_missing = search_missing;
    detail::KrylovSolver<Op> krylov("Lanczos", op, Scalar(0.5), factor, known, options);
    EigenPairs<Scalar> pairs = krylov.largest(k);
    pairs.info.next_value = (pairs.info.next_value - 0.5) / static_cast<double>(factor);
    detail::rayleigh_ritz(op, pairs, which);
    fix_signs(pairs.vectors);
    return pairs;
  }
};

}  // namespace unfurl
