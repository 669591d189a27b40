#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/path_graph.hpp"
#include "unfurl/graph/path_length.hpp"
#include "unfurl/graph/shortest_paths.hpp"
#include "unfurl/graph/source_groups.hpp"
#include "unfurl/graph/upper_geodesics.hpp"

namespace unfurl::detail {

/// The geodesics of a connected graph: from all vertices, or from landmarks. The lengths of edges
/// are rounded so that sums along paths are exact: a geodesic that is put together from these has
/// the same bytes as one that is walked to.
template <class Real>
struct Geodesics {
  PathGraph<Real> paths;
  std::vector<int> sources;  ///< vertices of `paths`; all of them are in order
  /// Vertices of `paths` x sources. If all vertices are sources, only entries on and above the
  /// diagonal are there. Empty where the geodesics are not kept.
  Matrix<Real> lengths = Matrix<Real>(0, 0);

  bool every() const { return static_cast<Index>(sources.size()) == paths.size(); }
  /// Of the graph, that source j is.
  Index vertex(Index j) const {
    const auto source = static_cast<std::size_t>(sources[static_cast<std::size_t>(j)]);
    return paths.order()[source];
  }
};

/// Without the lengths.
/// \param landmarks vertices of the graph; empty: all are sources
template <class Real, class Scalar>
Geodesics<Real> unknown_geodesics(const Graph<Scalar>& graph, Path path,
                                  const std::vector<Index>& landmarks) {
  const PathRounding<Real> rounding(longest_path_bound(graph, path));
  if (landmarks.empty()) {
    std::vector<int> sources(static_cast<std::size_t>(graph.n_vertices()));
    std::iota(sources.begin(), sources.end(), 0);
    return {path_graph_in_groups<Real>(graph, path, rounding), std::move(sources)};
  }
  PathGraph<Real> paths(graph, path, rounding);
  std::vector<int> sources;
  for (const Index landmark : landmarks) sources.push_back(paths.here(landmark));
  return {std::move(paths), std::move(sources)};
}

/// The lengths that belong there.
template <class Real>
Matrix<Real> walk(const Geodesics<Real>& geodesics, const Parallel& parallel) {
  const PathGraph<Real>& paths = geodesics.paths;
  if (geodesics.every()) return upper_geodesics(paths, parallel);
  Matrix<Real> lengths(paths.size(), static_cast<Index>(geodesics.sources.size()));
  for_each_source_of(
      paths, geodesics.sources, parallel, [](Index v) { return v; },
      [&](Index s, const Real* distances) {
        std::copy_n(distances, lengths.rows(), lengths.data() + s * lengths.rows());
      });
  return lengths;
}

}  // namespace unfurl::detail
