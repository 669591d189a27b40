#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/distance.hpp"
#include "unfurl/neighbors/projection_tree.hpp"

namespace unfurl::detail {

/// What a search on neighbour lists works on. Points have the numbers of their places here, near
/// ones near each other in memory.
template <class Scalar>
struct NeighborGraph {
  Matrix<Scalar> points;   // one a column
  std::vector<int> lists;  // `width` neighbours of each, nearest first
  Index width = 0;
  std::vector<ProjectionTree<Scalar>> trees;  // where searches begin
};

/// Finds the points nearest to a query by walking along neighbour lists: from the leaves of a few
/// trees, always on from the nearest point not yet left, until the `beam` nearest points met have
/// all been left. For one thread.
template <class Scalar>
class GraphWalk {
 public:
  struct Met {
    Scalar square;  // of the distance
    int point;
    bool left;
    bool operator<(const Met& other) const {
      return std::make_pair(square, point) < std::make_pair(other.square, other.point);
    }
  };

  GraphWalk(const NeighborGraph<Scalar>& graph, Index beam)
      : graph_(graph),
        beam_(static_cast<std::size_t>(beam)),
        seen_(static_cast<std::size_t>(graph.points.cols()), 0) {}

  /// The nearest points met, ascending, until the next call.
  /// \param query the coordinates
  /// \param ignored a point that is treated as if it were not there; -1: none
  const std::vector<Met>& operator()(const Scalar* query, int ignored = -1) {
    for (const int i : visited_) seen_[static_cast<std::size_t>(i)] = 0;
    visited_.clear();
    met_.clear();
    if (ignored >= 0) {
      seen_[static_cast<std::size_t>(ignored)] = 1;
      visited_.push_back(ignored);
    }
    for (const auto& tree : graph_.trees) {
      const Index leaf = tree.leaf_of(query);
      meet(query, tree.leaf(leaf), tree.leaf_size(leaf));
    }
    for (std::size_t next = 0; next < met_.size();) {
      if (met_[next].left) {
        ++next;
        continue;
      }
      met_[next].left = true;
      const int* const list = graph_.lists.data() + met_[next].point * graph_.width;
      next = std::min(next, meet(query, list, graph_.width));
    }
    return met_;
  }

 private:
  /// The first place at which a point was put in.
  std::size_t meet(const Scalar* query, const int* points, Index count) {
    std::size_t first = met_.size();
    const Index d = graph_.points.rows();
    for (Index e = 0; e < count; ++e) {
      char& seen = seen_[static_cast<std::size_t>(points[e])];
      if (seen) continue;
      seen = 1;
      visited_.push_back(points[e]);
      const Met met{squared_distance(query, graph_.points.data() + points[e] * d, d), points[e],
                    false};
      if (met_.size() == beam_) {
        if (!(met < met_.back())) continue;
        met_.pop_back();
      }
      const auto at = std::upper_bound(met_.begin(), met_.end(), met);
      first = std::min(first, static_cast<std::size_t>(at - met_.begin()));
      met_.insert(at, met);
    }
    return first;
  }

  const NeighborGraph<Scalar>& graph_;
  std::size_t beam_;
  std::vector<char> seen_;  // one a point
  std::vector<int> visited_ = {};
  std::vector<Met> met_ = {};
};

}  // namespace unfurl::detail
