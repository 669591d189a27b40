#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/shortest_paths.hpp"

/// Geodesics between all pairs, of which a symmetric half is enough: the lower triangle is not
/// written, and a system that gives memory when it is first touched gives half of it.
namespace unfurl::detail {

/// Paths from every vertex (columns) to the vertices before it; on the diagonal 0.
template <class Out, class Scalar>
Matrix<Out> upper_shortest_paths(const Graph<Scalar>& graph, Path path, const Parallel& parallel) {
  const Index n = graph.n_vertices();
  std::vector<Index> sources(static_cast<std::size_t>(n));
  std::iota(sources.begin(), sources.end(), Index{0});
  Matrix<Out> result(n, n);
  for_each_source_in<Out>(graph, sources, path, parallel, [&](Index s, const Out* distances) {
    std::copy_n(distances, s + 1, result.data() + s * n);
  });
  return result;
}

}  // namespace unfurl::detail
