#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/kernels/bandwidth.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

namespace unfurl {

/// The median over the points of the distance to their k-th neighbour, k counted from 1; 0: the
/// last neighbour each point has. A point with fewer than k neighbours counts with its last, one
/// without any not at all. O(n).
template <class Scalar>
Bandwidth<Scalar> median_bandwidth(const NeighborList<Scalar>& neighbors, Index k = 0) {
  std::vector<Scalar> distances;
  distances.reserve(static_cast<std::size_t>(neighbors.size()));
  for (Index i = 0; i < neighbors.size(); ++i) {
    const Index count = neighbors.count(i);
    if (count > 0)
      distances.push_back(neighbors.distances(i)[(k > 0 ? std::min(k, count) : count) - 1]);
  }
  return median_bandwidth(std::move(distances),
                          k > 0 ? detail::text("median distance to neighbour ", k)
                                : std::string("median distance to the last neighbour"));
}

/// The slope rule on the edges of a graph instead of all pairs: O(m). The pairs that are not edges
/// count as infinitely far, so the scale found is one within the neighbourhoods (Berry and Harlim
/// 2016 work this way).
template <class Scalar>
Bandwidth<Scalar> slope_bandwidth(const Graph<Scalar>& graph) {
  detail::SquaredDistanceHistogram histogram;
  for (Index i = 0; i < graph.n_vertices(); ++i)
    for (Index e = 0; e < graph.degree(i); ++e) {
      const auto length = static_cast<double>(graph.lengths(i)[e]);
      if (graph.neighbors(i)[e] > i) histogram.add(length * length);
    }
  return detail::slope_bandwidth<Scalar>(graph.n_vertices(), histogram);
}

}  // namespace unfurl
