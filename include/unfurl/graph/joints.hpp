#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/graph/path_batch.hpp"
#include "unfurl/graph/path_graph.hpp"
#include "unfurl/graph/path_length.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

namespace unfurl::detail {

/// Where a new point is joined to the graph: by edges that are so much longer than the shortest.
template <class Real>
struct Joints {
  double shortest = 0;
  std::vector<PathStart<Real>> starts = {};
};

/// Of each new point. An edge that is longer than the shortest one by more than a way through the
/// graph is left out: no path needs it.
template <class Scalar, class Real>
std::vector<Joints<Real>> joints_of(const NeighborList<Scalar>& neighbors,
                                    const PathGraph<Real>& paths, Path path) {
  std::vector<Joints<Real>> joints(static_cast<std::size_t>(neighbors.size()));
  for (Index i = 0; i < neighbors.size(); ++i) {
    const auto length = [&](Index e) {
      const auto distance = static_cast<double>(neighbors.distances(i)[e]);
      return path == Path::hops ? (distance > 0 ? 1.0 : 0.0) : distance;
    };
    Joints<Real>& of = joints[static_cast<std::size_t>(i)];
    of.shortest = std::numeric_limits<double>::infinity();
    for (Index e = 0; e < neighbors.count(i); ++e) of.shortest = std::min(of.shortest, length(e));
    for (Index e = 0; e < neighbors.count(i); ++e)
      if (const double more = length(e) - of.shortest; more <= paths.rounding().longest())
        of.starts.push_back({paths.here(neighbors.indices(i)[e]), paths.rounding()(more)});
  }
  return joints;
}

}  // namespace unfurl::detail
