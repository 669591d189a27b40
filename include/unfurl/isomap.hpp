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
#include "unfurl/core/finite_places.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/graph/geodesic_placement.hpp"
#include "unfurl/graph/geodesic_scaling.hpp"
#include "unfurl/graph/graph_archive.hpp"
#include "unfurl/graph/graph_memory.hpp"
#include "unfurl/graph/neighborhoods.hpp"
#include "unfurl/neighbors/auto_search.hpp"

namespace unfurl {

/// Options of Isomap. Set fields by name; new ones may be added at any place.
struct IsomapOptions {
  /// Dimension of the embedding, 1 to n_samples - 1.
  Index n_components = 2;
  /// Each sample is joined to this many nearest ones (an edge if either is among the other's).
  /// Too few and the graph falls apart; too many and it takes short cuts through the air. See
  /// isomap_sweep.hpp for choosing.
  Index n_neighbors = 10;
  /// Join samples at most this far apart instead (the epsilon graph); n_neighbors is then not used.
  std::optional<double> radius = std::nullopt;
  /// Measure paths by the lengths of their edges or by their number.
  Path path = Path::lengths;
  /// `allow` is refused: there is no distance between components.
  OnDisconnected on_disconnected = OnDisconnected::error;
  /// Number of samples, chosen at random, whose geodesics determine the map; the others are placed
  /// by their geodesics to these (de Silva and Tenenbaum 2003). 0: all. Some hundreds do for 100000
  /// samples; time and memory then grow with n n_landmarks instead of n^2.
  Index n_landmarks = 0;
  std::uint64_t seed = 0;               ///< of landmarks, start vectors and sampled pairs
  int n_threads = 0;                    ///< 0: all cores; the result is the same for any number
  ProgressFunction progress = nullptr;  ///< see Progress; stopping throws CancelledError
  std::size_t memory_limit = 0;         ///< bytes; 0: four fifths of the machine's memory
};

/// Isomap: distances along the data instead of through the air. Samples are joined to their
/// neighbours, the length of the shortest path between two samples stands for their distance on the
/// manifold, and classical scaling draws these: Y = V sqrt(Lambda^+) of the double-centred squared
/// geodesics (Tenenbaum, de Silva and Langford 2000).
///
/// Use it for a sheet without holes that can be flattened, where distances shall be kept. It is
/// sensitive to short circuits: look at residual_variance() and at isomap_sweep.
///
/// `transform` joins a new point to its neighbours among the training samples,
/// d(x, j) = min_i (|x - x_i| + G_ij), and places it by these distances (Gower 1968); training
/// samples come back to their places. One new point costs O(n k).
///
/// Time O(n^2 k) for the paths and O(n^2) a product for the eigenpairs. Peak of memory beside the
/// data, for features p and k neighbours: 4 n^2 bytes (8 n^2 up to 4096 samples; half of them are
/// written) + n (400 + 20 p + 145 k); with l landmarks n l instead of n^2. A fitted model keeps the
/// geodesics for its new points. A saved one is small, the samples, the graph and the embedding;
/// when loaded it walks through the graph to each new point instead, which gives the same bytes and
/// takes three times as long (with landmarks much longer).
///
/// Signs: in each column of the embedding the entry of largest modulus is positive.
///
/// \tparam Search finds neighbours; see neighbors/requirements.hpp.
/// \tparam Solver finds eigenpairs of an operator; see spectral/requirements.hpp.
/// \see \ref page_isomap, examples/isomap.cpp
template <class Scalar = double, class Search = AutoSearch, class Solver = AutoSolver>
class Isomap {
  static_assert(is_scalar_v<Scalar>, "Isomap<Scalar>: Scalar must be float or double");
  static_assert(is_neighbor_search_v<Search, Scalar>,
                "Isomap<Scalar, Search>: Search must be a neighbour search; see "
                "neighbors/requirements.hpp");
  static_assert(is_eigen_solver_v<Solver, CenteredSquares<float>>,
                "Isomap<Scalar, Search, Solver>: Solver must return EigenPairs<double> when called "
                "with (const Operator&, Index k, Which); see spectral/requirements.hpp");

 public:
  /// Not fitted yet. The options are checked by `fit`.
  explicit Isomap(IsomapOptions options = {}, Search search = {}, Solver solver = {})
      : options_(std::move(options)), search_(std::move(search)), solver_(std::move(solver)) {}

