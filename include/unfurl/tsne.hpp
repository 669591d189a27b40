#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <istream>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
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
#include "unfurl/graph/distance_matrix.hpp"
#include "unfurl/graph/neighborhoods.hpp"
#include "unfurl/neighbors/auto_search.hpp"
#include "unfurl/pca.hpp"
#include "unfurl/tsne/affinities.hpp"
#include "unfurl/tsne/barnes_hut.hpp"
#include "unfurl/tsne/mesh.hpp"
#include "unfurl/tsne/new_points.hpp"
#include "unfurl/tsne/optimizer.hpp"
#include "unfurl/tsne/options.hpp"
#include "unfurl/tsne/start.hpp"

namespace unfurl {

/// t-SNE: a map in which near samples stay near, drawn by letting them attract each other by their
/// similarity and all points repel (van der Maaten and Hinton 2008; van der Maaten 2014). It
/// minimises KL(P || Q) = sum p log(p / q), p from Gaussians of the given perplexity around each
/// sample, q from the heavy-tailed kernel 1 / (1 + d²) in the map.
///
/// Use it to see clusters of many-dimensional data (reduced by PCA to some 50 dimensions first).
/// Distances between clusters and their sizes mean little.
///
/// `transform` places each new point alone against the fixed map, by descending its own divergence
/// from the median of its neighbours. It does not move the map, and a training sample does not come
/// back to its exact place.
///
/// Time O(n log n) a step, 1000 steps. Peak of memory beside the data, n samples of d features, as
/// float: n (12 d + 270 perplexity) bytes up to 20000 samples, for which the divergence is summed
/// exactly, n (12 d + 170 perplexity) above. Descent runs in float unless the method is exact. A
/// saved model holds the samples and the map; a fitted one also the affinities, for run_until.
///
/// The repulsion, of norm 1, is wrong by 0.007, 0.009, 0.004 with Barnes-Hut at theta 0.5 and by
/// 0.00006, 0.005 on the grid (then the map is too wide for it and goes to the tree), after 100,
/// 400, 1000 iterations on 10000 digits of MNIST. Attraction and repulsion nearly cancel in the
/// end: relative to the gradient itself that is 0.008, 0.07, 0.24 and 0.00006, 0.04
/// (`bench_tsne_error`).
///
/// The same bytes come out for any number of threads, and (at -O1 and -O2, where it was tried) from
/// gcc and clang as long as the machine compiled for has no fused multiply-add, as x86-64 without
/// -march. Where it has, compilers fuse differently, and a descent carries the last bit on to
/// another map of the same quality.
///
/// \tparam Search finds neighbours; see neighbors/requirements.hpp.
/// \see \ref page_tsne, examples/tsne.cpp
template <class Scalar = double, class Search = AutoSearch>
class TSNE {
  static_assert(is_scalar_v<Scalar>, "TSNE<Scalar>: Scalar must be float or double");
  static_assert(is_neighbor_search_v<Search, Scalar>,
                "TSNE<Scalar, Search>: Search must be a neighbour search; see "
                "neighbors/requirements.hpp");

 public:
  /// Not fitted yet. The options are checked by `fit`.
  explicit TSNE(TSNEOptions options = {}, Search search = {})
      : options_(std::move(options)), search_(std::move(search)) {}

  /// Draws the map of points.
  /// \param X n_samples x n_features.
  /// \throws ParameterError, DataError, NumericalError, SizeLimitError, CancelledError; the
  ///   estimator then stays as it was.
  TSNE& fit(const ConstMatrixRef<Scalar>& X) &;

  /// Draws the map of a table of distances.
  /// \param D n_samples x n_samples distances (not squared), symmetric with a zero diagonal.
  /// \throws as `fit`. A start by PCA is not possible: `pca` means `random` here.
  TSNE& fit_distances(const ConstMatrixRef<Scalar>& D) &;

