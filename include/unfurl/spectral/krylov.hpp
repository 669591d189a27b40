#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/spectral/block_krylov.hpp"
#include "unfurl/spectral/dense.hpp"
#include "unfurl/spectral/eigen_pairs.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/orthonormal.hpp"

/// Eigenpairs by products with an operator, none missing. A Krylov space grown from one vector
/// contains one direction of each eigenspace, and one grown from a block has as many as the block
/// is wide; so a solver can report success with twins missing (a circle would lose its sine). Every
/// solve is therefore followed by a deflation search: project out what was found, look for the best
/// eigenvalue of the rest from a fresh start, take it in if it belongs, repeat until it does not.
namespace unfurl::detail {

struct KrylovOptions {
  std::uint64_t seed = 0;
  double tolerance = 1e-12;    ///< of the residual, relative to the eigenvalue
  Index max_products = 5000;   ///< per try
  bool search_missing = true;  ///< run the deflation search
  bool single = false;         ///< from one vector: fewer products, but no eigenvalue twice
};

/// y = P (shift + factor A) P x + floor (x - P x), where P projects out the columns of Q: what was
/// found is moved to `floor`, below everything that is wanted.
template <class Real = double>
class DeflatedOperator final : public SymmetricOperator {
 public:
  DeflatedOperator(const SymmetricOperator& op, const Matrix<Real>& Q, double shift, double factor)
      : op_(op), Q_(Q), shift_(shift), factor_(factor) {}

  Index rows() const override { return op_.rows(); }
  Index n_products() const { return n_products_; }
  bool failed() const { return failed_; }

  void perform_op(const double* x, double* y) const override {
    Matrix<Real> X(rows(), 1), Y(rows(), 1);
    std::copy_n(x, rows(), X.data());
    perform_block(X, Y);
    std::copy_n(Y.data(), rows(), y);
  }

  void perform_block(const Matrix<Real>& X, Matrix<Real>& Y) const override {
    Matrix<Real> inside = X;
    project_out<Real>(Q_, inside);
    try {
      op_.perform_block(inside, Y);
    } catch (...) {
      failed_ = true;  // the operator's own error, not the solver's
      throw;
    }
    n_products_ += X.cols();
    const Index size = X.size();
    const Real *in = X.data(), *projected = inside.data();
    Real* out = Y.data();
    for (Index i = 0; i < size; ++i) out[i] = shift_ * projected[i] + factor_ * out[i];
    project_out<Real>(Q_, Y);
    for (Index i = 0; i < size; ++i) out[i] += floor * (in[i] - projected[i]);
  }

 private:
  static constexpr double floor = -2;

  const SymmetricOperator& op_;
  const Matrix<Real>& Q_;
  double shift_, factor_;
  mutable Index n_products_ = 0;
  mutable bool failed_ = false;
};

/// Makes the first try at the k largest pairs: nothing or wrong pairs where it fails; block Lanczos
/// is asked next. (A pointer, so that solvers with different engines are compiled once.)
template <class Real = double>
struct KrylovEngine {
  using Solve = std::optional<EigenPairs<Real>>(DeflatedOperator<Real>& op, Index k,
                                                const KrylovOptions& options, std::uint64_t start);
  const char* name;
  Solve* solve;
};

/// Block Lanczos: for operators that are read once for several vectors.
template <class Real>
std::optional<EigenPairs<Real>> solve_by_blocks(DeflatedOperator<Real>& op, Index k,
                                                const KrylovOptions& options, std::uint64_t start) {
  return block_krylov<Real>(op, k, options.tolerance, options.max_products,
                            options.seed + 1000003 * start,
                            KrylovSpace(op.rows(), k, options.single));
}

/// One problem, solved from the upper end of shift + factor A.
template <class Real = double>
class KrylovSolver {
 public:
  /// \param known orthonormal eigenvectors that are not wanted and not computed again.
  KrylovSolver(const KrylovEngine<Real>& engine, const SymmetricOperator& op, double shift,
               double factor, const Matrix<Real>& known, const KrylovOptions& options)
      : engine_(engine), op_(op), shift_(shift), factor_(factor), options_(options), Q_(known) {
    if (Q_.size() == 0) Q_.resize(op.rows(), 0);
  }

  /// The k largest eigenvalues of shift + factor A (descending) with their vectors.
  EigenPairs<Real> largest(Index k) {
    EigenPairs<Real> pairs = solve(k);
    take_in(pairs.vectors);
    if (options_.search_missing) {
      Index n_repairs = 0;
      double next = -std::numeric_limits<double>::infinity();
      while (Q_.cols() < op_.rows()) {
        const EigenPairs<Real> extra = search_beside(pairs.values(k - 1));
        const bool belongs = extra.values(0) > pairs.values(k - 1) + 100 * options_.tolerance;
        // The first value beyond the wanted ones: this one, or one that is pushed out.
        next = std::max(next, belongs ? pairs.values(k - 1) : extra.values(0));
        if (!belongs) break;
        take_in(extra.vectors);
        insert(pairs, extra);
        from_one_space_ = false;
        ++n_repairs;
      }
      if (std::isfinite(next)) pairs.info.next_value = next;
      pairs.info.complete = true;
      pairs.info.evidence =
          n_repairs == 0 ? "a second search beside the pairs found none"
                         : text("a search beside the pairs found ", n_repairs, " more, then none");
    }
    pairs.info.path = text(engine_.name, ", ", n_products_, " products");
    return pairs;
  }

  /// The pairs are Ritz pairs of one space, orthonormal and in order, as block Lanczos makes them.
  bool from_one_space() const { return from_one_space_; }

