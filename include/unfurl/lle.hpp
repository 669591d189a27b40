#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/check.hpp"
#include "unfurl/core/columns.hpp"
#include "unfurl/core/finite_places.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/graph/barycentric.hpp"
#include "unfurl/graph/graph_memory.hpp"
#include "unfurl/graph/neighborhoods.hpp"
#include "unfurl/graph/null_space.hpp"
#include "unfurl/neighbors/auto_search.hpp"
#include "unfurl/spectral/pairs_beside.hpp"

namespace unfurl {

/// Options of LLE. Set fields by name; new ones may be added at any place.
struct LLEOptions {
  /// Dimension of the embedding: at most n_features, and less than n_neighbors.
  Index n_components = 2;
  /// Each sample is composed of this many nearest ones.
  Index n_neighbors = 12;
  /// Compose it of all samples at most this far away instead; n_neighbors is then not used.
  std::optional<double> radius = std::nullopt;
  /// Times the trace of a neighbourhood's Gram matrix, added to its diagonal. Smaller is more exact
  /// on noise-free sheets, larger is steadier.
  double regularization = 1e-3;
  /// What to do when the neighbourhood graph has several components.
  OnDisconnected on_disconnected = OnDisconnected::error;
  std::uint64_t seed = 0;               ///< of start vectors
  int n_threads = 0;                    ///< 0: all cores; the result is the same for any number
  ProgressFunction progress = nullptr;  ///< see Progress; stopping throws CancelledError
  std::size_t memory_limit = 0;         ///< bytes; 0: four fifths of the machine's memory
};

/// Locally linear embedding: each sample is written as an affine combination of its neighbours, and
/// the embedding keeps these combinations: it minimises sum_i |y_i - sum_j w_ij y_j|^2, that is
/// Y^T M Y with M = (I - W)^T (I - W), under Y^T Y = n I and centred columns (Roweis and Saul
/// 2000).
///
/// Use it for a smooth, evenly sampled sheet when only neighbourhoods matter: distances are not
/// kept. It is fast and has no n x n matrix.
///
/// `transform` composes a new point of its neighbours among the training samples and takes the same
/// combination of their embedding (Saul and Roweis 2003). A training sample is returned as it was
/// embedded.
///
/// Time O(n k (k^2 + k d)) for the weights and a sparse factorisation, cheap on
/// sheets; in higher dimension the factor fills in. Peak of memory beside the data, n samples of d
/// features on a sheet: n (8 d + 300 k + 4.5 k^2) bytes; 5000 digits of MNIST in 50 dimensions take
/// eight times as much. A fitted or saved model holds the samples, the weights and the embedding.
///
/// Signs: in each column of the embedding the entry of largest modulus is positive.
///
/// \tparam Search finds neighbours; see neighbors/requirements.hpp.
/// \tparam Solver finds the smallest eigenpairs of a sparse matrix; see spectral/requirements.hpp.
/// \see \ref page_lle, examples/lle.cpp
template <class Scalar = double, class Search = AutoSearch, class Solver = AutoSolver>
class LLE {
  static_assert(is_scalar_v<Scalar>, "LLE<Scalar>: Scalar must be float or double");
  static_assert(is_neighbor_search_v<Search, Scalar>,
                "LLE<Scalar, Search>: Search must be a neighbour search; see "
                "neighbors/requirements.hpp");
  static_assert(
      is_eigen_solver_v<Solver, SparseMatrix<double>>,
      "LLE<Scalar, Search, Solver>: Solver must return EigenPairs<double> when called "
      "with (const SparseMatrix<double>&, Index k, Which); see spectral/requirements.hpp");

 public:
  /// Not fitted yet. The options are checked by `fit`.
  explicit LLE(LLEOptions options = {}, Search search = {}, Solver solver = {})
      : options_(std::move(options)), search_(std::move(search)), solver_(std::move(solver)) {}

  /// Embeds points.
  /// \param X n_samples x n_features.
  /// \throws ParameterError, DataError, DisconnectedGraphError, NumericalError, SizeLimitError,
  ///   CancelledError, ConvergenceError; the estimator then stays as it was.
  LLE& fit(const ConstMatrixRef<Scalar>& X) &;

