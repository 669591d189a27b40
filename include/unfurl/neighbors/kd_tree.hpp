#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <nanoflann.hpp>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/neighbors/check_points.hpp"
#include "unfurl/neighbors/collectors.hpp"
#include "unfurl/neighbors/distance.hpp"
#include "unfurl/neighbors/ordered_points.hpp"

// Versions 1.5.3 to 1.6.1 read out of range on duplicate points (nanoflann #248, repaired in
// 1.6.2). 1.5.3 calls itself 0x151 like sound versions: CMake tells that one apart.
#if !defined(NANOFLANN_VERSION)
#error "unfurl needs nanoflann 1.4 or later"
#elif NANOFLANN_VERSION < 0x140
#error "unfurl needs nanoflann 1.4 or later"
#elif NANOFLANN_VERSION >= 0x153 && NANOFLANN_VERSION <= 0x161
#error "nanoflann 1.5.3 to 1.6.1 is unsound on duplicate points: use 1.4, 1.5.0 or 1.6.2 and later"
#endif

namespace unfurl {

namespace detail {

/// nanoflann's view of points, one a column, which someone else owns.
template <class Scalar>
struct TreeData {
  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(points.cols()); }
  Scalar kdtree_get_pt(std::size_t i, std::size_t feature) const {
    return points.data()[i * static_cast<std::size_t>(points.rows()) + feature];
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;  // nanoflann computes it
  }

  const Matrix<Scalar>& points;
  Index* evaluations = nullptr;  // counted while set: see KdTreeIndex::count_evaluations
};

/// nanoflann's metric: squared Euclidean. Later versions pass further arguments (a bound for early
/// termination), which are not used: the distance is always the complete one.
template <class Scalar>
struct TreeMetric {
  using ElementType = Scalar;
  using DistanceType = Scalar;

  explicit TreeMetric(const TreeData<Scalar>& d) : data(d) {}

  template <class... Unused>
  Scalar evalMetric(const Scalar* query, std::size_t i, std::size_t d, Unused...) const {
    if (data.evaluations) ++*data.evaluations;
    return squared_distance(query, data.points.data() + i * d, static_cast<Index>(d));
  }
  template <class A, class B>
  Scalar accum_dist(A a, B b, std::size_t) const {
    return (a - b) * (a - b);
  }

  const TreeData<Scalar>& data;
};

/// nanoflann's result set around a collector. nanoflann skips a point or a cell by comparing
/// rounded squares with `worstDist()`, strictly: so that one is generous and the collector decides.
template <class Scalar, class Collector>
class TreeResults {
 public:
  using DistanceType = Scalar;
  using IndexType = Index;

  /// \param names what the tree's points are called outside; empty: the same.
  TreeResults(Collector& collector, Index d, const std::vector<Index>& names)
      : collector_(collector), d_(d), names_(names) {}

  bool addPoint(Scalar squared, Index index) {
    ++offers_;
    collector_.offer(std::sqrt(squared),
                     names_.empty() ? index : names_[static_cast<std::size_t>(index)]);
    return true;  // go on
  }
  Scalar worstDist() const { return generous_square(collector_.limit(), d_); }
  std::size_t size() const { return offers_; }
  bool empty() const { return offers_ == 0; }
  bool full() const { return true; }
  void sort() {}

 private:
  Collector& collector_;
  Index d_;
  const std::vector<Index>& names_;
  std::size_t offers_ = 0;
};

/// A nanoflann tree over points that must outlive it. Stays where it was made.
template <class Scalar>
class Tree {
 public:
  Tree(const Matrix<Scalar>& points, const std::vector<Index>& names, Index leaf_size)
      : data_{points},
        names_(names),
        tree_(static_cast<std::int32_t>(points.rows()), data_,
              nanoflann::KDTreeSingleIndexAdaptorParams(static_cast<std::size_t>(leaf_size))) {
  }  // this constructor builds the tree
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  template <class Collector>
  void search(const Scalar* query, Collector& collector) const {
    TreeResults<Scalar, Collector> results(collector, data_.points.rows(), names_);
    // The same call in 1.4 … 1.12. It returns results.size().
    static_cast<void>(tree_.radiusSearchCustomCallback(query, results));
  }

  void count_in(Index* evaluations) { data_.evaluations = evaluations; }

 private:
  TreeData<Scalar> data_;
  const std::vector<Index>& names_;
  // The index type is spelled out: nanoflann's default has 32 bits.
  nanoflann::KDTreeSingleIndexAdaptor<TreeMetric<Scalar>, TreeData<Scalar>, -1, Index> tree_;
};

/// Points in the order of the leaves of a tree, and the tree.
template <class Scalar>
struct OrderedTree {
  OrderedTree(const Matrix<Scalar>& given, Index leaf_size)
      : all(given, leaf_order(given, leaf_size)), tree(all.points, all.order, leaf_size) {}

