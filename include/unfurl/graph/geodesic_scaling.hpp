#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/random.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/geodesics.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/graph_memory.hpp"
#include "unfurl/graph/path_length.hpp"
#include "unfurl/graph/residual_variance.hpp"
#include "unfurl/spectral/centered_squares.hpp"
#include "unfurl/spectral/classical_scaling.hpp"

namespace unfurl::detail {

struct GeodesicOptions {
  Index n_components = 2;
  Index n_landmarks = 0;  // 0: every vertex
  Path path = Path::lengths;
  std::uint64_t seed = 0;
};

/// A connected graph drawn so that distances in the drawing fit distances along its edges.
template <class Scalar>
struct GeodesicScaling {
  std::shared_ptr<const Geodesics<float>> narrow = nullptr;  // what it was drawn from: either
  std::shared_ptr<const Geodesics<double>> wide = nullptr;
  std::vector<Index> landmarks = {};  // ascending; empty: every vertex
  Matrix<Scalar> embedding = {};
  Vector<Scalar> eigenvalues = {};
  Vector<double> mean_squares = {};       // of the geodesics from each vertex, or landmark
  Vector<double> residual_variance = {};  // of the first 1, 2, … coordinates
  double reconstruction_error = 0;

  void keep(Geodesics<float>&& geodesics) {
    narrow = std::make_shared<const Geodesics<float>>(std::move(geodesics));
  }
  void keep(Geodesics<double>&& geodesics) {
    wide = std::make_shared<const Geodesics<double>>(std::move(geodesics));
  }
};

/// Row i of A becomes row places[i].
template <class Rows>
Rows rows_in_places(const Rows& A, const std::vector<int>& places) {
  Rows result(A.rows(), A.cols());
  for (Index i = 0; i < A.rows(); ++i) result.row(places[static_cast<std::size_t>(i)]) = A.row(i);
  return result;
}

/// The steps of Isomap after the graph (Tenenbaum, de Silva and Langford 2000), with the geodesics
/// stored as `Stored`.
template <class Stored, class Scalar, class Solver>
GeodesicScaling<Scalar> scale_stored_geodesics(const Graph<Scalar>& graph,
                                               const GeodesicOptions& options, const Solver& solver,
                                               Run& run) {
  const Index n = graph.n_vertices();
  GeodesicScaling<Scalar> result;
  if (options.n_landmarks > 0 && options.n_landmarks < n) {
    result.landmarks = Random(options.seed, 2).sample(n, options.n_landmarks);
    std::sort(result.landmarks.begin(), result.landmarks.end());
  }

  run.stage("geodesics");
  auto geodesics = unknown_geodesics<Stored>(graph, options.path, result.landmarks);
  geodesics.lengths = walk(geodesics, run.parallel());
  const Matrix<Stored>& G = geodesics.lengths;
  const std::vector<int>& sources = geodesics.sources;
  const bool every = geodesics.every();

  run.stage("eigenpairs", true);
  Matrix<Stored> between(0, 0);  // the landmarks
  if (!every) {
    between.resize(G.cols(), G.cols());
    for (Index i = 0; i < G.cols(); ++i)
      between.row(i) = G.row(sources[static_cast<std::size_t>(i)]);
  }
  const CenteredSquares<Stored> B(every ? G : between, run.parallel());
  const Scaling<Scalar> scaling =
      classical_scaling<Scalar>(B, B, options.n_components, solver, options.seed, run);
  run.report().negative_mass = scaling.negative_mass;
  result.eigenvalues = scaling.eigenvalues;
  result.mean_squares = B.means();
  if (const double scale = B.scale(); scale > 0) {
    const double explained = (scaling.eigenvalues.template cast<double>() / scale).squaredNorm();
    result.reconstruction_error = scale *
                                  std::sqrt(std::max(0.0, B.relative_squared_norm() - explained)) /
                                  static_cast<double>(B.rows());
  }

  run.stage("embedding");
  result.embedding = every ? scaling.coordinates
                           : place_by_distances<Scalar>(G, scaling.coordinates, result.eigenvalues,
                                                        result.mean_squares, run.parallel());
  result.residual_variance = residual_variances(G, sources, result.embedding, options.seed);
  const std::vector<int>& vertices = geodesics.paths.order();
  result.embedding = rows_in_places(result.embedding, vertices);
  if (every) result.mean_squares = rows_in_places(result.mean_squares, vertices);
  fix_signs(result.embedding);
  if (n * G.cols() > 2 * most_residual_pairs)
    run.report().notes.push_back(
        text("residual variance from ", most_residual_pairs, " random pairs"));
  if (!every)
    run.report().notes.push_back(
        text(sources.size(), " landmarks, the other samples placed by their geodesics to them"));
  result.keep(std::move(geodesics));
  return result;
}

/// Geodesics are computed and kept in float where double would take more than 128 MB: their
/// relative error, about 1e-6 after a hundred edges, is far below that of the graph as a picture of
/// the manifold.
template <class Scalar>
bool geodesics_in_float(Index n, Index n_sources) {
  return std::is_same_v<Scalar, float> ||
         static_cast<double>(n) * static_cast<double>(n_sources) > 4096.0 * 4096.0;
}

/// The number of sources of paths. \param n_landmarks 0: every vertex is one
inline Index n_path_sources(Index n, Index n_landmarks) {
  return n_landmarks > 0 ? std::min(n, n_landmarks) : n;
}

/// Not where lengths are near the ends of what float can hold, nor where one of them is so long
/// that a tenth of the others would lose their fourth digit beside it.
template <class Scalar>
bool geodesics_in_float(const Graph<Scalar>& graph, Index n_landmarks, Path path) {
  const Index n = graph.n_vertices();
  if (!geodesics_in_float<Scalar>(n, n_path_sources(n, n_landmarks))) return false;
  if constexpr (std::is_same_v<Scalar, float>) {
    return true;
  } else {
    const PathRounding<float> rounding(longest_path_bound(graph, path));
    double total = 0;
    Index n_rounded_off = 0;
    for (Index v = 0; v < n; ++v)
      for (Index e = 0; e < graph.degree(v); ++e) {
        const double length = edge_length(graph, v, e, path);
        total += length;
        if (std::abs(static_cast<double>(rounding(length)) - length) > 1e-3 * length)
          ++n_rounded_off;
      }
    const double mean = total / static_cast<double>(std::max<Index>(1, graph.n_entries()));
    return mean < 1e25 && (mean > 1e-25 || mean == 0) && n_rounded_off <= graph.n_entries() / 10;
  }
}

/// Foresees the memory of an Isomap.
/// \param held bytes of points and graph
/// \param in_float as `geodesics_in_float` says
inline void foresee_geodesics(Index n, double n_neighbors, const GeodesicOptions& options,
                              bool in_float, double held, Run& run) {
  const Index m = n_path_sources(n, options.n_landmarks);
  const int n_threads = run.parallel().n_threads();
  const double size = in_float ? 4 : 8, rows = static_cast<double>(n);
  const double with_geodesics =
      held + (m < n ? size * rows * static_cast<double>(m) : triangle_bytes(n, size));
  // A batch of sources in each thread: distances, queue and marks of all vertices, and an order of
  // them with the edges.
  const double order = 24 + (4 + size) * entries_per_neighbor / 2 * n_neighbors;
  const double batch = rows * n_threads * (size * (m < n ? 48 : 28) + order);
  run.foresee("the matrix of geodesics", with_geodesics,
              block_lanczos_bytes(m, options.n_components, n_threads),
              with_geodesics + std::max(batch, residual_variance_bytes(n, m)));
}

/// \param in_float as `geodesics_in_float` says
template <class Scalar, class Solver>
GeodesicScaling<Scalar> scale_geodesics(const Graph<Scalar>& graph, const GeodesicOptions& options,
                                        bool in_float, const Solver& solver, Run& run) {
  if constexpr (std::is_same_v<Scalar, double>) {
    if (!in_float) return scale_stored_geodesics<double>(graph, options, solver, run);
    run.report().notes.push_back("geodesics in float");
  }
  return scale_stored_geodesics<float>(graph, options, solver, run);
}

/// The graph, in the precision that it was drawn in, for the paths of new points: what a model file
/// does not hold.
template <class Scalar>
void set_geodesics(GeodesicScaling<Scalar>& map, const Graph<Scalar>& graph, Path path) {
  if constexpr (std::is_same_v<Scalar, double>)
    if (!geodesics_in_float(graph, static_cast<Index>(map.landmarks.size()), path))
      return map.keep(unknown_geodesics<double>(graph, path, map.landmarks));
  map.keep(unknown_geodesics<float>(graph, path, map.landmarks));
}

}  // namespace unfurl::detail