  /// With neighbour lists of any metric for the rows of X; n_neighbors is used for new points only.
  /// \throws as `fit`; ParameterError for on_disconnected = bridge when there is something to
  /// bridge
  LLE& fit_neighbors(const ConstMatrixRef<Scalar>& X, const NeighborList<Scalar>& neighbors) &;
  /// The same with the arguments in the other order.
  LLE& fit_neighbors(const NeighborList<Scalar>& neighbors, const ConstMatrixRef<Scalar>& X) & {
    return fit_neighbors(X, neighbors);
  }

  /// `fit(X)`, and a copy of the embedding.
  Matrix<Scalar> fit_transform(const ConstMatrixRef<Scalar>& X) { return fit(X).embedding(); }

  /// Places new points.
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const;

  /// n_samples x n_components; columns have mean 0 and are orthogonal, of squared norm n.
  const Matrix<Scalar>& embedding() const { return fitted("embedding").embedding; }
  /// W, n_samples x n_samples: row i holds the weights of sample i, which sum to 1.
  const SparseMatrix<Scalar>& weights() const { return *fitted("weights").weights; }
  /// The n_components smallest eigenvalues of M beside the 0 of the constant vector.
  const Vector<Scalar>& eigenvalues() const { return fitted("eigenvalues").eigenvalues; }
  /// sum_i |y_i - sum_j w_ij y_j|^2 / n_samples: the sum of the eigenvalues.
  double reconstruction_error() const { return fitted("reconstruction_error").error; }
  /// With on_disconnected = largest_component: the rows of the input that were embedded, ascending;
  /// row i of the embedding is kept_samples()[i]. Empty when all of them were.
  const std::vector<Index>& kept_samples() const { return fitted("kept_samples").kept; }

  /// A `fit` or `load` has succeeded.
  bool is_fitted() const { return fitted_.has_value(); }
  /// Number of embedded samples.
  Index n_samples() const { return fitted("n_samples").embedding.rows(); }
  /// Number of columns that `fit` had and `transform` expects.
  Index n_features() const { return fitted("n_features").points.dimension(); }
  /// As given; after `load` those that the stream holds.
  const LLEOptions& options() const { return options_; }
  /// What `fit` did: path, certificate, seconds a stage. Empty after `load`.
  const FitReport& report() const { return fitted("report").report; }

  /// Writes samples, weights and embedding. \throws IoError
  void save(std::ostream& out) const;

  /// Reads what `save` wrote.
  /// \throws FormatError when the stream does not hold an LLE<Scalar>; IoError when it fails.
  static LLE load(std::istream& in);

 private:
  struct Fitted {
    detail::NeighborRule rule = {};
    double regularization = 0;
    IndexedPoints<Scalar, Search> points = {};
    std::vector<Index> kept = {};
    std::shared_ptr<const SparseMatrix<Scalar>> weights = nullptr;  // shared by copies
    Matrix<Scalar> embedding = {};
    Vector<Scalar> eigenvalues = {};
    double error = 0;
    FitReport report = {};
  };

  const Fitted& fitted(const char* member) const {
    detail::require_fitted(is_fitted(), "LLE", member);
    return *fitted_;
  }

  detail::NeighborRule rule() const { return {options_.n_neighbors, options_.radius}; }

  void check_options(Index n, Index d) const {
    const Index most = std::min(
        {n - 1, d, options_.radius ? n - 1 : std::max<Index>(1, options_.n_neighbors) - 1});
    detail::check_range<Index>(
        "LLE", "n_components", options_.n_components, 1, most,
        detail::text("n_samples = ", n, ", n_features = ", d,
                     ", n_neighbors = ", options_.n_neighbors, ", which must be more"));
    if (!(options_.regularization > 0) || std::isinf(options_.regularization))
      throw ParameterError(detail::text("LLE: regularization must be positive and finite, got ",
                                        options_.regularization));
  }

  void foresee(Index n, Index d, double n_neighbors, Run& run) const {
    const double weights = static_cast<double>(n) * n_neighbors;
    run.foresee("the eigenpairs",
                detail::neighborhood_bytes<Scalar>(n, d, n_neighbors) + 62 * weights,
                AutoSolver{}.bytes(n, options_.n_components,
                                   detail::surface_fill_of_squares(n, n_neighbors)),
                200 * weights);  // while the matrix is made
  }