  /// From neighbour lists, of any metric: about three times the perplexity of them for each sample.
  /// \throws as `fit`
  TSNE& fit_neighbors(const NeighborList<Scalar>& neighbors) &;

  /// From a symmetric matrix of similarities, which is scaled to sum 1; its diagonal is not used.
  /// \throws as `fit`
  TSNE& fit_affinity(const SparseMatrix<Scalar>& similarities) &;

  /// `fit(X)`, and a copy of the embedding.
  Matrix<Scalar> fit_transform(const ConstMatrixRef<Scalar>& X) { return fit(X).embedding(); }

  /// Continues a descent, also one that was stopped, until it has made max_iter iterations in all:
  /// the same map, to the bit, as a fit with that max_iter. Not after `load`.
  /// \throws as `fit`; the map then stays as it was
  TSNE& run_until(Index max_iter) &;

  /// Places new points; after `fit(X)` only.
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const;

  /// Places new points by their distances (not squared) to the training samples.
  /// \param D m x n_samples
  Matrix<Scalar> transform_distances(const ConstMatrixRef<Scalar>& D) const;

  /// n_samples x n_components.
  const Matrix<Scalar>& embedding() const { return fitted("embedding").embedding; }
  /// Of the map, with attraction not exaggerated. Exact up to 20000 samples; beyond, the sum over
  /// all pairs in it is the method's own.
  double kl_divergence() const { return fitted("kl_divergence").divergence; }
  /// Iterations made.
  Index n_iter() const { return fitted("n_iter").n_iter; }
  /// The learning rate used.
  double learning_rate() const { return fitted("learning_rate").learning_rate; }
  /// The progress callback ended the descent.
  bool stopped_early() const { return fitted("stopped_early").stopped_early; }

  /// A `fit` or `load` has succeeded.
  bool is_fitted() const { return fitted_.has_value(); }
  /// Number of points in the map.
  Index n_samples() const { return fitted("n_samples").embedding.rows(); }
  /// 0 unless fitted on points.
  Index n_features() const { return fitted("n_features").points.dimension(); }
  /// As given; after `load` those that the stream holds.
  const TSNEOptions& options() const { return options_; }
  /// What `fit` did: path, certificate, seconds a stage. Empty after `load`.
  const FitReport& report() const { return fitted("report").report; }

  /// Writes samples and map. \throws IoError
  void save(std::ostream& out) const;

  /// Reads what `save` wrote.
  /// \throws FormatError when the stream does not hold a TSNE<Scalar>; IoError when it fails.
  static TSNE load(std::istream& in);

 private:
  struct Fitted {
    IndexedPoints<Scalar, Search> points = {};
    std::shared_ptr<const SparseMatrix<Scalar>> affinities =
        nullptr;                      // shared by copies; not saved
    detail::Descent<double> at = {};  // where run_until goes on
    Matrix<Scalar> embedding = {};
    double divergence = 0, learning_rate = 0;
    Index n_iter = 0;
    bool stopped_early = false;
    FitReport report = {};
  };

  const Fitted& fitted(const char* member) const {
    detail::require_fitted(is_fitted(), "TSNE", member);
    return *fitted_;
  }

  double largest_perplexity() const {
    const auto all = detail::perplexities_of(options_);
    return *std::max_element(all.begin(), all.end());
  }
  Index n_neighbors(Index n) const {
    return std::min(n - 1, static_cast<Index>(std::ceil(3 * largest_perplexity())));
  }
  /// New points are placed by few neighbours: a perplexity of 5.
  static constexpr double new_point_perplexity = 5;
  detail::NeighborRule new_point_rule() const { return {15, {}}; }

  /// Most is taken while neighbour lists become affinities; with few neighbours, by the descent.
  void foresee(Index n, Index d, double n_neighbors, Run& run) const {
    constexpr double size = sizeof(Scalar);
    const double held = static_cast<double>(n) * (50 + 1.25 * size * static_cast<double>(d));
    run.foresee("the affinities", held, static_cast<double>(n) * 4.55 * (4 + size) * n_neighbors,
                held + static_cast<double>(n) * (450 + 2.4 * (4 + size) * n_neighbors));
  }