  /// A first tree tells the order, by a search that leaves out nothing.
  static std::vector<Index> leaf_order(const Matrix<Scalar>& given, Index leaf_size) {
    VisitAll<Scalar> leaves;
    Tree<Scalar>(given, {}, leaf_size).search(given.data(), leaves);
    return leaves.take();
  }

  OrderedPoints<Scalar> all;
  Tree<Scalar> tree;
};

}  // namespace detail

/// What KdTree::build makes. Copies share the points and the tree, which never change.
///
/// The points are kept in the order of the leaves: those a query meets then lie side by side in
/// memory, and queries in `visit_order` find most of what they need in the cache. Together that
/// is 3 to 4 times faster than points in a random order (70000 points of 50 features).
template <class Scalar>
class KdTreeIndex {
 public:
  /// Of points stored one a column, which are copied; at most leaf_size of them in a leaf.
  KdTreeIndex(const Matrix<Scalar>& points, Index leaf_size)
      : contents_(std::make_shared<detail::OrderedTree<Scalar>>(points, leaf_size)) {}

  /// Number of points.
  Index size() const { return contents_->all.points.cols(); }
  /// Number of coordinates of a point.
  Index dimension() const { return contents_->all.points.rows(); }
  /// Coordinates of point i.
  const Scalar* point(Index i) const { return contents_->all.point(i); }
  /// One point a column, in the order in which they were given.
  Matrix<Scalar> points() const { return contents_->all.given(); }
  /// The step-th point when near ones follow each other: the fastest order to ask about them.
  Index visit_order(Index step) const {
    return contents_->all.order[static_cast<std::size_t>(step)];
  }

  /// The k points nearest to the query: true distances, ascending, ties by index.
  /// \throws ParameterError unless 1 <= k <= size(); DataError for a query that is not finite.
  void knn(const Scalar* query, Index k, Index* indices, Scalar* distances) const {
    detail::check_n_neighbors("KdTree", k, size(), size());
    detail::NearestK<Scalar> nearest(k);
    contents_->tree.search(query, nearest);
    detail::require_complete("KdTree", nearest.complete());
    nearest.write(indices, distances);
  }

  /// The points whose true distance is at most r, in the same order.
  void radius(const Scalar* query, Scalar r, std::vector<Index>& indices,
              std::vector<Scalar>& distances) const {
    detail::WithinRadius<Scalar> within(r);
    contents_->tree.search(query, within);
    within.write(indices, distances);
  }

  /// The nearest point at most `bound` away for which `accept(index)` holds; false if there is
  /// none.
  template <class Accept>
  bool nearest_if(const Scalar* query, Accept&& accept, Scalar bound, Index& index,
                  Scalar& distance) const {
    detail::NearestAccepted<Scalar, Accept> nearest(accept, bound);
    contents_->tree.search(query, nearest);
    return nearest.write(index, distance);
  }

  /// How many distances `knn` evaluates for this query: what a search costs, without a clock. Not
  /// thread-safe, unlike the searches.
  Index count_evaluations(const Scalar* query, Index k) {
    Index evaluations = 0;
    contents_->tree.count_in(&evaluations);
    detail::NearestK<Scalar> nearest(k);
    contents_->tree.search(query, nearest);
    contents_->tree.count_in(nullptr);
    return evaluations;
  }

 private:
  std::shared_ptr<detail::OrderedTree<Scalar>> contents_;
};

/// Exact neighbours by a kd-tree (nanoflann): fast when the data lie near a low-dimensional sheet
/// in a space of any dimension. Build O(d n log n); the index holds one copy of the points. For few
/// features BoxTree is faster, for data that fill many dimensions BruteForce: AutoSearch finds out.
struct KdTree {
  /// Most points in a leaf, at least 1. Larger leaves build faster and evaluate more distances.
  Index leaf_size = 16;

  /// The index over these points.
  /// \param points one a column.
  /// \throws DataError when there are no points or features, or entries are not finite or so large
  ///   that their squares overflow; ParameterError for the leaf size.
  template <class Scalar>
  KdTreeIndex<Scalar> build(const Matrix<Scalar>& points) const {
    detail::check_points("KdTree", points);
    detail::check_range<Index>("KdTree", "leaf_size", leaf_size, 1, Index{1} << 30);
    detail::check_range<Index>("KdTree", "n_features", points.rows(), 1,
                               std::numeric_limits<std::int32_t>::max());
    return KdTreeIndex<Scalar>(points, leaf_size);
  }
};

}  // namespace unfurl
