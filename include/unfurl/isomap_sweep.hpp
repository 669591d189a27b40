#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/graph/components.hpp"
#include "unfurl/graph/geodesic_scaling.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/isomap.hpp"
#include "unfurl/neighbors/knn.hpp"

/// Choosing Isomap's neighbourhoods. Too small ones break the graph, too large ones let paths jump
/// between the layers of the data. So two numbers are to be seen together, over a range of values:
/// the residual variance, which jumps up with the first short circuits, and the fraction of samples
/// outside of the largest component, without which a small residual variance means nothing
/// (Balasubramanian and Schwartz 2002).
namespace unfurl {

/// What Isomap would do with one value of the radius or of the number of neighbours.
struct IsomapSweepPoint {
  double value = 0;              ///< the radius, or the number of neighbours
  Index n_edges = 0;             ///< of the graph it makes
  Index n_graph_components = 0;  ///< pieces that the graph falls into
  double fraction_outside = 0;   ///< of the samples, not in the largest component
  double residual_variance = 1;  ///< of the embedding of the largest component
};

/// All values tried, and the one to begin with.
struct IsomapSweep {
  std::vector<IsomapSweepPoint> points = {};  ///< by ascending value
  /// The value with the least sum of residual variance and fraction outside; the smallest of
  /// equals.
  double suggestion = 0;
};

namespace detail {

template <class Scalar>
struct KeyedEdge {
  Scalar key;  // the edge is there from this value on
  Edge<Scalar> edge;
};

template <class Scalar>
IsomapSweep sweep_isomap(Index n, std::vector<KeyedEdge<Scalar>> edges, std::vector<double> values,
                         const IsomapOptions& options, Run& run) {
  std::sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  std::sort(values.begin(), values.end());
  IsomapSweep sweep;
  std::vector<Edge<Scalar>> present;
  std::size_t next = 0;
  const auto cost = [](const IsomapSweepPoint& point) {
    return point.residual_variance + point.fraction_outside;
  };
  double best = 2;
  for (const double value : values) {
    run.stage(text("graph at ", value));
    for (; next < edges.size() && static_cast<double>(edges[next].key) <= value; ++next)
      present.push_back(edges[next].edge);
    const Graph<Scalar> whole = graph_from_edges(n, present, run.parallel(), run.name());
    const Components components = connected_components(whole);
    const Subgraph<Scalar> part = component(whole, components, components.largest());
    IsomapSweepPoint point;
    point.value = value;
    point.n_edges = whole.n_edges();
    point.n_graph_components = components.count();
    const Index size = part.graph.n_vertices();
    point.fraction_outside = 1 - static_cast<double>(size) / static_cast<double>(n);
    if (size > options.n_components + 1) {
      GeodesicOptions wanted{options.n_components, options.n_landmarks, options.path, options.seed};
      if (wanted.n_landmarks >= size) wanted.n_landmarks = 0;
      const bool in_float = geodesics_in_float(part.graph, wanted.n_landmarks, wanted.path);
      point.residual_variance = scale_geodesics(part.graph, wanted, in_float, AutoSolver{}, run)
                                    .residual_variance.tail(1)(0);
    }
    best = std::min(best, cost(point));
    sweep.points.push_back(point);
  }
  sweep.suggestion = std::find_if(sweep.points.begin(), sweep.points.end(), [&](const auto& point) {
                       return cost(point) <= best + 1e-3;
                     })->value;
  return sweep;
}

template <class Scalar>
void check_sweep(std::string_view where, const ConstMatrixRef<Scalar>& X, std::size_t n_values,
                 const IsomapOptions& options, const Parallel& parallel) {
  check_samples<Scalar>(where, X, parallel);
  check_range<Index>(where, "n_components", options.n_components, 1, X.rows() - 1,
                     text("n_samples = ", X.rows()));
  if (n_values == 0) throw ParameterError(text(where, ": there are no values to try"));
}

}  // namespace detail

/// Isomap for several radii, from one search and one sorted list of edges; each costs as much as a
/// fit without the search. Of the options n_components, path, n_landmarks and the common ones are
/// used. Landmarks make a sweep cheap.
/// \throws ParameterError, DataError, and what a fit throws
template <class Derived>
IsomapSweep sweep_radius(const Eigen::MatrixBase<Derived>& X, std::vector<double> radii,
                         const IsomapOptions& options = {}) {
  using Scalar = typename Derived::Scalar;
  Run run("sweep_radius", options);
  run.stage("neighbors");
  const Matrix<Scalar> rows = X;
  detail::check_sweep<Scalar>(run.name(), rows, radii.size(), options, run.parallel());
  for (const double radius : radii) detail::NeighborRule{1, radius}.check(run.name(), X.rows());
  const double largest = *std::max_element(radii.begin(), radii.end());
  const auto list =
      radius_neighbors(rows, static_cast<Scalar>(largest), AutoSearch(), run.parallel());
  std::vector<detail::KeyedEdge<Scalar>> edges;
  for (Index i = 0; i < list.size(); ++i)
    for (Index e = 0; e < list.count(i); ++e)
      if (list.indices(i)[e] > i)
        edges.push_back({list.distances(i)[e], {i, list.indices(i)[e], list.distances(i)[e]}});
  return detail::sweep_isomap(list.size(), std::move(edges), std::move(radii), options, run);
}

/// The same for several numbers of neighbours.
template <class Derived>
IsomapSweep sweep_neighbors(const Eigen::MatrixBase<Derived>& X, const std::vector<Index>& counts,
                            const IsomapOptions& options = {}) {
  using Scalar = typename Derived::Scalar;
  Run run("sweep_neighbors", options);
  run.stage("neighbors");
  const Matrix<Scalar> rows = X;
  detail::check_sweep<Scalar>(run.name(), rows, counts.size(), options, run.parallel());
  for (const Index count : counts) detail::NeighborRule{count, {}}.check(run.name(), X.rows());
  const Index largest = *std::max_element(counts.begin(), counts.end());
  const auto list = knn(rows, largest, AutoSearch(), run.parallel());
  // An edge is there as soon as one of its ends is among the nearest of the other; of the two keys
  // it is listed with, the smaller comes first and the second changes nothing.
  std::vector<detail::KeyedEdge<Scalar>> edges;
  for (Index i = 0; i < list.size(); ++i)
    for (Index e = 0; e < list.count(i); ++e)
      edges.push_back({static_cast<Scalar>(e + 1), {i, list.indices(i)[e], list.distances(i)[e]}});
  return detail::sweep_isomap(list.size(), std::move(edges),
                              std::vector<double>(counts.begin(), counts.end()), options, run);
}

}  // namespace unfurl