  /// Embeds points, joined to their nearest neighbours.
  /// \param X n_samples x n_features.
  /// \throws ParameterError, DataError, DisconnectedGraphError, NumericalError, SizeLimitError,
  ///   CancelledError, ConvergenceError; the estimator then stays as it was.
  Isomap& fit(const ConstMatrixRef<Scalar>& X) &;

  /// Embeds a table of distances.
  /// \param D n_samples x n_samples distances (not squared), symmetric with a zero diagonal.
  /// \throws as `fit`
  Isomap& fit_distances(const ConstMatrixRef<Scalar>& D) &;

  /// From neighbour lists, of any metric; n_neighbors and radius are used for new points only.
  /// \throws as `fit`; ParameterError for on_disconnected = bridge when there is something to
  ///   bridge: the lists do not tell how far components are apart
  Isomap& fit_neighbors(const NeighborList<Scalar>& neighbors) &;

  /// `fit(X)`, and a copy of the embedding.
  Matrix<Scalar> fit_transform(const ConstMatrixRef<Scalar>& X) { return fit(X).embedding(); }

  /// Places new points; after `fit(X)` only.
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const;

  /// Places new points by their distances (not squared) to the training samples.
  /// \param D m x n_samples
  Matrix<Scalar> transform_distances(const ConstMatrixRef<Scalar>& D) const;

  /// n_samples x n_components.
  const Matrix<Scalar>& embedding() const { return fitted("embedding").map.embedding; }
  /// The n_components largest eigenvalues of the double-centred squared geodesics (of those between
  /// the landmarks where there are landmarks).
  const Vector<Scalar>& eigenvalues() const { return fitted("eigenvalues").map.eigenvalues; }

  /// The lengths of the shortest paths, n_samples x n_samples (x n_landmarks where there are
  /// landmarks). Computed by each call, from the graph.
  Matrix<Scalar> geodesic_distances() const;

  /// 1 - r^2 between the geodesics and the distances in the embedding, for the first 1, 2, …,
  /// n_components coordinates: where it stops falling the dimension is reached (Tenenbaum et al.
  /// 2000). Over all pairs, or 250000 random ones where there are more.
  const Vector<double>& residual_variance() const {
    return fitted("residual_variance").map.residual_variance;
  }
  /// |B - B_k|_F / n, where B_k is what the embedding keeps of the double-centred matrix B; the
  /// value scikit-learn calls so.
  double reconstruction_error() const {
    return fitted("reconstruction_error").map.reconstruction_error;
  }
  /// Row numbers of the landmarks among the embedded samples, ascending; empty when all were used.
  const std::vector<Index>& landmarks() const { return fitted("landmarks").map.landmarks; }
  /// With on_disconnected = largest_component: the rows of the input that were embedded, ascending;
  /// row i of the embedding is kept_samples()[i]. Empty when all of them were.
  const std::vector<Index>& kept_samples() const { return fitted("kept_samples").kept; }
  /// The neighbourhood graph that paths are walked on.
  const Graph<Scalar>& graph() const { return fitted("graph").graph; }

  /// A `fit` or `load` has succeeded.
  bool is_fitted() const { return fitted_.has_value(); }
  /// Number of embedded samples.
  Index n_samples() const { return fitted("n_samples").graph.n_vertices(); }
  /// 0 unless fitted on points.
  Index n_features() const { return fitted("n_features").points.dimension(); }
  /// As given; after `load` those that the stream holds.
  const IsomapOptions& options() const { return options_; }
  /// What `fit` did: path, certificate, seconds a stage. Empty after `load`.
  const FitReport& report() const { return fitted("report").report; }

  /// Writes what the transforms need: samples, graph and embedding. \throws IoError
  void save(std::ostream& out) const;

  /// Reads what `save` wrote.
  /// \throws FormatError when the stream does not hold an Isomap<Scalar>; IoError when it fails.
  static Isomap load(std::istream& in);

 private:
  struct Fitted {
    detail::NeighborRule rule = {};
    IndexedPoints<Scalar, Search> points = {};  // empty unless fitted on points
    std::vector<Index> kept = {};
    Graph<Scalar> graph = {};
    detail::GeodesicScaling<Scalar> map = {};
    FitReport report = {};
  };

  const Fitted& fitted(const char* member) const {
    detail::require_fitted(is_fitted(), "Isomap", member);
    return *fitted_;
  }

  detail::NeighborRule rule() const { return {options_.n_neighbors, options_.radius}; }

