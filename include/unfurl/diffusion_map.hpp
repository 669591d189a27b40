#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/check.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/diffusion_map_options.hpp"
#include "unfurl/graph/dense_walk.hpp"
#include "unfurl/graph/distance_matrix.hpp"
#include "unfurl/graph/kernel_model.hpp"
#include "unfurl/graph/neighbor_bandwidth.hpp"
#include "unfurl/graph/neighborhoods.hpp"
#include "unfurl/graph/new_points.hpp"
#include "unfurl/graph/walk_spectrum.hpp"
#include "unfurl/kernels/bandwidth.hpp"
#include "unfurl/kernels/radial.hpp"
#include "unfurl/neighbors/auto_search.hpp"

namespace unfurl {

/// Diffusion map: samples are near when a random walk goes from one to the other by many ways. With
/// K = K(|x_i - x_j|^2), K_ii = 1, q = K 1, K_alpha = K / (q_i q_j)^alpha, d = K_alpha 1 and
/// P = D^-1 K_alpha, the coordinates are lambda^t psi with P psi = lambda psi, Psi^T D Psi = I, the
/// constant left out (Coifman and Lafon 2006). Squared distances over all n - 1 coordinates equal
/// sum_l (P^t_il - P^t_jl)^2 / d_l.
///
/// Use it for noisy data and data with short circuits, which it averages over; with alpha = 1 the
/// density of the sampling does not show. Any time is free once fitted: embedding_at(t).
///
/// `transform` takes one step from the new point, p(x, j) ~ K(|x - x_j|^2) q_j^-alpha, and divides
/// the mean of psi by lambda (Nyström, geometric harmonics). Joined to every pair, training samples
/// come back to their places; on a sparse graph a sample is returned as it was embedded. However
/// far a new point is, its nearest samples keep their share.
///
/// Every pair: time O(n^2 d) and O(n^2) a product; peak of memory beside the data 8 n^2 + 2400 n
/// bytes, about half of it where the bandwidth is given. Sparse: time and memory as
/// LaplacianEigenmap. A fitted or saved model holds the samples and the eigenvectors.
///
/// Signs: in each column of the embedding the entry of largest modulus is positive.
///
/// \tparam Kernel of squared distances: GaussianKernel, HeatKernel, BinaryKernel or your own; see
///   kernels/requirements.hpp.
/// \tparam Search finds neighbours; see neighbors/requirements.hpp.
/// \tparam Solver finds eigenpairs of a dense or sparse matrix; see spectral/requirements.hpp.
/// \see \ref page_diffusion_map, examples/diffusion_map.cpp
template <class Scalar = double, class Kernel = GaussianKernel<Scalar>, class Search = AutoSearch,
          class Solver = AutoSolver>
class DiffusionMap {
  static_assert(is_scalar_v<Scalar>, "DiffusionMap<Scalar>: Scalar must be float or double");
  static_assert(is_kernel_v<Kernel, Scalar>,
                "DiffusionMap<Scalar, Kernel>: Kernel must be callable with a squared distance: "
                "Scalar operator()(Scalar) const; see kernels/requirements.hpp");
  static_assert(is_neighbor_search_v<Search, Scalar>,
                "DiffusionMap<Scalar, Kernel, Search>: Search must be a neighbour search; see "
                "neighbors/requirements.hpp");
  static_assert(is_eigen_solver_v<Solver, SparseMatrix<double>> &&
                    is_eigen_solver_v<Solver, Matrix<Scalar>>,
                "DiffusionMap<Scalar, Kernel, Search, Solver>: Solver must return EigenPairs when "
                "called with (const SparseMatrix<double>&, Index k, Which) and with (const "
                "Matrix<Scalar>&, Index k, Which); see spectral/requirements.hpp");

 public:
  /// Not fitted yet. The options are checked by `fit`.
  explicit DiffusionMap(DiffusionMapOptions options = {}, Kernel kernel = Kernel(),
                        Search search = {}, Solver solver = {})
      : options_(std::move(options)),
        kernel_(std::move(kernel)),
        search_(std::move(search)),
        solver_(std::move(solver)) {}