  LLE& finish(detail::Neighborhoods<Scalar, Search> found, Run& run) {
    const Index n = found.list.size(), d = found.points.dimension();
    const Index k = options_.n_components;
    if (!found.kept.empty()) check_options(n, d);
    for (Index i = 0; i < n; ++i)
      if (found.list.count(i) == 0)
        throw DisconnectedGraphError(
            detail::text("LLE: sample ", i, " has no neighbour to be composed of; raise radius"),
            {n - 1, 1});

    run.stage("weights");
    foresee(n, d, static_cast<double>(found.list.total()) / static_cast<double>(n), run);
    const SparseMatrix<double> Wt =
        detail::transposed_weights(found.list, d, options_.regularization, run.parallel(),
                                   [&](Index i) { return found.points.point(i); });

    run.stage("matrix");
    const SparseMatrix<double> M = detail::squared_deviations(run.name(), Wt, run.parallel());

    run.stage("eigenpairs", true);
    const Components components = connected_components(found.graph);
    const Matrix<double> null = detail::null_vectors(Vector<double>::Ones(n), components);
    const Index n_null = detail::null_vectors_kept(components, k);
    EigenPairs<double> pairs{Vector<double>(0), Matrix<double>(n, 0)};
    if (k > n_null)
      pairs = detail::pairs_beside(M, SparseOperator<double>(M, run.parallel()), k - n_null,
                                   Which::smallest, null, ShiftInvertSolver::inf_norm(M),
                                   chosen_solver(), options_.seed, run);
    else
      detail::report_exact_null_space(run);
    detail::report_null_vectors(components, run);

    run.stage("embedding");
    Fitted f;
    Matrix<double> Y(n, k);
    detail::set_columns(Y, 0, null, n_null);
    detail::set_columns(Y, n_null, pairs.vectors, k - n_null);
    detail::scale(Y.size(), std::sqrt(static_cast<double>(n)), Y.data());
    f.embedding = detail::converted<Scalar>(Y);
    fix_signs(f.embedding);
    f.eigenvalues = Vector<Scalar>::Zero(k);
    for (Index c = n_null; c < k; ++c) {
      const double value = std::max(0.0, pairs.values(c - n_null));
      f.eigenvalues(c) = static_cast<Scalar>(value);
      f.error += value;
    }
    SparseMatrix<Scalar> W = detail::sparse_transposed<Scalar>(Wt);
    f.weights = detail::shared_sparse(W);
    f.rule = found.rule;
    f.regularization = options_.regularization;
    f.points = std::move(found.points);
    f.kept = std::move(found.kept);
    f.report = run.finish();
    fitted_ = std::move(f);
    return *this;
  }

  /// The wanted eigenvalues are 1e-6 to 1e-12 of the largest: products with M alone would not find
  /// them, so the library's own solver is told to factorise, whatever it costs.
  Solver chosen_solver() const {
    Solver solver = solver_;
    if constexpr (std::is_same_v<Solver, AutoSolver>) {
      solver.max_pattern_dimension = std::numeric_limits<double>::infinity();
      solver.max_factor_flops = std::numeric_limits<double>::infinity();
    }
    return solver;
  }