 private:
  /// One search in the complement of Q; never fewer than k pairs, and none that is not one. The
  /// engine first, then block Lanczos, then dense where that can be afforded.
  EigenPairs<Real> solve(Index k) {
    const Index n = op_.rows(), room = n - Q_.cols();
    // Without room for a Krylov space the dense solver is the faster one too.
    if (std::max(2 * k + 1, Index{20}) >= room) return solve_here_densely(k);
    DeflatedOperator<Real> deflated(op_, Q_, shift_, factor_);
    std::optional<EigenPairs<Real>> pairs;
    try {
      pairs = engine_.solve(deflated, k, options_, ++n_starts_);
    } catch (const std::runtime_error&) {
      if (deflated.failed()) throw;
    }
    const bool trusted = engine_.solve == solve_by_blocks<Real>;  // it measures its residuals
    if (!pairs || !(trusted || are_pairs(deflated, *pairs)))
      pairs = solve_by_blocks<Real>(deflated, k, options_, ++n_starts_);
    else if (!trusted)
      from_one_space_ = false;
    n_products_ += deflated.n_products();
    if (pairs) return *pairs;
    if (n <= 3000) return solve_here_densely(k);
    throw ConvergenceError(text(engine_.name, ": ", k, " eigenpairs of a ", n, " x ", n,
                                " operator did not converge in ", n_products_,
                                " products; ask for fewer components, or use another solver"),
                           k, 0, n_products_, std::numeric_limits<double>::infinity());
  }

  /// The best of what is left, or, if it lies clearly below `last`, an estimate of it: to see that
  /// there is nothing more to find takes fewer products than to compute what there is.
  EigenPairs<Real> search_beside(double last) {
    const Index room = op_.rows() - Q_.cols();
    if (room <= 20) return solve(1);
    DeflatedOperator<Real> deflated(op_, Q_, shift_, factor_);
    const auto found = block_krylov<Real>(deflated, 1, options_.tolerance, options_.max_products,
                                          options_.seed + 1000003 * ++n_starts_,
                                          KrylovSpace(op_.rows(), 1), last - 1e-3 * std::abs(last));
    n_products_ += deflated.n_products();
    return found ? *found : solve(1);
  }

  /// An engine may call anything a success: Spectra continues with rounding errors when its space
  /// is exhausted.
  static bool are_pairs(const DeflatedOperator<Real>& deflated, const EigenPairs<Real>& pairs) {
    const Index k = pairs.values.size();
    const Matrix<Real> residual =
        residuals(apply<Real>(deflated, pairs.vectors), pairs.vectors, pairs.values, k);
    const Matrix<Real> inner = inner_product<Real>(pairs.vectors, pairs.vectors);
    // Written so that NaN fails.
    for (Index i = 0; i < residual.size(); ++i)
      if (!(std::abs(residual.data()[i]) < 1e-8)) return false;
    for (Index j = 0; j < k; ++j)
      for (Index i = 0; i < k; ++i)
        if (!(std::abs(inner(i, j) - (i == j ? 1 : 0)) < 1e-8)) return false;
    return true;
  }

  EigenPairs<Real> solve_here_densely(Index k) {
    n_products_ += op_.rows();
    return solve_densely<Real>(materialise<Real>(DeflatedOperator<Real>(op_, Q_, shift_, factor_)),
                               k, Which::largest);
  }

  /// Adds to the orthonormal Q.
  void take_in(const Matrix<Real>& vectors) {
    Matrix<Real> all(op_.rows(), Q_.cols() + vectors.cols());
    set_columns(all, 0, Q_, Q_.cols());
    set_columns(all, Q_.cols(), vectors, vectors.cols());
    Q_ = std::move(all);
    orthonormalise<Real>(Q_);
  }

  /// Puts one more pair in its place and lets the last one go.
  static void insert(EigenPairs<Real>& pairs, const EigenPairs<Real>& extra) {
    Index at = pairs.values.size() - 1;
    for (; at > 0 && pairs.values(at - 1) < extra.values(0); --at) {
      pairs.values(at) = pairs.values(at - 1);
      set_columns(pairs.vectors, at, columns(pairs.vectors, at - 1, 1), 1);
    }
    pairs.values(at) = extra.values(0);
    set_columns(pairs.vectors, at, extra.vectors, 1);
  }

  const KrylovEngine<Real> engine_;
  const SymmetricOperator& op_;
  double shift_, factor_;
  KrylovOptions options_;
  Matrix<Real> Q_;
  Index n_products_ = 0;
  std::uint64_t n_starts_ = 0;
  bool from_one_space_ = true;
};

/// Rayleigh–Ritz: the best pairs of A within the span of the vectors, ordered by `which`. Cleans
/// up the orthogonality of vectors that came from several searches.
template <class Real>
void rayleigh_ritz(const SymmetricOperator& op, EigenPairs<Real>& pairs, Which which) {
  orthonormalise<Real>(pairs.vectors);
  Matrix<Real> T = inner_product<Real>(pairs.vectors, apply<Real>(op, pairs.vectors));
  symmetrise(T);
  const EigenPairs<Real> small = solve_densely<Real>(T, T.rows(), which);
  pairs.values = small.values;
  pairs.vectors = product<Real>(pairs.vectors, small.vectors);
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE std::optional<EigenPairs<double>> solve_by_blocks<double>(DeflatedOperator<double>&,
                                                                          Index,
                                                                          const KrylovOptions&,
                                                                          std::uint64_t);
#endif

}  // namespace unfurl::detail