  /// Embeds points.
  /// \param X n_samples x n_features.
  /// \throws ParameterError, DataError, DisconnectedGraphError, NumericalError, SizeLimitError,
  ///   CancelledError, ConvergenceError; the estimator then stays as it was.
  DiffusionMap& fit(const ConstMatrixRef<Scalar>& X) &;

  /// Embeds a table of distances.
  /// \param D n_samples x n_samples distances (not squared), symmetric with a zero diagonal.
  /// \throws as `fit`
  DiffusionMap& fit_distances(const ConstMatrixRef<Scalar>& D) &;

  /// From neighbour lists, of any metric; n_neighbors (or 10) and radius are used for new points
  /// only. \throws as `fit`; ParameterError when components would have to be bridged
  DiffusionMap& fit_neighbors(const NeighborList<Scalar>& neighbors) &;

  /// From a symmetric matrix of affinities, taken as it is: a diagonal of 0 makes a walk that never
  /// stays, which has period 2 on a bipartite graph (the report says so). There is then no kernel,
  /// so new points cannot be placed.
  /// \throws as `fit`; ParameterError when components would have to be bridged
  DiffusionMap& fit_affinity(const SparseMatrix<Scalar>& K) &;

  /// `fit(X)`, and a copy of the embedding.
  Matrix<Scalar> fit_transform(const ConstMatrixRef<Scalar>& X) { return fit(X).embedding(); }

  /// Places new points at the time of the options; after `fit(X)` only.
  /// \throws NumericalError when an eigenvalue is too small for the time asked for
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const;

  /// Places new points by their distances (not squared) to the training samples.
  /// \param D m x n_samples
  Matrix<Scalar> transform_distances(const ConstMatrixRef<Scalar>& D) const;

  /// n_samples x n_components, at the time of the options.
  const Matrix<Scalar>& embedding() const { return fitted("embedding").embedding; }
  /// lambda^t psi for another number of steps; no new decomposition.
  /// \throws ParameterError unless t is at least 0 and finite, and whole where an eigenvalue is
  ///   negative
  Matrix<Scalar> embedding_at(double t) const;
  /// The distance between samples i and j after t steps, by the n_components coordinates there are:
  /// all of it when n_components is n_samples - 1.
  /// \throws ParameterError for a sample that does not exist, and as embedding_at
  double diffusion_distance(Index i, Index j, double t) const;
  /// Of P, descending, the 1 of the constant vector left out.
  const Vector<Scalar>& eigenvalues() const { return fitted("eigenvalues").eigenvalues; }
  /// Where a long walk ends: pi = d / sum d, pi P = pi.
  Vector<Scalar> stationary_distribution() const {
    const Vector<Scalar>& d = fitted("stationary_distribution").degrees;
    return d / d.sum();
  }
  /// d, the row sums of K_alpha.
  const Vector<Scalar>& degrees() const { return fitted("degrees").degrees; }
  /// The sigma used; 0 for a kernel without one and after fit_affinity.
  Scalar bandwidth() const { return fitted("bandwidth").model.bandwidth; }
  /// With on_disconnected = largest_component: the rows of the input that were embedded, ascending;
  /// row i of the embedding is kept_samples()[i]. Empty when all of them were.
  const std::vector<Index>& kept_samples() const { return fitted("kept_samples").model.kept; }

  /// A `fit` or `load` has succeeded.
  bool is_fitted() const { return fitted_.has_value(); }
  /// Number of embedded samples.
  Index n_samples() const { return fitted("n_samples").vectors.rows(); }
  /// 0 unless fitted on points.
  Index n_features() const { return fitted("n_features").model.points.dimension(); }
  /// As given; after `load` those that the stream holds.
  const DiffusionMapOptions& options() const { return options_; }
  /// What `fit` did: path, certificate, seconds a stage. Empty after `load`.
  const FitReport& report() const { return fitted("report").report; }

  /// Writes samples, eigenvectors, densities and the kernel by its name. Of a kernel of your own
  /// the bandwidth is kept and, if it has one, its `static constexpr const char* name`; two without
  /// a name are taken for the same. \throws IoError
  void save(std::ostream& out) const;

  /// Reads what `save` wrote.
  /// \throws FormatError when the stream does not hold a DiffusionMap<Scalar>; IoError when it
  ///   fails.
  static DiffusionMap load(std::istream& in);

