#pragma once

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "unfurl/core/error.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/spectral/dense.hpp"
#include "unfurl/spectral/eigen_pairs.hpp"
#include "unfurl/spectral/operators.hpp"

/// The one place that calls Spectra. A Krylov space grown from one vector contains one direction of
/// each eigenspace, so Spectra can report success with twins missing (a circle would lose its
/// sine). Every solve is therefore followed by a deflation search: project out what was found, look
/// for the best eigenvalue of the rest from a fresh start, take it in if it belongs, repeat until
/// it does not.
namespace unfurl::detail {

struct KrylovOptions {
  std::uint64_t seed = 0;
  double tolerance = 0;        ///< of the residual relative to the eigenvalue; 0: by the scalar
  Index subspace = 0;          ///< vectors kept by Spectra ("ncv"); 0: max(20, 2 k + 1)
  Index max_restarts = 300;    ///< per try
  bool search_missing = true;  ///< run the deflation search
};

/// y = P (shift + factor A) P x + floor (x - P x), where P projects out the columns of Q: what was
/// found is moved to `floor`, below everything that is wanted.
template <class Op>
class DeflatedOperator {
 public:
  using Scalar = typename Op::Scalar;
  DeflatedOperator(const Op& op, const Matrix<Scalar>& Q, Scalar shift, Scalar factor)
      : op_(op), Q_(Q), shift_(shift), factor_(factor), x_(op.rows()), y_(op.rows()) {}

  Index rows() const { return op_.rows(); }
  Index cols() const { return op_.rows(); }
  Index n_products() const { return n_products_; }
  bool failed() const { return failed_; }

  void perform_op(const Scalar* x_in, Scalar* y_out) const {
    const Eigen::Map<const Vector<Scalar>> x(x_in, rows());
    Eigen::Map<Vector<Scalar>> y(y_out, rows());
    const Vector<Scalar> along = Q_.transpose() * x;
    x_.noalias() = x - Q_ * along;
    try {
      op_.perform_op(x_.data(), y_.data());
    } catch (...) {
      failed_ = true;  // the operator's own error, not Spectra's
      throw;
    }
    ++n_products_;
    y = shift_ * x_ + factor_ * y_;
    const Vector<Scalar> spill = Q_.transpose() * y;
    y.noalias() -= Q_ * (spill - floor * along);
  }

  static constexpr Scalar floor = Scalar(-2);

 private:
  const Op& op_;
  const Matrix<Scalar>& Q_;
  Scalar shift_, factor_;
  mutable Vector<Scalar> x_, y_;
  mutable Index n_products_ = 0;
  mutable bool failed_ = false;
};

/// One problem, solved from the upper end of shift + factor A.
template <class Op>
class KrylovSolver {
 public:
  using Scalar = typename Op::Scalar;

  /// \param known orthonormal eigenvectors that are not wanted and not computed again.
  KrylovSolver(const char* name, const Op& op, Scalar shift, Scalar factor,
               const Matrix<Scalar>& known, const KrylovOptions& options)
      : name_(name), op_(op), shift_(shift), factor_(factor), options_(options), Q_(known) {
    if (Q_.size() == 0) Q_.resize(op.rows(), 0);
    n_known_ = Q_.cols();
  }

  /// The k largest eigenvalues of shift + factor A (descending) with their vectors.
  EigenPairs<Scalar> largest(Index k) {
    EigenPairs<Scalar> found = solve(k);
    take_in(found.vectors);
    EigenPairs<Scalar> pairs{found.values, found.vectors};
    if (options_.search_missing) {
      const Scalar distinct = 100 * static_cast<Scalar>(tolerance());
      while (Q_.cols() < op_.rows()) {
        const EigenPairs<Scalar> extra = solve(1);
        pairs.info.next_value = static_cast<double>(extra.values(0));
        if (!(extra.values(0) > pairs.values.minCoeff() + distinct)) break;
        take_in(extra.vectors);
        insert(pairs, extra);
        ++n_repairs_;
      }
      pairs.info.complete = true;
      pairs.info.evidence = n_repairs_ == 0 ? "a second search beside the pairs found none"
                                            : text("a search beside the pairs found ", n_repairs_,
                                                   " more, then none");
    } else {
      pairs.info.evidence = "no search for missing eigenvalues was made";
    }
    pairs.info.path = text(name_, ", ", n_products_, " products");
    return pairs;
  }

  Index n_products() const { return n_products_; }
  double tolerance() const {
    if (options_.tolerance > 0) return options_.tolerance;
    return std::is_same_v<Scalar, double> ? 1e-12 : 2e-6;
  }

