#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "unfurl/neighbors/candidates.hpp"
#include "unfurl/neighbors/check_points.hpp"
#include "unfurl/neighbors/collectors.hpp"
#include "unfurl/neighbors/distance.hpp"
#include "unfurl/neighbors/distance_filter.hpp"

namespace unfurl {

/// What BruteForce::build makes.
template <class Scalar>
class BruteForceIndex {
 public:
  /// Of points stored one a column, which are shared and not copied.
  explicit BruteForceIndex(std::shared_ptr<const Matrix<Scalar>> points)
      : points_(std::move(points)), filter_(*points_) {}

  /// Number of points.
  Index size() const { return points_->cols(); }
  /// Number of coordinates of a point.
  Index dimension() const { return points_->rows(); }
  /// Coordinates of point i.
  const Scalar* point(Index i) const { return points_->data() + i * dimension(); }
  /// One point a column.
  const Matrix<Scalar>& points() const { return *points_; }

  /// The k points nearest to the query: true distances, ascending, ties by index.
  /// \throws ParameterError unless 1 <= k <= size(); DataError for a query that is not finite.
  void knn(const Scalar* query, Index k, Index* indices, Scalar* distances) const {
    knn_batch(query, 1, k, indices, distances);
  }

  /// The same for many queries stored one after the other; k results each. Much faster than one by
  /// one.
  void knn_batch(const Scalar* queries, Index n_queries, Index k, Index* indices,
                 Scalar* distances) const {
    detail::check_n_neighbors("BruteForce", k, size(), size());
    std::vector<detail::NearestK<Scalar>> nearest;
    nearest.reserve(static_cast<std::size_t>(n_queries));
    for (Index q = 0; q < n_queries; ++q) nearest.emplace_back(k);
    search(queries, k, nearest);
    for (detail::NearestK<Scalar>& one : nearest) {
      detail::require_complete("BruteForce", one.complete());
      one.write(indices, distances);
      indices += k;
      distances += k;
    }
  }

  /// The points whose true distance is at most r, in the same order.
  void radius(const Scalar* query, Scalar r, std::vector<Index>& indices,
              std::vector<Scalar>& distances) const {
    radius_batch(query, 1, r, &indices, &distances);
  }

  /// The same for many queries; one vector of each a query.
  void radius_batch(const Scalar* queries, Index n_queries, Scalar r, std::vector<Index>* indices,
                    std::vector<Scalar>* distances) const {
    std::vector<detail::WithinRadius<Scalar>> within(static_cast<std::size_t>(n_queries),
                                                     detail::WithinRadius<Scalar>(r));
    search(queries, 0, within);
    for (detail::WithinRadius<Scalar>& one : within) one.write(*indices++, *distances++);
  }

  /// The nearest point at most `bound` away for which `accept(index)` holds; false if there is
  /// none.
  template <class Accept>
  bool nearest_if(const Scalar* query, Accept&& accept, Scalar bound, Index& index,
                  Scalar& distance) const {
    detail::NearestAccepted<Scalar, Accept> nearest(accept, bound);
    measure_all(query, nearest);
    return nearest.write(index, distance);
  }

 private:
  // A product of 512 x 128 floats stays in the second-level cache while it is looked through.
  static constexpr Index point_block = 512, query_block = 128;
  static constexpr Index few_queries = 8;  // not worth a product

  /// \param k how many points each query wants; 0: as many as its collector takes
  template <class Collector>
  void search(const Scalar* queries, Index k, std::vector<Collector>& collectors) const {
    const auto n_queries = static_cast<Index>(collectors.size());
    for (Index begin = 0; begin < n_queries; begin += query_block) {
      const Index count = std::min(query_block, n_queries - begin);
      search_block(queries + begin * dimension(), count, k, collectors.data() + begin);
    }
  }

  template <class Collector>
  void search_block(const Scalar* queries, Index n_queries, Index k, Collector* collectors) const {
    if (n_queries >= few_queries && filter_.usable()) {
      const detail::DistanceFilter::Queries prepared = filter_.prepare(queries, n_queries);
      if (prepared.usable) {
        search_filtered(queries, prepared, k, collectors);
        return;
      }
    }
    for (Index q = 0; q < n_queries; ++q) measure_all(queries + q * dimension(), collectors[q]);
  }

  template <class Collector>
  void search_filtered(const Scalar* queries, const detail::DistanceFilter::Queries& prepared,
                       Index k, Collector* collectors) const {
    const Index n_queries = prepared.rows.cols();
    const auto measure_for = [&](Index q) {
      return [this, query = queries + q * dimension(), collector = collectors + q](Index i) {
        measure(query, i, *collector);
        return static_cast<double>(collector->limit());
      };
    };
    std::vector<detail::Candidates> candidates;
    candidates.reserve(static_cast<std::size_t>(n_queries));
    for (Index q = 0; q < n_queries; ++q)
      candidates.emplace_back(filter_, prepared.squared_norms[static_cast<std::size_t>(q)], k,
                              static_cast<double>(collectors[q].limit()));
    Matrix<float> values;
    for (Index begin = 0; begin < size(); begin += point_block) {
      const Index count = std::min(point_block, size() - begin);
      filter_.evaluate(prepared, begin, count, values);
      for (Index q = 0; q < n_queries; ++q)
        candidates[static_cast<std::size_t>(q)].look_through(begin, values.data() + q * count,
                                                             count, measure_for(q));
    }
    for (Index q = 0; q < n_queries; ++q)
      candidates[static_cast<std::size_t>(q)].finish(measure_for(q));
  }

  template <class Collector>
  void measure_all(const Scalar* query, Collector& collector) const {
    for (Index i = 0; i < size(); ++i) measure(query, i, collector);
  }

  template <class Collector>
  void measure(const Scalar* query, Index i, Collector& collector) const {
    const Scalar squared =
        detail::squared_distance(query, points_->data() + i * dimension(), dimension());
    collector.offer(std::sqrt(squared), i);
  }

  std::shared_ptr<const Matrix<Scalar>> points_;
  detail::DistanceFilter filter_;
};

/// Exact neighbours by looking at every pair: O(n d) a query, in matrix products when there are
/// many queries. The search for data that fill more than about ten dimensions. Memory: a float copy
/// of the points beside the points.
struct BruteForce {
  /// The index over these points.
  /// \param points one a column.
  /// \throws DataError when there are no points or features, or entries are not finite or so large
  ///   that their squares overflow.
  template <class Scalar>
  BruteForceIndex<Scalar> build(Matrix<Scalar> points) const {
    return build(std::make_shared<const Matrix<Scalar>>(std::move(points)));
  }

  /// The same for points that are shared, which saves a copy.
  template <class Scalar>
  BruteForceIndex<Scalar> build(std::shared_ptr<const Matrix<Scalar>> points) const {
    detail::check_points("BruteForce", *points);
    return BruteForceIndex<Scalar>(std::move(points));
  }
};

}  // namespace unfurl
