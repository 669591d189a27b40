#pragma once

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "unfurl/core/columns.hpp"
#include "unfurl/spectral/krylov.hpp"

namespace unfurl {

namespace detail {

/// Spectra's implicitly restarted Lanczos. (A template so that programs which do not use it do not
/// compile it.)
template <class Real>
std::optional<EigenPairs<Real>> solve_by_spectra(DeflatedOperator<Real>& op, Index k,
                                                 const KrylovOptions& options,
                                                 std::uint64_t start) {
  const Index subspace = std::max(2 * k + 1, Index{20});
  const Matrix<Real> first = Random(options.seed, start).normal_matrix<Real>(op.rows(), 1);
  Spectra::SymEigsSolver<DeflatedOperator<Real>> solver(op, k, subspace);
  solver.init(first.data());
  solver.compute(Spectra::SortRule::LargestAlge, options.max_products / (subspace - k),
                 options.tolerance);
  if (solver.info() != Spectra::CompInfo::Successful) return std::nullopt;
  EigenPairs<Real> pairs{solver.eigenvalues(), solver.eigenvectors()};
  if (pairs.values.size() != k || pairs.vectors.cols() != k) return std::nullopt;
  return pairs;
}

/// The pairs of A at either end by an engine.
template <class Real>
EigenPairs<Real> solve_iteratively(const KrylovEngine<Real>& engine, const SymmetricOperator& op,
                                   Index k, Which which, const Matrix<Real>& known,
                                   const KrylovOptions& options) {
  const double bound = op.norm_bound();
  const double norm = bound > 0 ? bound : estimate_norm<Real>(op, options.seed);
  if (!(norm > 0)) {  // the zero matrix, which has no Krylov space
    EigenPairs<Real> zero{Vector<Real>::Zero(k), Matrix<Real>::Identity(op.rows(), k)};
    zero.info = {"zero operator", true, "every vector is an eigenvector", 0, 0};
    return zero;
  }
  // (1 + A / |A|) / 2 has its spectrum in [0, 1] with the wanted end at the top: a tolerance that
  // is relative to the eigenvalue becomes one relative to |A|.
  const double factor = (which == Which::largest ? 0.5 : -0.5) / norm;
  KrylovSolver<Real> solver(engine, op, 0.5, factor, known, options);
  EigenPairs<Real> pairs = solver.largest(k);
  if (!options.search_missing) pairs.info.evidence = "no search for missed multiplicities was made";
  pairs.info.next_value = (pairs.info.next_value - 0.5) / factor;
  if (solver.from_one_space())
    for (Index j = 0; j < k; ++j) pairs.values(j) = (pairs.values(j) - 0.5) / factor;
  else
    rayleigh_ritz(op, pairs, which);
  fix_signs(pairs.vectors);
  return pairs;
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE std::optional<EigenPairs<double>> solve_by_spectra<double>(
    DeflatedOperator<double>&, Index, const KrylovOptions&, std::uint64_t);
UNFURL_TEMPLATE EigenPairs<double> solve_iteratively<double>(const KrylovEngine<double>&,
                                                             const SymmetricOperator&, Index, Which,
                                                             const Matrix<double>&,
                                                             const KrylovOptions&);
#endif

}  // namespace detail

/// A few eigenpairs at either end by products with A alone, repeated eigenvalues with their full
/// multiplicity: Lanczos iteration (Spectra) for sparse matrices and operators, block Lanczos for
/// dense matrices, which are read once for several vectors. Good where the wanted eigenvalues stand
/// apart from the rest: top of a covariance or of a double-centred distance matrix, graphs of
/// high-dimensional data. Cost: some tens of products, and about 20 + 2 k vectors of double.
struct LanczosSolver {
  std::uint64_t seed = 0;  ///< of the start vectors
  double tolerance = 0;  ///< of the residuals relative to |A|; 0: 1e-12 (1e-6: operators in float)
  const Parallel* parallel = nullptr;  ///< borrowed; null: all cores
  bool search_missing = true;  ///< look for missed multiplicities; costs about one more solve

  /// k eigenpairs at one end of the spectrum.
  /// \param a a dense or sparse symmetric matrix, or an operator.
  /// \param k number of pairs, at least 1.
  /// \param which end of the spectrum.
  /// \param known orthonormal eigenvectors that are neither wanted nor computed again.
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which,
                                            const Matrix<typename A::Scalar>& known = {}) const {
    using Scalar = typename A::Scalar;
    const Parallel own(parallel ? 1 : 0);
    const Parallel& threads = parallel ? *parallel : own;
    const Matrix<double> beside = detail::converted<double>(known);
    detail::KrylovOptions options;
    options.seed = seed;
    options.search_missing = search_missing;
    if (tolerance > 0) options.tolerance = tolerance;
    if constexpr (std::is_same_v<A, Matrix<Scalar>>) {
      return detail::solve_iteratively<double>({"block Lanczos", detail::solve_by_blocks<double>},
                                               DenseOperator<Scalar>(a, threads), k, which, beside,
                                               options)
          .template cast<Scalar>();
    } else if constexpr (std::is_base_of_v<SymmetricOperator, A>) {
      return detail::solve_iteratively<double>({"block Lanczos", detail::solve_by_blocks<double>},
                                               a, k, which, beside, options);
    } else if constexpr (is_symmetric_operator_v<A>) {
      if (tolerance <= 0 && std::is_same_v<Scalar, float>) options.tolerance = 1e-6;
      return detail::solve_iteratively<double>({"Lanczos", detail::solve_by_spectra<double>},
                                               OperatorOf<A>(a), k, which, beside, options)
          .template cast<Scalar>();
    } else {
      return detail::solve_iteratively<double>({"Lanczos", detail::solve_by_spectra<double>},
                                               SparseOperator<Scalar>(a, threads), k, which, beside,
                                               options)
          .template cast<Scalar>();
    }
  }
};

}  // namespace unfurl
