#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Points cut in halves again and again, each time across the line through two points drawn at
/// random (Dasgupta and Freund 2008, with data for directions). Near points mostly end in the same
/// leaf, and leaves differ by at most one point in size, whatever the data: duplicates are cut by
/// their numbers.
template <class Scalar>
class ProjectionTree {
 public:
  /// \param points one a column, fewer than 2^31
  /// \param leaf_size most points in a leaf
  /// \param random draws the directions
  ProjectionTree(const Matrix<Scalar>& points, Index leaf_size, Random random)
      : order_(static_cast<std::size_t>(points.cols())), start_(1, 0) {
    for (Index size = points.cols(); size > leaf_size; size = (size + 1) / 2) ++depth_;
    directions_.resize(points.rows(), (Index{1} << depth_) - 1);
    cuts_.resize(directions_.cols());
    std::vector<Place> places(order_.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = {Scalar(0), static_cast<int>(i)};
    split(points, places, 0, points.cols(), 0, random);
  }

  /// Number of leaves.
  Index n_leaves() const { return static_cast<Index>(start_.size()) - 1; }
  /// The points of a leaf, ascending.
  const int* leaf(Index number) const { return order_.data() + start_[at(number)]; }
  /// How many these are.
  Index leaf_size(Index number) const { return start_[at(number) + 1] - start_[at(number)]; }
  /// All points, leaf by leaf.
  const std::vector<int>& order() const { return order_; }

  /// The leaf whose cell a point lies in.
  Index leaf_of(const Scalar* point) const {
    const Eigen::Map<const Vector<Scalar>> x(point, directions_.rows());
    Index node = 0;
    for (Index level = 0; level < depth_; ++level)
      node = 2 * node + (directions_.col(node).dot(x) < cuts_(node) ? 1 : 2);
    return node - directions_.cols();
  }

 private:
  using Place = std::pair<Scalar, int>;  // along the direction of the node; the point

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  /// Nodes are numbered level by level; all leaves are on the last.
  void split(const Matrix<Scalar>& points, std::vector<Place>& places, Index begin, Index end,
             Index node, Random& random) {
    if (node >= directions_.cols()) {
      for (Index i = begin; i < end; ++i) order_[at(i)] = places[at(i)].second;
      std::sort(order_.begin() + begin, order_.begin() + end);
      start_.push_back(end);
      return;
    }
    const auto any = [&] {
      const auto offset = static_cast<Index>(random.below(static_cast<std::uint64_t>(end - begin)));
      return points.col(places[at(begin + offset)].second);
    };
    auto direction = directions_.col(node);
    direction = any() - any();
    for (Index i = begin; i < end; ++i)
      places[at(i)].first = direction.dot(points.col(places[at(i)].second));
    const Index middle = (begin + end) / 2;
    std::nth_element(places.begin() + begin, places.begin() + middle, places.begin() + end);
    cuts_(node) = places[at(middle)].first;
    split(points, places, begin, middle, 2 * node + 1, random);
    split(points, places, middle, end, 2 * node + 2, random);
  }

  std::vector<int> order_;
  std::vector<Index> start_;  // of each leaf in `order_`, and the end
  Index depth_ = 0;
  Matrix<Scalar> directions_;  // one node a column
  Vector<Scalar> cuts_;        // points below it along the direction go to the first half
};

}  // namespace unfurl::detail