  void check_options(Index n, bool with_neighbors = true) const {
    const std::string samples = detail::text("n_samples = ", n);
    if (n < 2)
      throw DataError(detail::text("Isomap: found ", n, " samples, a minimum of 2 is required"));
    detail::check_range<Index>("Isomap", "n_components", options_.n_components, 1, n - 1, samples);
    if (with_neighbors) rule().check("Isomap", n);
    if (options_.on_disconnected == OnDisconnected::allow)
      throw ParameterError(
          "Isomap: on_disconnected must be error, bridge or largest_component, got allow: there is "
          "no path between components");
    if (options_.n_landmarks != 0)
      detail::check_range<Index>("Isomap", "n_landmarks", options_.n_landmarks,
                                 options_.n_components + 1, n, samples + ", 0 = all");
  }

  detail::GeodesicOptions wanted() const {
    return {options_.n_components, options_.n_landmarks, options_.path, options_.seed};
  }

  void foresee(Index n, Index d, double n_neighbors, bool in_float, Run& run) const {
    detail::foresee_geodesics(n, n_neighbors, wanted(), in_float,
                              detail::neighborhood_bytes<Scalar>(n, d, n_neighbors), run);
  }

  Isomap& finish(detail::Neighborhoods<Scalar, Search> found, Run& run) {
    if (!found.kept.empty()) check_options(found.graph.n_vertices(), false);
    Fitted f;
    f.rule = found.rule;
    f.points = std::move(found.points);
    f.kept = std::move(found.kept);
    f.graph = std::move(found.graph);
    const Index n = f.graph.n_vertices();
    const bool in_float = detail::geodesics_in_float(f.graph, options_.n_landmarks, options_.path);
    foresee(n, f.points.dimension(), detail::typical_neighbors(f.graph.n_entries(), n), in_float,
            run);
    f.map = detail::scale_geodesics(f.graph, wanted(), in_float, solver_, run);
    f.report = run.finish();
    fitted_ = std::move(f);
    return *this;
  }

