#pragma once

#include <algorithm>
#include <cmath>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/spectral/factorization.hpp"
#include "unfurl/spectral/lanczos.hpp"

namespace unfurl {

/// The smallest eigenpairs of a symmetric positive semi-definite sparse matrix (a Laplacian, LLE's
/// M) by Lanczos on (A - sigma I)^-1, where they are far apart, with sigma a little below zero. The
/// best choice where the factor stays sparse: graphs of curves and surfaces. Cost: one sparse
/// LDL^T and ten to forty triangular solves; a second LDL^T counts the eigenvalues below the last
/// one found, which proves that none is missing.
struct ShiftInvertSolver {
  std::uint64_t seed = 0;  ///< of the start vectors
  double tolerance = 0;    ///< 0: 1e-12
  /// sigma = -shift |A|_inf; 0: 1e-6, or 1e-12 when the null vectors are given as `known`. Too
  /// close to an eigenvalue the factor is singular, too far the wanted eigenvalues crowd together.
  double shift = 0;
  const Parallel* parallel = nullptr;  ///< borrowed; null: all cores

  /// The k smallest eigenpairs.
  /// \param A symmetric, positive semi-definite.
  /// \param k number of pairs, at least 1.
  /// \param which must be Which::smallest.
  /// \param known orthonormal eigenvectors that are neither wanted nor computed again, such as the
  /// constant vector of a connected graph.
  template <class Scalar>
  EigenPairs<Scalar> operator()(const SparseMatrix<Scalar>& A, Index k, Which which,
                                const Matrix<Scalar>& known = {}) const {
    if (which != Which::smallest)
      throw ParameterError(
          "ShiftInvertSolver: it finds the smallest eigenvalues; use LanczosSolver for the "
          "largest");
    const SparseMatrix<double>& in_double = detail::in_precision<double>(A);
    const Parallel own(parallel ? 1 : 0);
    detail::ShiftedFactor<double> factor(in_double, parallel ? *parallel : own);
    return solve(in_double, factor, k, detail::converted<double>(known)).template cast<Scalar>();
  }

  /// With a factor whose symbolic analysis has been made.
  template <class Factor>
  EigenPairs<double> solve(const SparseMatrix<double>& A, Factor& factor, Index k,
                           Matrix<double> known) const;

  /// The largest sum of moduli in a column, at least the largest eigenvalue.
  static double inf_norm(const SparseMatrix<double>& A) {
    double norm = 0;
    for (Index j = 0; j < A.outerSize(); ++j) {
      double sum = 0;
      for (SparseMatrix<double>::InnerIterator it(A, j); it; ++it) sum += std::abs(it.value());
      norm = std::max(norm, sum);
    }
    return norm;
  }

 private:
  template <class Factor>
  class Inverse final : public SymmetricOperator {
   public:
    explicit Inverse(const Factor& factor) : factor_(factor) {}
    Index rows() const override { return factor_.rows(); }
    void perform_op(const double* x, double* y) const override { factor_.solve(x, y); }

   private:
    const Factor& factor_;
  };

  template <class Factor>
  static void factorize(Factor& factor, double sigma) {
    for (int attempt = 0; attempt < 4; ++attempt, sigma *= 8)
      if (factor.factorize(sigma)) return;
    throw NumericalError(
        "ShiftInvertSolver: the shifted matrix could not be factorised; is it symmetric and "
        "positive semi-definite?");
  }

  /// Counts the eigenvalues clearly below the last by the inertia of A - tau I and compares with
  /// those at hand. Eigenvalues that tie with the last are an arbitrary choice and not counted.
  template <class Factor>
  static bool count_agrees(const SparseOperator<double>& A, Factor& factor,
                           EigenPairs<double>& pairs, const Matrix<double>& known, double norm) {
    const double last = pairs.values(pairs.values.size() - 1);
    double margin = std::max(1e-7 * std::abs(last), 1e-13 * norm);
    if (last <= margin) {  // A has no negative eigenvalue
      pairs.info.complete = true;
      pairs.info.evidence =
          "the eigenvalues found are 0 to rounding, so none can be smaller; they cannot be told "
          "from "
          "others that are 0 to rounding";
      return true;
    }
    Vector<double> known_values(known.cols());
    for (Index j = 0; j < known.cols(); ++j) {
      Vector<double> image(A.rows());
      A.perform_op(known.col(j).data(), image.data());
      known_values(j) = known.col(j).dot(image);
    }
    for (int attempt = 0; attempt < 4; ++attempt, margin *= 3) {
      const double tau = last - margin;
      if (!factor.factorize(tau)) continue;
      const Index counted = factor.n_below();
      const Index at_hand =
          (pairs.values.array() < tau).count() + (known_values.array() < tau).count();
      pairs.info.complete = counted == at_hand;
      pairs.info.evidence =
          detail::text("inertia: ", counted, " eigenvalues below ", tau, ", ", at_hand, " at hand");
      return pairs.info.complete;
    }
    pairs.info.evidence = "the inertia could not be computed";
    return false;
  }
};

template <class Factor>
EigenPairs<double> ShiftInvertSolver::solve(const SparseMatrix<double>& A, Factor& factor, Index k,
                                            Matrix<double> known) const {
  const Index n = A.rows();
  if (known.size() == 0) known.resize(n, 0);
  const double norm = inf_norm(A);
  if (!(norm > 0)) return DenseSolver{}(A, k, Which::smallest);
  const double relative = shift > 0 ? shift : known.cols() > 0 ? 1e-12 : 1e-6;
  factorize(factor, -relative * norm);

  const Inverse<Factor> inverse(factor);
  detail::KrylovOptions options;
  options.seed = seed;
  if (tolerance > 0) options.tolerance = tolerance;
  options.single = true;
  options.search_missing = false;                          // the inertia below tells
  const Index wanted = std::min(k + 1, n - known.cols());  // one more, for the eigengap
  const detail::KrylovEngine<double> engine{"shift-invert Lanczos",
                                            detail::solve_by_blocks<double>};
  // No eigenvalue of A is above `norm`: those of `norm` times the inverse are at least 1.
  detail::KrylovSolver<double> first(engine, inverse, 0.0, norm, known, options);
  EigenPairs<double> pairs = first.largest(wanted);
  const double scale = pairs.values(0) / norm;
  const Parallel own(parallel ? 1 : 0);
  const SparseOperator<double> forward(A, parallel ? *parallel : own);
  detail::rayleigh_ritz(forward, pairs, Which::smallest);

  if (!count_agrees(forward, factor, pairs, known, norm)) {
    factorize(factor, -relative * norm);
    options.search_missing = true;
    options.single = false;
    detail::KrylovSolver<double> repair(engine, inverse, 0.0, 1 / scale, known, options);
    pairs = repair.largest(wanted);
    detail::rayleigh_ritz(forward, pairs, Which::smallest);
    const std::string search = pairs.info.evidence;
    pairs.info.complete = count_agrees(forward, factor, pairs, known, norm);
    if (!pairs.info.complete) pairs.info.evidence += " (" + search + ")";
  }
  if (wanted > k) {
    // Below rounding there is no gap.
    pairs.info.next_value = pairs.values(k) > 1e-13 * norm ? pairs.values(k) : pairs.values(k - 1);
    pairs.values.conservativeResize(k);
    pairs.vectors.conservativeResize(Eigen::NoChange, k);
  }
  fix_signs(pairs.vectors);
  return pairs;
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE EigenPairs<double> ShiftInvertSolver::solve(const SparseMatrix<double>&,
                                                            detail::ShiftedFactor<double>&, Index,
                                                            Matrix<double>) const;
#endif

}  // namespace unfurl