 private:
  using Model = detail::KernelModel<Scalar, Kernel, Search>;

  struct Fitted {
    Model model = {};
    bool sparse = false;
    Vector<Scalar> density_factors = {};  // q^-alpha
    Vector<Scalar> degrees = {}, eigenvalues = {};
    Matrix<Scalar> vectors = {}, embedding = {};  // psi, and lambda^time psi
    FitReport report = {};
  };

  const Fitted& fitted(const char* member) const {
    detail::require_fitted(is_fitted(), "DiffusionMap", member);
    return *fitted_;
  }

  bool is_sparse() const { return detail::joins_neighbors(options_); }
  detail::NeighborRule rule() const { return detail::neighbor_rule(options_); }
  void check_options(Index n, bool with_neighbors = true) const {
    detail::check_diffusion_map(options_, n, with_neighbors);
  }

  /// \param of_points false: of distances, all of which are copied
  void foresee(Index n, Index d, bool of_points, Run& run) const {
    if (is_sparse())
      detail::foresee_walk<Scalar>(n, d, static_cast<double>(rule().typical_count(n)),
                                   options_.n_components, 1, run);
    else
      detail::foresee_dense_walk<Scalar>(
          n, d, options_.n_components,
          of_points && detail::needs_products_only_v<Solver> &&
              detail::knows_bandwidth<Scalar>(kernel_, options_.bandwidth),
          run);
  }

  ScaledKernel<Scalar, Kernel> scaled_kernel(const NeighborList<Scalar>* neighbors,
                                             const Matrix<Scalar>* D, Run& run) const {
    return scale_kernel<Scalar>(run.name(), kernel_, options_.bandwidth, [&] {
      if (neighbors) return median_bandwidth(*neighbors);
      const Index k = std::min<Index>(10, D->rows() - 1);
      return median_bandwidth(knn_from_distances<Scalar>(*D, k, run.parallel(), run.name()), k);
    });
  }

  DiffusionMap& fit_graph(detail::Neighborhoods<Scalar, Search> found, Run& run) {
    if (!found.kept.empty()) check_options(found.graph.n_vertices(), false);
    run.stage("affinities");
    const auto scaled = scaled_kernel(&found.list, nullptr, run);
    detail::foresee_walk(found.graph, found.points.dimension(), options_.n_components, 1, run);
    const SparseMatrix<Scalar> K =
        affinity(found.graph, scaled.kernel, SelfLoops::kernel, run.parallel(), run.name());
    Fitted f;
    f.sparse = true;
    f.model.take(found);
    f.model.take(scaled, run);
    return finish_sparse(std::move(f), K, run);
  }

  DiffusionMap& fit_pairs(Fitted&& f, Matrix<Scalar> D, Run& run) {
    run.stage("affinities");
    const auto scaled = scaled_kernel(nullptr, &D, run);
    f.model.take(scaled, run);
    if constexpr (detail::needs_products_only_v<Solver>)
      if (detail::to_upper_affinity(D, scaled.kernel, run))
        return finish_positive(std::move(f), D, run);
    f.model.rule = rule();
    Matrix<Scalar> K =
        dense_affinity(std::move(D), scaled.kernel, SelfLoops::kernel, run.parallel(), run.name());
    f.density_factors =
        density_factors(K, static_cast<Scalar>(options_.alpha), run.parallel(), run.name());
    const Components components = detail::walk_components(K, options_.on_disconnected, run);
    K = density_normalized(std::move(K), static_cast<Scalar>(options_.alpha), run.parallel(),
                           run.name());
    run.stage("eigenpairs", true);
    return finish(std::move(f),
                  detail::walk_spectrum(std::move(K), components, options_.n_components, solver_,
                                        options_.seed, run),
                  run);
  }

  DiffusionMap& finish_positive(Fitted&& f, const Matrix<Scalar>& upper_affinity, Run& run) {
    f.model.rule = rule();
    run.stage("eigenpairs", true);
    const auto walk = detail::positive_walk_spectrum(
        upper_affinity, options_.alpha, options_.n_components, solver_, options_.seed, run);
    f.density_factors = walk.density_factors.template cast<Scalar>();
    return finish(std::move(f), walk, run);
  }