  IsomapOptions options_;
  Search search_;
  Solver solver_;
  std::optional<Fitted> fitted_;
};

template <class Scalar, class Search, class Solver>
auto Isomap<Scalar, Search, Solver>::fit(const ConstMatrixRef<Scalar>& X) & -> Isomap& {
  Run run("Isomap", options_);
  run.stage("checks");
  detail::check_training_samples<Scalar>(run.name(), X, run.parallel());
  check_options(X.rows());
  foresee(X.rows(), X.cols(), static_cast<double>(rule().typical_count(X.rows())),
          detail::geodesics_in_float<Scalar>(
              X.rows(), detail::n_path_sources(X.rows(), options_.n_landmarks)),
          run);
  return finish(detail::neighborhoods_of_points(X, rule(), options_.on_disconnected, search_, run),
                run);
}

template <class Scalar, class Search, class Solver>
auto Isomap<Scalar, Search, Solver>::fit_distances(const ConstMatrixRef<Scalar>& D) & -> Isomap& {
  Run run("Isomap", options_);
  run.stage("checks");
  detail::check_distances<Scalar>(run.name(), D, run.parallel());
  check_options(D.rows());
  return finish(
      detail::neighborhoods_of_distances<Search>(D, rule(), options_.on_disconnected, run), run);
}

template <class Scalar, class Search, class Solver>
auto Isomap<Scalar, Search, Solver>::fit_neighbors(
    const NeighborList<Scalar>& neighbors) & -> Isomap& {
  Run run("Isomap", options_);
  run.stage("checks");
  check_options(neighbors.size(), false);
  return finish(
      detail::neighborhoods_of_lists<Search>(neighbors, rule(), options_.on_disconnected, run),
      run);
}

template <class Scalar, class Search, class Solver>
Matrix<Scalar> Isomap<Scalar, Search, Solver>::transform(const ConstMatrixRef<Scalar>& X) const {
  const Fitted& f = fitted("transform");
  if (f.points.empty())
    throw NotFittedError(
        "Isomap::transform: this model was not fitted on points; call transform_distances with "
        "the distances from the new points to the training points");
  const Parallel parallel(options_.n_threads);
  detail::check_new_samples<Scalar>("Isomap::transform", X, f.points.dimension(), parallel);
  return detail::finite_places<Scalar>(
      "Isomap::transform",
      detail::place_by_geodesics(
          f.map, detail::neighbors_of_new(f.points, X, f.rule, parallel, "Isomap::transform"),
          options_.path, parallel));
}

template <class Scalar, class Search, class Solver>
Matrix<Scalar> Isomap<Scalar, Search, Solver>::transform_distances(
    const ConstMatrixRef<Scalar>& D) const {
  const Fitted& f = fitted("transform_distances");
  const Parallel parallel(options_.n_threads);
  detail::check_new_distances<Scalar>("Isomap::transform_distances", D, f.graph.n_vertices(),
                                      parallel);
  return detail::finite_places<Scalar>(
      "Isomap::transform_distances",
      detail::place_by_geodesics(f.map, detail::neighbors_of_new<Scalar>(D, f.rule, parallel),
                                 options_.path, parallel));
}

template <class Scalar, class Search, class Solver>
Matrix<Scalar> Isomap<Scalar, Search, Solver>::geodesic_distances() const {
  const Fitted& f = fitted("geodesic_distances");
  const Parallel parallel(options_.n_threads);
  if (!f.map.landmarks.empty())
    return shortest_paths<Scalar>(f.graph, f.map.landmarks, options_.path, parallel);
  Matrix<Scalar> G = all_shortest_paths<Scalar>(f.graph, options_.path, parallel);
  detail::make_symmetric(G, parallel);  // a path and its reverse may differ in the last bit
  return G;
}

template <class Scalar, class Search, class Solver>
void Isomap<Scalar, Search, Solver>::save(std::ostream& out) const {
  const Fitted& f = fitted("save");
  detail::ArchiveWriter archive;
  archive.count(f.rule.n_neighbors);
  archive.optional(f.rule.radius);
  archive.flag(options_.path == Path::hops);
  archive.matrix(f.map.embedding);
  archive.matrix(f.map.eigenvalues);
  archive.matrix(f.map.mean_squares);
  archive.indices(f.map.landmarks);
  archive.matrix(f.map.residual_variance);
  archive.number(f.map.reconstruction_error);
  archive.indices(f.kept);
  archive.matrix(f.points.points());
  detail::write_graph(archive, f.graph);
  archive.write_to(out, "Isomap", sizeof(Scalar));
}

template <class Scalar, class Search, class Solver>
auto Isomap<Scalar, Search, Solver>::load(std::istream& in) -> Isomap {
  detail::ArchiveReader archive(in, "Isomap", sizeof(Scalar));
  IsomapOptions options;
  Fitted f;
  options.n_neighbors = f.rule.n_neighbors = archive.count();
  options.radius = f.rule.radius = archive.optional();
  options.path = archive.flag() ? Path::hops : Path::lengths;
  f.map.embedding = archive.template matrix<Scalar>();
  const Index n = f.map.embedding.rows(), k = f.map.embedding.cols();
  f.map.eigenvalues = archive.template vector<Scalar>();
  f.map.mean_squares = archive.template vector<double>();
  f.map.landmarks = archive.indices(n);
  f.map.residual_variance = archive.template vector<double>();
  f.map.reconstruction_error = archive.template number<double>();
  f.kept = archive.indices(std::numeric_limits<Index>::max());
  Matrix<Scalar> points = archive.template matrix<Scalar>();
  f.graph = detail::read_graph<Scalar>(archive, n);
  archive.finish();
  const auto n_landmarks = static_cast<Index>(f.map.landmarks.size());
  archive.require(n >= 2 && k >= 1 && f.map.eigenvalues.size() == k &&
                      f.map.residual_variance.size() == k &&
                      f.map.mean_squares.size() == (n_landmarks > 0 ? n_landmarks : n) &&
                      (f.kept.empty() || static_cast<Index>(f.kept.size()) == n) &&
                      (points.size() == 0 || points.cols() == n) && f.rule.valid(),
                  "the shapes disagree");
  archive.require(f.map.embedding.allFinite() && f.map.eigenvalues.allFinite() &&
                      f.map.mean_squares.allFinite() && f.map.residual_variance.allFinite() &&
                      std::isfinite(f.map.reconstruction_error) && points.allFinite(),
                  "a value is NaN or Inf");
  archive.require((f.map.eigenvalues.array() >= 0).all(), "an eigenvalue is negative");
  archive.require(connected_components(f.graph).count() == 1, "the graph is not connected");
  options.n_components = k;
  options.n_landmarks = n_landmarks;
  Isomap isomap(options);
  if (points.size() > 0)
    archive.attempt([&] {
      f.points = {isomap.search_, std::move(points), f.rule.typical_count(n)};
    });
  detail::set_geodesics(f.map, f.graph, options.path);
  isomap.fitted_ = std::move(f);
  return isomap;
}

#ifdef UNFURL_COMPILED
extern template class Isomap<float>;
extern template class Isomap<double>;
#endif

}  // namespace unfurl