  /// Where there are affinities already: these, and as the descent reads them.
  void foresee(const SparseMatrix<Scalar>& P, Run& run) const {
    const double entries = static_cast<double>(P.nonZeros());
    run.foresee("the affinities", (4 + sizeof(Scalar)) * entries,
                8 * entries + 450 * static_cast<double>(P.rows()));
  }

  TSNE& fit_lists(const NeighborList<Scalar>& neighbors, Run& run) {
    foresee(neighbors.size(), 0,
            static_cast<double>(neighbors.total()) / static_cast<double>(neighbors.size()), run);
    SparseMatrix<Scalar> P = affinities(neighbors, run);
    run.stage("initial map");
    const Matrix<double> start = detail::start_from_affinities(P, options_, run);
    Fitted f;
    return descend(std::move(f), P, start, run);
  }

  SparseMatrix<Scalar> affinities(const NeighborList<Scalar>& neighbors, Run& run) const {
    run.stage("affinities");
    const auto conditional = detail::conditional_affinities(
        neighbors, detail::perplexities_of(options_), run.parallel());
    run.report().n_infeasible_perplexity = conditional.n_infeasible;
    if (conditional.n_infeasible > 0)
      run.report().notes.push_back(
          detail::text("the perplexity cannot be met for ", conditional.n_infeasible,
                       " samples with many equally near neighbours, which share alike"));
    return detail::joint_affinities(conditional.lists, run.parallel(), run.name());
  }

  /// The first principal components, with a spread of 1e-4 along the first.
  Matrix<double> pca_start(const ConstMatrixRef<Scalar>& X, Run& run) const {
    PCAOptions wanted;
    wanted.n_components = std::min({options_.n_components, X.rows(), X.cols()});
    wanted.n_threads = options_.n_threads;
    wanted.seed = options_.seed;
    PCA<Scalar> pca(wanted);
    Matrix<double> start = Matrix<double>::Zero(X.rows(), options_.n_components);
    detail::set_columns(start, 0, detail::converted<double>(pca.fit(X).embedding()),
                        wanted.n_components);
    run.report().notes.push_back("started from PCA");
    return detail::scaled_start(std::move(start), options_.seed);
  }

  /// \param P is taken
  TSNE& descend(Fitted&& f, SparseMatrix<Scalar>& P, const Matrix<double>& start, Run& run) {
    f.learning_rate = options_.learning_rate.value_or(
        std::max(static_cast<double>(P.rows()) / (4 * options_.early_exaggeration), 50.0));
    f.at.Y = detail::transposed(start);
    f.affinities = detail::shared_sparse(P);
    return advance(std::move(f), options_.max_iter, run);
  }

  TSNE& advance(Fitted&& f, Index max_iter, Run& run) {
    const Index n = f.affinities->rows(), d = options_.n_components;
    const double theta = options_.theta, nu = options_.degrees_of_freedom;
    TSNEMethod method = options_.method;
    if (method == TSNEMethod::automatic)
      method = n <= 500 || d > 3 ? TSNEMethod::exact
               : d <= 2          ? TSNEMethod::fft
                                 : TSNEMethod::barnes_hut;
    if (theta == 0 && method == TSNEMethod::barnes_hut) method = TSNEMethod::exact;
    const auto by = [&](auto real, auto repel) {
      descend_in<decltype(real)>(f, max_iter, std::move(repel), run);
    };
    if (method == TSNEMethod::exact) {
      run.report().solver = "exact gradient";
      by(double{}, detail::ExactRepulsion{nu});
    } else if (method == TSNEMethod::fft) {
      const auto by_mesh = [&](auto mesh) {
        by(float{}, std::ref(mesh));
        run.report().solver =
            detail::text("gradient by a convolution on a grid ", mesh.n_on_grid(), " times of ",
                         mesh.n_calls(), ", else by Barnes-Hut, theta ", theta);
      };
      if (d == 1) by_mesh(detail::MeshRepulsion<1>(theta, nu));
      if (d == 2) by_mesh(detail::MeshRepulsion<2>(theta, nu));
    } else {
      run.report().solver = detail::text("Barnes-Hut gradient, theta ", theta);
      if (d == 1) by(float{}, detail::BarnesHut<float, 1>(theta, nu));
      if (d == 2) by(float{}, detail::BarnesHut<float, 2>(theta, nu));
      if (d == 3) by(float{}, detail::BarnesHut<float, 3>(theta, nu));
    }
    run.report().certificate = "not certified: the minimum that a descent reaches is one of many";
    f.report = run.finish();
    fitted_ = std::move(f);
    return *this;
  }