  DiffusionMap& finish_sparse(Fitted&& f, const SparseMatrix<Scalar>& K, Run& run) {
    run.stage("eigenpairs", true);
    f.density_factors =
        density_factors(K, static_cast<Scalar>(options_.alpha), run.parallel(), run.name());
    const Components components = detail::walk_components(K, options_.on_disconnected, run);
    const SparseMatrix<double> K_alpha = density_normalized(
        detail::in_precision<double>(K), options_.alpha, run.parallel(), run.name());
    return finish(std::move(f),
                  detail::walk_spectrum(K_alpha, components, options_.n_components, solver_,
                                        options_.seed, run),
                  run);
  }

  DiffusionMap& finish(Fitted&& f, const detail::WalkSpectrum& walk, Run& run) {
    run.stage("embedding");
    f.degrees = walk.degrees.template cast<Scalar>();
    f.eigenvalues = (1 - walk.values.array()).matrix().template cast<Scalar>();
    f.vectors = walk.vectors.template cast<Scalar>();
    f.embedding =
        f.vectors * detail::walk_powers(f.eigenvalues, options_.time, "DiffusionMap").asDiagonal();
    f.report = run.finish();
    fitted_ = std::move(f);
    return *this;
  }

  /// lambda^(t-1) psi, whose mean over a step is lambda^t psi.
  Matrix<Scalar> harmonics(const Fitted& f, const char* where) const {
    const double t = options_.time;
    if (t >= 1) return f.vectors * detail::walk_powers(f.eigenvalues, t - 1, where).asDiagonal();
    for (Index k = 0; k < f.eigenvalues.size(); ++k)
      if (!(std::abs(f.eigenvalues(k)) > Scalar(1e-3)))
        throw NumericalError(detail::text(where, ": coordinate ", k + 1, " has eigenvalue ",
                                          f.eigenvalues(k), ", too small to be extended at time ",
                                          t, "; use a time of at least 1 or fewer n_components"));
    return f.vectors *
           detail::walk_powers(f.eigenvalues, t, where).cwiseQuotient(f.eigenvalues).asDiagonal();
  }

  Matrix<Scalar> extend(const Fitted& f, const NeighborList<Scalar>& neighbors, const char* where,
                        const Parallel& parallel) const {
    return detail::step_averages(where, neighbors, f.model.kernel, harmonics(f, where), f.embedding,
                                 parallel, [&](Index j) { return f.density_factors(j); });
  }

  template <class Squares>
  Matrix<Scalar> extend(const Fitted& f, Index n_new, const char* where, const Parallel& parallel,
                        Squares&& squares) const {
    return detail::dense_step_averages(
        where, n_new, f.model.kernel, harmonics(f, where), parallel,
        [&](Index j) { return f.density_factors(j); }, squares);
  }

