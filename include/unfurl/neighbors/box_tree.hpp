#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/neighbors/boxes.hpp"
#include "unfurl/neighbors/check_points.hpp"
#include "unfurl/neighbors/collectors.hpp"
#include "unfurl/neighbors/lane_search.hpp"
#include "unfurl/neighbors/ordered_points.hpp"
#include "unfurl/neighbors/spatial_order.hpp"

namespace unfurl {

/// What BoxTree::build makes. Copies share the points and the boxes, which never change.
template <class Scalar>
class BoxTreeIndex {
 public:
  /// Of points stored one a column, which are copied.
  BoxTreeIndex(const Matrix<Scalar>& points, const Parallel& parallel)
      : contents_(std::make_shared<const Contents>(points, parallel)) {}

  /// Number of points.
  Index size() const { return contents_->all.points.cols(); }
  /// Number of coordinates of a point.
  Index dimension() const { return contents_->all.points.rows(); }
  /// Coordinates of point i.
  const Scalar* point(Index i) const { return contents_->all.point(i); }
  /// One point a column, in the order in which they were given.
  Matrix<Scalar> points() const { return contents_->all.given(); }
  /// The step-th point when near ones follow each other: the fastest order to ask about them.
  Index visit_order(Index step) const { return name(step); }

  /// Such an order of queries, one after the other in memory.
  std::vector<Index> query_order(const Scalar* queries, Index n_queries,
                                 const Parallel& parallel) const {
    std::vector<Index> leaf(static_cast<std::size_t>(n_queries));
    parallel.for_each(n_queries, [&](Index q) {
      leaf[static_cast<std::size_t>(q)] = contents_->boxes.leaf_near(queries + q * dimension());
    });
    // By leaf, by counting.
    std::vector<Index> slot(static_cast<std::size_t>(contents_->boxes.n_leaves()) + 1, 0);
    for (const Index l : leaf) ++slot[static_cast<std::size_t>(l) + 1];
    std::partial_sum(slot.begin(), slot.end(), slot.begin());
    std::vector<Index> order(leaf.size());
    for (std::size_t q = 0; q < leaf.size(); ++q)
      order[static_cast<std::size_t>(slot[static_cast<std::size_t>(leaf[q])]++)] =
          static_cast<Index>(q);
    return order;
  }

  /// The k points nearest to the query: true distances, ascending, ties by index.
  /// \throws ParameterError unless 1 <= k <= size(); DataError for a query that is not finite.
  void knn(const Scalar* query, Index k, Index* indices, Scalar* distances) const {
    detail::check_n_neighbors("BoxTree", k, size(), size());
    detail::NearestK<Scalar> nearest(k);
    search(query, nearest);
    detail::require_complete("BoxTree", nearest.complete());
    nearest.write(indices, distances);
  }

  /// `knn` of several queries, one after the other in memory, each with k results. Fastest when
  /// near ones follow each other.
  void knn_batch(const Scalar* queries, Index n_queries, Index k, Index* indices,
                 Scalar* distances) const {
    using Together = detail::LaneSearch<Scalar>;
    detail::check_n_neighbors("BoxTree", k, size(), size());
    const bool together = k <= Together::most_neighbors;
    Together lanes(contents_->boxes, together ? k : 0);
    for (Index begin = 0; begin < n_queries; begin += Together::lanes) {
      const Index count = std::min(Together::lanes, n_queries - begin);
      if (together) lanes.find(queries + begin * dimension(), count);
      for (Index lane = 0; lane < count; ++lane) {
        const Index q = begin + lane;
        const Scalar* const query = queries + q * dimension();
        if (!together ||
            !lanes.write(lane, query, contents_->all.order, indices + q * k, distances + q * k))
          knn(query, k, indices + q * k, distances + q * k);
      }
    }
  }

  /// The points whose true distance is at most r, in the same order.
  void radius(const Scalar* query, Scalar r, std::vector<Index>& indices,
              std::vector<Scalar>& distances) const {
    detail::WithinRadius<Scalar> within(r);
    search(query, within);
    within.write(indices, distances);
  }

  /// The nearest point at most `bound` away for which `accept(index)` holds; false if there is
  /// none.
  template <class Accept>
  bool nearest_if(const Scalar* query, Accept&& accept, Scalar bound, Index& index,
                  Scalar& distance) const {
    detail::NearestAccepted<Scalar, Accept> nearest(accept, bound);
    search(query, nearest);
    return nearest.write(index, distance);
  }

  /// How many distances `knn` evaluates for this query: what a search costs, without a clock.
  Index count_evaluations(const Scalar* query, Index k) const {
    detail::Counted<detail::NearestK<Scalar>> nearest(k);
    search(query, nearest);
    return nearest.count();
  }

 private:
  struct Contents {
    Contents(const Matrix<Scalar>& given, const Parallel& parallel)
        : all(given, detail::SpatialOrder<Scalar>(given, parallel).take()), boxes(all.points) {}
    Contents(const Contents&) = delete;  // the boxes refer to the points
    Contents& operator=(const Contents&) = delete;

    detail::OrderedPoints<Scalar> all;
    detail::Boxes<Scalar> boxes;
  };

  Index name(Index place) const { return contents_->all.order[static_cast<std::size_t>(place)]; }

  template <class Collector>
  void search(const Scalar* query, Collector& collector) const {
    contents_->boxes.search(query, contents_->all.order, collector);
  }

  std::shared_ptr<const Contents> contents_;
};

/// Exact neighbours of points with at most 7 features, by a tree of boxes that queries walk in
/// groups, in the lanes of vector registers: for all points of a set, or many queries, several
/// times as fast as a kd-tree that is asked one by one. Build O(d n log n), on all threads; the
/// index holds one copy of the points.
struct BoxTree {
  /// Up to so many features.
  static constexpr Index most_features = detail::Boxes<double>::most_features;

  /// The index over these points.
  /// \param points one a column.
  /// \param n_neighbors not used
  /// \param parallel the threads to build on
  /// \throws DataError when there are no points or features, or entries are not finite or so large
  ///   that their squares overflow; ParameterError for more features than it can.
  template <class Scalar>
  BoxTreeIndex<Scalar> build(const Matrix<Scalar>& points, Index n_neighbors = 0,
                             const Parallel& parallel = Parallel()) const {
    static_cast<void>(n_neighbors);
    detail::check_points("BoxTree", points);
    detail::check_range<Index>("BoxTree", "n_features", points.rows(), 1, most_features,
                               "KdTree takes more");
    return BoxTreeIndex<Scalar>(points, parallel);
  }
};

}  // namespace unfurl
