#pragma once

#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/neighbors/knn.hpp"

namespace micro {

/// Ten neighbours on a Swiss roll, as the estimators have them.
inline unfurl::Graph<double> swiss_roll_graph(Eigen::Index n, const unfurl::Parallel& parallel) {
  return unfurl::neighbor_graph(unfurl::knn(unfurl::swiss_roll(n).points, 10),
                                unfurl::Symmetry::either, parallel);
}

}  // namespace micro