  DiffusionMapOptions options_;
  Kernel kernel_;
  Search search_;
  Solver solver_;
  std::optional<Fitted> fitted_;
};

template <class Scalar, class Kernel, class Search, class Solver>
auto DiffusionMap<Scalar, Kernel, Search, Solver>::fit(
    const ConstMatrixRef<Scalar>& X) & -> DiffusionMap& {
  Run run("DiffusionMap", options_);
  run.stage("checks");
  detail::check_training_samples<Scalar>(run.name(), X, run.parallel());
  check_options(X.rows());
  foresee(X.rows(), X.cols(), true, run);
  if (is_sparse())
    return fit_graph(
        detail::neighborhoods_of_points(X, rule(), options_.on_disconnected, search_, run), run);
  run.stage("distances");
  Fitted f;
  const Matrix<Scalar> points = X.transpose();
  f.model.points = {search_, points, 1, run.parallel()};
  if constexpr (detail::needs_products_only_v<Solver>)
    if (detail::knows_bandwidth<Scalar>(kernel_, options_.bandwidth)) {
      run.stage("affinities");
      const auto scaled = scaled_kernel(nullptr, nullptr, run);
      if (const auto K = detail::upper_affinity_of_points(points, scaled.kernel, run)) {
        f.model.take(scaled, run);
        return finish_positive(std::move(f), *K, run);
      }
    }
  return fit_pairs(std::move(f), distance_matrix(points, run.parallel()), run);
}

template <class Scalar, class Kernel, class Search, class Solver>
auto DiffusionMap<Scalar, Kernel, Search, Solver>::fit_distances(
    const ConstMatrixRef<Scalar>& D) & -> DiffusionMap& {
  Run run("DiffusionMap", options_);
  run.stage("checks");
  detail::check_distances<Scalar>(run.name(), D, run.parallel());
  check_options(D.rows());
  foresee(D.rows(), 0, false, run);
  if (is_sparse())
    return fit_graph(
        detail::neighborhoods_of_distances<Search>(D, rule(), options_.on_disconnected, run), run);
  run.stage("distances");
  Fitted f;
  f.model.level = Model::Level::distances;
  return fit_pairs(std::move(f), Matrix<Scalar>(D), run);
}

template <class Scalar, class Kernel, class Search, class Solver>
auto DiffusionMap<Scalar, Kernel, Search, Solver>::fit_neighbors(
    const NeighborList<Scalar>& neighbors) & -> DiffusionMap& {
  Run run("DiffusionMap", options_);
  run.stage("checks");
  check_options(neighbors.size(), false);
  return fit_graph(
      detail::neighborhoods_of_lists<Search>(neighbors, rule(), options_.on_disconnected, run),
      run);
}

template <class Scalar, class Kernel, class Search, class Solver>
auto DiffusionMap<Scalar, Kernel, Search, Solver>::fit_affinity(
    const SparseMatrix<Scalar>& K) & -> DiffusionMap& {
  Run run("DiffusionMap", options_);
  run.stage("checks");
  check_affinity(run.name(), K);
  check_options(K.rows(), false);
  Fitted f;
  f.model.level = Model::Level::affinities;
  f.sparse = true;
  run.stage("graph");
  detail::foresee_walk<Scalar>(K.rows(), 0, detail::typical_neighbors(K.nonZeros(), K.rows()),
                               options_.n_components, 1, run);
  const SparseMatrix<Scalar> part =
      detail::resolve_affinity(K, options_.on_disconnected, f.model.kept, run);
  if (!f.model.kept.empty()) check_options(part.rows(), false);
  if (is_bipartite(part))
    run.report().notes.push_back(
        "the graph is bipartite and the walk never stays: it has period 2 and eigenvalue -1");
  return finish_sparse(std::move(f), part, run);
}

template <class Scalar, class Kernel, class Search, class Solver>
Matrix<Scalar> DiffusionMap<Scalar, Kernel, Search, Solver>::transform(
    const ConstMatrixRef<Scalar>& X) const {
  const Fitted& f = fitted("transform");
  const char* const where = "DiffusionMap::transform";
  f.model.require_points("DiffusionMap");
  const Parallel parallel(options_.n_threads);
  const Index d = f.model.points.dimension();
  detail::check_new_samples<Scalar>(where, X, d, parallel);
  if (f.sparse)
    return extend(f, detail::neighbors_of_new(f.model.points, X, f.model.rule, parallel, where),
                  where, parallel);
  const Matrix<Scalar> queries = X.transpose();
  return extend(f, X.rows(), where, parallel, [&](Index i, Vector<Scalar>& squares) {
    for (Index j = 0; j < squares.size(); ++j)
      squares(j) = detail::squared_distance(queries.data() + i * d, f.model.points.point(j), d);
  });
}

template <class Scalar, class Kernel, class Search, class Solver>
Matrix<Scalar> DiffusionMap<Scalar, Kernel, Search, Solver>::transform_distances(
    const ConstMatrixRef<Scalar>& D) const {
  const Fitted& f = fitted("transform_distances");
  const char* const where = "DiffusionMap::transform_distances";
  f.model.require_kernel("DiffusionMap");
  const Parallel parallel(options_.n_threads);
  detail::check_new_distances<Scalar>(where, D, f.vectors.rows(), parallel);
  if (f.sparse)
    return extend(f, detail::neighbors_of_new<Scalar>(D, f.model.rule, parallel), where, parallel);
  return extend(f, D.rows(), where, parallel, [&](Index i, Vector<Scalar>& squares) {
    squares = D.row(i).transpose().cwiseAbs2();
  });
}

template <class Scalar, class Kernel, class Search, class Solver>
Matrix<Scalar> DiffusionMap<Scalar, Kernel, Search, Solver>::embedding_at(double t) const {
  const Fitted& f = fitted("embedding_at");
  return f.vectors *
         detail::walk_powers(f.eigenvalues, t, "DiffusionMap::embedding_at").asDiagonal();
}

template <class Scalar, class Kernel, class Search, class Solver>
double DiffusionMap<Scalar, Kernel, Search, Solver>::diffusion_distance(Index i, Index j,
                                                                        double t) const {
  const Fitted& f = fitted("diffusion_distance");
  for (const Index sample : {i, j})
    detail::check_range<Index>("DiffusionMap::diffusion_distance", "sample", sample, 0,
                               f.vectors.rows() - 1);
  const Vector<Scalar> factor =
      detail::walk_powers(f.eigenvalues, t, "DiffusionMap::diffusion_distance");
  const Vector<Scalar> gap = (f.vectors.row(i) - f.vectors.row(j)).transpose();
  return static_cast<double>(gap.cwiseProduct(factor).norm());
}

template <class Scalar, class Kernel, class Search, class Solver>
void DiffusionMap<Scalar, Kernel, Search, Solver>::save(std::ostream& out) const {
  const Fitted& f = fitted("save");
  detail::ArchiveWriter archive;
  archive.flag(f.sparse);
  archive.number(options_.alpha);
  archive.number(options_.time);
  archive.matrix(f.vectors);
  archive.matrix(f.eigenvalues);
  archive.matrix(f.degrees);
  archive.matrix(f.density_factors);
  f.model.write(archive);
  archive.write_to(out, "DiffusionMap", sizeof(Scalar));
}

template <class Scalar, class Kernel, class Search, class Solver>
auto DiffusionMap<Scalar, Kernel, Search, Solver>::load(std::istream& in) -> DiffusionMap {
  detail::ArchiveReader archive(in, "DiffusionMap", sizeof(Scalar));
  DiffusionMapOptions options;
  Fitted f;
  f.sparse = archive.flag();
  options.alpha = archive.template number<double>();
  options.time = archive.template number<double>();
  f.vectors = archive.template matrix<Scalar>();
  const Index n = f.vectors.rows();
  options.n_components = f.vectors.cols();
  f.eigenvalues = archive.template vector<Scalar>();
  f.degrees = archive.template vector<Scalar>();
  f.density_factors = archive.template vector<Scalar>();
  f.model.read(archive, n);
  archive.finish();
  archive.require(n >= 2 && f.vectors.cols() >= 1 && f.eigenvalues.size() == f.vectors.cols() &&
                      f.degrees.size() == n && f.density_factors.size() == n,
                  "the shapes disagree");
  archive.require(f.vectors.allFinite() && f.eigenvalues.allFinite() && f.degrees.allFinite() &&
                      f.density_factors.allFinite(),
                  "a value is NaN or Inf");
  archive.require((f.degrees.array() > 0).all() && (f.density_factors.array() > 0).all(),
                  "a degree is not positive");
  archive.require((f.eigenvalues.array().abs() <= 1).all(), "an eigenvalue is not of a walk");
  archive.require(
      options.time >= 0 && std::isfinite(options.time) && options.alpha >= 0 &&
          options.alpha <= 1 &&
          ((f.eigenvalues.array() >= 0).all() || options.time == std::floor(options.time)),
      "the time or alpha is out of range");
  if (f.sparse) options.n_neighbors = f.model.rule.n_neighbors;
  options.radius = f.model.rule.radius;
  if (f.model.bandwidth > 0) options.bandwidth = static_cast<double>(f.model.bandwidth);
  DiffusionMap map(options);
  f.embedding =
      f.vectors * detail::walk_powers(f.eigenvalues, options.time, "DiffusionMap").asDiagonal();
  map.fitted_ = std::move(f);
  return map;
}

#ifdef UNFURL_COMPILED
extern template class DiffusionMap<float>;
extern template class DiffusionMap<double>;
#endif

}  // namespace unfurl