  LLEOptions options_;
  Search search_;
  Solver solver_;
  std::optional<Fitted> fitted_;
};

template <class Scalar, class Search, class Solver>
auto LLE<Scalar, Search, Solver>::fit(const ConstMatrixRef<Scalar>& X) & -> LLE& {
  Run run("LLE", options_);
  run.stage("checks");
  detail::check_training_samples<Scalar>(run.name(), X, run.parallel());
  check_options(X.rows(), X.cols());
  rule().check(run.name(), X.rows());
  foresee(X.rows(), X.cols(), static_cast<double>(rule().typical_count(X.rows())), run);
  return finish(detail::neighborhoods_of_points(X, rule(), options_.on_disconnected, search_, run),
                run);
}

template <class Scalar, class Search, class Solver>
auto LLE<Scalar, Search, Solver>::fit_neighbors(const ConstMatrixRef<Scalar>& X,
                                                const NeighborList<Scalar>& neighbors) & -> LLE& {
  Run run("LLE", options_);
  run.stage("checks");
  detail::check_training_samples<Scalar>(run.name(), X, run.parallel());
  check_options(X.rows(), X.cols());
  if (neighbors.size() != X.rows())
    throw DimensionError(detail::text("LLE::fit_neighbors: there are neighbour lists of ",
                                      neighbors.size(), " points, but X has ", X.rows(), " rows"));
  auto found =
      detail::neighborhoods_of_lists<Search>(neighbors, rule(), options_.on_disconnected, run);
  found.points = {search_,
                  found.kept.empty() ? detail::transposed(X)
                                     : detail::transposed(detail::rows_of(X, found.kept)),
                  rule().typical_count(X.rows()), run.parallel()};
  return finish(std::move(found), run);
}

template <class Scalar, class Search, class Solver>
Matrix<Scalar> LLE<Scalar, Search, Solver>::transform(const ConstMatrixRef<Scalar>& X) const {
  const Fitted& f = fitted("transform");
  const Parallel parallel(options_.n_threads);
  const Index d = f.points.dimension();
  detail::check_new_samples<Scalar>("LLE::transform", X, d, parallel);
  const auto neighbors = detail::neighbors_of_new(f.points, X, f.rule, parallel, "LLE::transform");
  Matrix<Scalar> Y(X.rows(), f.embedding.cols());
  parallel.for_blocks(X.rows(), 64, [&](const Parallel::Block& block) {
    detail::BarycentricWeights weights(f.regularization);
    Vector<Scalar> x(d);
    for (Index i = block.begin; i < block.end; ++i) {
      const int* const indices = neighbors.indices(i);
      if (neighbors.distances(i)[0] == 0) {
        Y.row(i) = f.embedding.row(indices[0]);
        continue;
      }
      x = X.row(i);
      const double* const w = weights(x.data(), d, neighbors.count(i),
                                      [&](Index j) { return f.points.point(indices[j]); });
      for (Index c = 0; c < Y.cols(); ++c) {
        double sum = 0;
        for (Index j = 0; j < neighbors.count(i); ++j)
          sum += w[j] * static_cast<double>(f.embedding(indices[j], c));
        Y(i, c) = static_cast<Scalar>(sum);
      }
    }
  });
  return detail::finite_places<Scalar>("LLE::transform", std::move(Y));
}

template <class Scalar, class Search, class Solver>
void LLE<Scalar, Search, Solver>::save(std::ostream& out) const {
  const Fitted& f = fitted("save");
  detail::ArchiveWriter archive;
  archive.count(f.rule.n_neighbors);
  archive.optional(f.rule.radius);
  archive.number(f.regularization);
  archive.matrix(f.embedding);
  archive.matrix(f.eigenvalues);
  archive.number(f.error);
  archive.indices(f.kept);
  archive.matrix(f.points.points());
  archive.sparse(*f.weights);
  archive.write_to(out, "LLE", sizeof(Scalar));
}

template <class Scalar, class Search, class Solver>
auto LLE<Scalar, Search, Solver>::load(std::istream& in) -> LLE {
  detail::ArchiveReader archive(in, "LLE", sizeof(Scalar));
  LLEOptions options;
  Fitted f;
  options.n_neighbors = f.rule.n_neighbors = archive.count();
  options.radius = f.rule.radius = archive.optional();
  options.regularization = f.regularization = archive.template number<double>();
  f.embedding = archive.template matrix<Scalar>();
  const Index n = f.embedding.rows();
  options.n_components = f.embedding.cols();
  f.eigenvalues = archive.template vector<Scalar>();
  f.error = archive.template number<double>();
  f.kept = archive.indices(std::numeric_limits<Index>::max());
  Matrix<Scalar> points = archive.template matrix<Scalar>();
  SparseMatrix<Scalar> W = archive.template sparse<Scalar>();
  archive.finish();
  archive.require(n >= 2 && f.embedding.cols() >= 1 && f.eigenvalues.size() == f.embedding.cols() &&
                      points.cols() == n && points.rows() >= 1 && W.rows() == n && W.cols() == n &&
                      (f.kept.empty() || static_cast<Index>(f.kept.size()) == n) &&
                      f.rule.valid() && f.regularization > 0,
                  "the shapes disagree");
  archive.require(f.embedding.allFinite() && f.eigenvalues.allFinite() && std::isfinite(f.error) &&
                      std::isfinite(f.regularization) && points.allFinite(),
                  "a value is NaN or Inf");
  LLE lle(options);
  f.weights = detail::shared_sparse(W);
  archive.attempt([&] { f.points = {lle.search_, std::move(points), f.rule.typical_count(n)}; });
  lle.fitted_ = std::move(f);
  return lle;
}

#ifdef UNFURL_COMPILED
extern template class LLE<float>;
extern template class LLE<double>;
#endif

}  // namespace unfurl