 private:
  /// One search in the complement of Q, with retries; never fewer than k pairs.
  EigenPairs<Scalar> solve(Index k) {
    const Index n = op_.rows(), room = n - Q_.cols();
    Index subspace = std::max({options_.subspace, 2 * k + 1, Index{20}});
    Index converged = 0, iterations = 0;
    for (int attempt = 0; attempt < 4; ++attempt, subspace *= 2) {
      // Spectra wants k < ncv <= n; without that much room the dense solver is the faster one too.
      if (subspace >= room) return solve_densely(k);
      DeflatedOperator<Op> operation(op_, Q_, shift_, factor_);
      const Matrix<Scalar> start = Random(options_.seed, ++n_starts_).normal_matrix<Scalar>(n, 1);
      Spectra::SymEigsSolver<DeflatedOperator<Op>> solver(operation, k, subspace);
      bool success = false;
      try {
        solver.init(start.data());
        converged = solver.compute(Spectra::SortRule::LargestAlge, options_.max_restarts,
                                   static_cast<Scalar>(tolerance()));
        success = solver.info() == Spectra::CompInfo::Successful && converged == k;
      } catch (const std::runtime_error&) {
        if (operation.failed()) throw;  // else Spectra gave up on its small tridiagonal matrix
      }
      n_products_ += operation.n_products();
      iterations += operation.n_products();
      if (!success) continue;
      EigenPairs<Scalar> pairs{solver.eigenvalues(), solver.eigenvectors()};
      if (pairs.values.size() == k && pairs.vectors.allFinite()) return pairs;
    }
    if (op_.rows() <= 3000) return solve_densely(k);
    throw ConvergenceError(text(name_, ": only ", converged, " of ", k, " eigenpairs of a ", n,
                                " x ", n, " operator converged after ", iterations,
                                " products; ask for fewer components, or use another solver"),
                           k, converged, iterations, std::numeric_limits<double>::infinity());
  }

  EigenPairs<Scalar> solve_densely(Index k) {
    n_products_ += op_.rows();
    return DenseSolver{}(DeflatedOperator<Op>(op_, Q_, shift_, factor_), k, Which::largest);
  }

  /// Adds to the orthonormal Q, orthogonalised twice.
  void take_in(const Matrix<Scalar>& vectors) {
    const Index before = Q_.cols();
    Q_.conservativeResize(Eigen::NoChange, before + vectors.cols());
    for (Index j = 0; j < vectors.cols(); ++j) {
      Vector<Scalar> v = vectors.col(j);
      for (int pass = 0; pass < 2; ++pass)
        v -= Q_.leftCols(before + j) * (Q_.leftCols(before + j).transpose() * v);
      Q_.col(before + j) = v.normalized();
    }
  }

  /// Puts one more pair in its place and lets the last one go.
  static void insert(EigenPairs<Scalar>& pairs, const EigenPairs<Scalar>& extra) {
    Index at = pairs.values.size() - 1;
    for (; at > 0 && pairs.values(at - 1) < extra.values(0); --at) {
      pairs.values(at) = pairs.values(at - 1);
      pairs.vectors.col(at) = pairs.vectors.col(at - 1).eval();
    }
    pairs.values(at) = extra.values(0);
    pairs.vectors.col(at) = extra.vectors.col(0);
  }

  const char* name_;
  const Op& op_;
  Scalar shift_, factor_;
  KrylovOptions options_;
  Matrix<Scalar> Q_;
  Index n_known_ = 0, n_products_ = 0, n_repairs_ = 0;
  std::uint64_t n_starts_ = 0;
};

/// Rayleigh–Ritz: the best pairs of A within the span of the vectors, ordered by `which`. Cleans
/// up the orthogonality of vectors that came from several searches.
template <class Op>
void rayleigh_ritz(const Op& op, EigenPairs<typename Op::Scalar>& pairs, Which which) {
  using Scalar = typename Op::Scalar;
  const Index k = pairs.vectors.cols();
  const Matrix<Scalar> Q = Eigen::HouseholderQR<Matrix<Scalar>>(pairs.vectors).householderQ() *
                           Matrix<Scalar>::Identity(op.rows(), k);
  const Matrix<Scalar> T = Q.transpose() * apply(op, Q);
  const EigenPairs<Scalar> small =
      DenseSolver{}(Matrix<Scalar>((T + T.transpose()) / Scalar(2)), k, which);
  pairs.values = small.values;
  pairs.vectors = Q * small.vectors;
}

}  // namespace unfurl::detail
