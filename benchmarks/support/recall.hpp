#pragma once

#include "unfurl/neighbors/neighbor_list.hpp"

namespace bench {

/// The part of the neighbours that are no farther than the farthest true one.
template <class Scalar>
double recall(const unfurl::NeighborList<Scalar>& found,
              const unfurl::NeighborList<Scalar>& exact) {
  unfurl::Index hits = 0;
  for (unfurl::Index i = 0; i < found.size(); ++i)
    for (unfurl::Index e = 0; e < found.count(i); ++e)
      hits += found.distances(i)[e] <= exact.distances(i)[exact.count(i) - 1];
  return static_cast<double>(hits) / static_cast<double>(found.total());
}

}  // namespace bench