  template <class Real>
  void descend_in(Fitted& f, Index max_iter, typename detail::Optimizer<Real>::Repel repel,
                  Run& run) const {
    const SparseMatrix<Real>& P = detail::in_precision<Real>(*f.affinities);
    detail::DescentOptions wanted;
    wanted.learning_rate = f.learning_rate;
    wanted.early_exaggeration = options_.early_exaggeration;
    wanted.late_exaggeration = options_.late_exaggeration;
    wanted.early_iterations = options_.early_exaggeration_iter;
    wanted.degrees_of_freedom = options_.degrees_of_freedom;
    detail::Optimizer<Real> optimizer(P, std::move(repel), wanted, run.parallel());
    detail::Descent<Real> at = f.at.template cast<Real>();
    f.stopped_early = false;
    run.stage_of_iterations("descent");
    while (at.iteration < max_iter && !f.stopped_early) {
      optimizer.step(at, run.name());
      if (at.iteration % options_.progress_every == 0 || at.iteration == max_iter)
        f.stopped_early =
            options_.progress &&
            run.report_iteration(static_cast<double>(at.iteration) / static_cast<double>(max_iter),
                                 at.iteration, optimizer.divergence_of(at.Y));
    }
    if (!detail::all_finite(at.Y.size(), at.Y.data()))
      throw NumericalError("TSNE: the map is not finite; lower learning_rate");
    f.at = at.template cast<double>();
    f.n_iter = at.iteration;
    f.embedding = detail::converted<Scalar>(detail::transposed(at.Y));
    if (at.Y.cols() <= 20000) {
      detail::Repulsion<double> push;
      detail::ExactRepulsion{options_.degrees_of_freedom}(f.at.Y, push, run.parallel());
      f.divergence =
          detail::divergence(detail::in_precision<double>(*f.affinities), f.at.Y,
                             options_.degrees_of_freedom, push.normalizer, run.parallel());
    } else {
      f.divergence = optimizer.divergence_of(at.Y);
    }
  }

  Matrix<Scalar> place(const Fitted& f, const NeighborList<Scalar>& neighbors, const char* where,
                       const Parallel& parallel) const {
    // Squared distances in the map are summed as floats.
    if (!(detail::largest_modulus(f.embedding.size(), f.embedding.data()) < Scalar(1e18)))
      throw NumericalError(detail::text(where, ": the map is too wide to place a point in it"));
    const Matrix<float> map = detail::converted<float>(detail::transposed(f.embedding));
    const double theta = options_.theta, nu = options_.degrees_of_freedom;
    const auto placed_along =
        [&](const std::function<std::unique_ptr<detail::FieldAlongPath>()>& path) {
          const Matrix<float> placed =
              detail::place_new_points(neighbors, new_point_perplexity, map, path, nu, parallel);
          return detail::finite_places<Scalar>(
              where, detail::converted<Scalar>(detail::transposed(placed)));
        };
    const auto placed_in = [&](auto tree) {
      using Along = detail::TreeAlongPath<decltype(tree)::dimension>;
      tree.build(map, parallel);
      return placed_along([&] { return std::make_unique<Along>(tree, nu); });
    };
    switch (map.rows()) {
      case 1:
        return placed_in(detail::BarnesHut<float, 1>(theta, nu));
      case 2:
        return placed_in(detail::BarnesHut<float, 2>(theta, nu));
      case 3:
        return placed_in(detail::BarnesHut<float, 3>(theta, nu));
      default:
        return placed_along([&] { return std::make_unique<detail::ExactAlongPath>(map, nu); });
    }
  }

