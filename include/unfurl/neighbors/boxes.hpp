#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/distance.hpp"

namespace unfurl::detail {

/// Boxes around points of few features that stand in an order in which near ones follow each other
/// (spatial_order.hpp): eight points make a leaf, eight leaves a node, eight of these the next, up
/// to a single one.
///
/// A box is as far from a query as the nearest point that it could hold. That is computed by the
/// operations of `squared_distance`, each of which rounds monotonically: it never exceeds the
/// computed distance of a point in the box, and needs no room for rounding.
template <class Scalar>
class Boxes {
 public:
  static constexpr Index fan = 8;
  static constexpr Index most_features = 7;  // up to which squared_distance goes feature by feature

  /// \param points one a column; they stay where they are as long as this lives
  explicit Boxes(const Matrix<Scalar>& points) : points_(points) {
    levels_.push_back(around(points, points));
    while (levels_.back().low.cols() > 1)
      levels_.push_back(around(levels_.back().low, levels_.back().high));
  }

  const Matrix<Scalar>& points() const { return points_; }
  Index dimension() const { return points_.rows(); }
  /// Level 0 holds the leaves, the last one a single box.
  Index n_levels() const { return static_cast<Index>(levels_.size()); }
  Index n_leaves() const { return levels_.front().low.cols(); }

  /// What the nodes of a level hold: nodes of the level below, points for level 0.
  struct Range {
    Index begin, end;
  };
  Range children(Index level, Index node) const {
    const Index all = level > 0 ? boxes(level - 1).low.cols() : points_.cols();
    return {node * fan, std::min(all, (node + 1) * fan)};
  }

  /// Corners of a box: `dimension()` numbers each.
  const Scalar* low(Index level, Index node) const {
    return boxes(level).low.data() + node * dimension();
  }
  const Scalar* high(Index level, Index node) const {
    return boxes(level).high.data() + node * dimension();
  }

  /// The leaf that is found by always going on to the nearest box.
  Index leaf_near(const Scalar* query) const {
    Index node = 0;
    for (Index level = n_levels() - 1; level > 0; --level) {
      const auto [begin, end] = children(level, node);
      node = begin;
      Scalar least = squared_distance_to(level - 1, begin, query);
      for (Index child = begin + 1; child < end; ++child) {
        const Scalar square = squared_distance_to(level - 1, child, query);
        if (square < least) node = child, least = square;
      }
    }
    return node;
  }

  /// Offers points to a collector (collectors.hpp), all that are within its limit.
  /// \param names what the points are called
  template <class Collector>
  void search(const Scalar* query, const std::vector<Index>& names, Collector& collector) const {
    search(n_levels() - 1, 0, query, names, collector);
  }

 private:
  struct Level {
    Matrix<Scalar> low, high;  // a box a column
  };

  const Level& boxes(Index level) const { return levels_[static_cast<std::size_t>(level)]; }

  static Level around(const Matrix<Scalar>& low, const Matrix<Scalar>& high) {
    const Index d = low.rows(), n = (low.cols() + fan - 1) / fan;
    Level level{Matrix<Scalar>(d, n), Matrix<Scalar>(d, n)};
    for (Index node = 0; node < n; ++node) {
      Scalar* const least = level.low.data() + node * d;
      Scalar* const most = level.high.data() + node * d;
      std::copy_n(low.data() + node * fan * d, d, least);
      std::copy_n(high.data() + node * fan * d, d, most);
      for (Index child = node * fan + 1; child < std::min(low.cols(), (node + 1) * fan); ++child)
        for (Index i = 0; i < d; ++i) {
          least[i] = std::min(least[i], low.data()[child * d + i]);
          most[i] = std::max(most[i], high.data()[child * d + i]);
        }
    }
    return level;
  }

  Scalar squared_distance_to(Index level, Index node, const Scalar* query) const {
    const Scalar *least = low(level, node), *most = high(level, node);
    Scalar sum = 0;
    for (Index i = 0; i < dimension(); ++i) {
      const Scalar outside = std::max(least[i] - query[i], query[i] - most[i]);
      sum = add_square(sum, std::max(outside, Scalar(0)));
    }
    return sum;
  }

  /// The nearest children first.
  template <class Collector>
  void search(Index level, Index node, const Scalar* query, const std::vector<Index>& names,
              Collector& collector) const {
    const auto [begin, end] = children(level, node);
    if (level == 0) {
      for (Index i = begin; i < end; ++i)
        collector.offer(
            std::sqrt(squared_distance(query, points_.data() + i * dimension(), dimension())),
            names[static_cast<std::size_t>(i)]);
      return;
    }
    std::pair<Scalar, Index> nearest[static_cast<std::size_t>(fan)];
    Index count = 0;
    for (Index child = begin; child < end; ++child) {
      const std::pair<Scalar, Index> entry(squared_distance_to(level - 1, child, query), child);
      Index at = count++;
      for (; at > 0 && entry < nearest[at - 1]; --at) nearest[at] = nearest[at - 1];
      nearest[at] = entry;
    }
    for (Index c = 0; c < count; ++c) {
      if (!(nearest[c].first <= generous_square(collector.limit(), dimension()))) return;
      search(level - 1, nearest[c].second, query, names, collector);
    }
  }

  const Matrix<Scalar>& points_;
  std::vector<Level> levels_;
};

}  // namespace unfurl::detail