  TSNEOptions options_;
  Search search_;
  std::optional<Fitted> fitted_;
};

template <class Scalar, class Search>
auto TSNE<Scalar, Search>::fit(const ConstMatrixRef<Scalar>& X) & -> TSNE& {
  Run run("TSNE", options_);
  run.stage("checks");
  detail::check_training_samples<Scalar>(run.name(), X, run.parallel());
  detail::check_tsne(options_, X.rows());
  Fitted f;
  const Index k = n_neighbors(X.rows());
  foresee(X.rows(), X.cols(), static_cast<double>(k), run);
  run.stage("neighbors");
  f.points = {search_, detail::transposed(X), k, run.parallel()};
  f.points.add_note(run.report().notes);
  SparseMatrix<Scalar> P = affinities(f.points.nearest(k, run.parallel(), run.name()), run);
  run.stage("initial map");
  const Matrix<double> start = options_.init == TSNEInit::pca
                                   ? pca_start(X, run)
                                   : detail::start_from_affinities(P, options_, run);
  return descend(std::move(f), P, start, run);
}

template <class Scalar, class Search>
auto TSNE<Scalar, Search>::fit_distances(const ConstMatrixRef<Scalar>& D) & -> TSNE& {
  Run run("TSNE", options_);
  run.stage("checks");
  detail::check_distances<Scalar>(run.name(), D, run.parallel());
  detail::check_tsne(options_, D.rows());
  run.stage("neighbors");
  return fit_lists(knn_from_distances<Scalar>(D, n_neighbors(D.rows()), run.parallel(), run.name()),
                   run);
}

template <class Scalar, class Search>
auto TSNE<Scalar, Search>::fit_neighbors(const NeighborList<Scalar>& neighbors) & -> TSNE& {
  Run run("TSNE", options_);
  run.stage("checks");
  detail::check_tsne(options_, neighbors.size());
  const double largest = largest_perplexity();
  for (Index i = 0; i < neighbors.size(); ++i) {
    if (static_cast<double>(neighbors.count(i)) < largest)
      throw DataError(detail::text("TSNE: sample ", i, " has ", neighbors.count(i),
                                   " neighbours, fewer than the perplexity of ", largest));
    for (Index e = 0; e < neighbors.count(i); ++e)
      detail::check_neighbor(run.name(), neighbors.size(), i, neighbors.indices(i)[e],
                             neighbors.distances(i)[e]);
  }
  return fit_lists(neighbors, run);
}

template <class Scalar, class Search>
auto TSNE<Scalar, Search>::fit_affinity(const SparseMatrix<Scalar>& similarities) & -> TSNE& {
  Run run("TSNE", options_);
  run.stage("checks");
  check_affinity(run.name(), similarities);
  detail::check_tsne(options_, similarities.rows(), false);
  foresee(similarities, run);
  SparseMatrix<Scalar> P = detail::sparse_copy(similarities);
  P.prune([](Index i, Index j, Scalar) { return i != j; });
  P.makeCompressed();
  const double sum = P.template cast<double>().sum();
  if (!(sum > 0)) throw DataError("TSNE: all similarities are 0");
  P /= static_cast<Scalar>(sum);
  run.stage("initial map");
  const Matrix<double> start = detail::start_from_affinities(P, options_, run);
  Fitted f;
  return descend(std::move(f), P, start, run);
}

template <class Scalar, class Search>
auto TSNE<Scalar, Search>::run_until(Index max_iter) & -> TSNE& {
  Fitted f = fitted("run_until");
  if (!f.affinities)
    throw NotFittedError(
        "TSNE::run_until: a loaded model has no affinities; fit again with init = custom");
  Run run("TSNE", options_);
  foresee(*f.affinities, run);
  return max_iter > f.n_iter ? advance(std::move(f), max_iter, run) : *this;
}

template <class Scalar, class Search>
Matrix<Scalar> TSNE<Scalar, Search>::transform(const ConstMatrixRef<Scalar>& X) const {
  const Fitted& f = fitted("transform");
  if (f.points.empty())
    throw NotFittedError(
        "TSNE::transform: this model was not fitted on points; call transform_distances with the "
        "distances from the new points to the training points");
  const Parallel parallel(options_.n_threads);
  detail::check_new_samples<Scalar>("TSNE::transform", X, f.points.dimension(), parallel);
  const char* const where = "TSNE::transform";
  return place(f, detail::neighbors_of_new(f.points, X, new_point_rule(), parallel, where), where,
               parallel);
}

template <class Scalar, class Search>
Matrix<Scalar> TSNE<Scalar, Search>::transform_distances(const ConstMatrixRef<Scalar>& D) const {
  const Fitted& f = fitted("transform_distances");
  const Parallel parallel(options_.n_threads);
  detail::check_new_distances<Scalar>("TSNE::transform_distances", D, f.embedding.rows(), parallel);
  return place(f, detail::neighbors_of_new<Scalar>(D, new_point_rule(), parallel),
               "TSNE::transform_distances", parallel);
}

template <class Scalar, class Search>
void TSNE<Scalar, Search>::save(std::ostream& out) const {
  const Fitted& f = fitted("save");
  detail::ArchiveWriter archive;
  archive.number(options_.theta);
  archive.number(options_.degrees_of_freedom);
  archive.number(f.divergence);
  archive.count(f.n_iter);
  archive.number(f.learning_rate);
  archive.flag(f.stopped_early);
  archive.matrix(f.embedding);
  archive.matrix(f.points.points());
  archive.write_to(out, "TSNE", sizeof(Scalar));
}

template <class Scalar, class Search>
auto TSNE<Scalar, Search>::load(std::istream& in) -> TSNE {
  detail::ArchiveReader archive(in, "TSNE", sizeof(Scalar));
  TSNEOptions options;
  Fitted f;
  options.theta = archive.template number<double>();
  options.degrees_of_freedom = archive.template number<double>();
  f.divergence = archive.template number<double>();
  options.max_iter = f.n_iter = archive.count();
  f.learning_rate = archive.template number<double>();
  f.stopped_early = archive.flag();
  f.embedding = archive.template matrix<Scalar>();
  const Index n = f.embedding.rows();
  Matrix<Scalar> points = archive.template matrix<Scalar>();
  archive.finish();
  archive.require(n >= 2 && f.embedding.cols() >= 1 && (points.size() == 0 || points.cols() == n),
                  "the shapes disagree");
  archive.require(f.embedding.allFinite() && points.allFinite() && std::isfinite(f.divergence) &&
                      std::isfinite(f.learning_rate),
                  "a value is NaN or Inf");
  archive.require(options.theta >= 0 && options.theta <= 1 && options.degrees_of_freedom >= 1e-3 &&
                      std::isfinite(options.degrees_of_freedom),
                  "an option is out of range");
  options.n_components = f.embedding.cols();
  options.learning_rate = f.learning_rate;
  TSNE tsne(options);
  if (points.size() > 0)
    archive.attempt([&] {
      f.points = {tsne.search_, std::move(points), tsne.new_point_rule().n_neighbors};
    });
  tsne.fitted_ = std::move(f);
  return tsne;
}

#ifdef UNFURL_COMPILED
extern template class TSNE<float>;
extern template class TSNE<double>;
#endif

}  // namespace unfurl
