#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/knn.hpp"

namespace unfurl {

/// Training points with a search index over them, as a fitted model keeps them: never changed, and
/// shared by the copies of the model. Empty by default.
template <class Scalar, class Search>
class IndexedPoints {
 public:
  using SearchIndex = NeighborIndexOf<Search, Scalar>;  ///< the index that the search builds

  IndexedPoints() = default;

  /// Builds the index.
  /// \param search how to look for neighbours
  /// \param points one a column
  /// \param k number of neighbours that will be asked for
  /// \param parallel the threads to build on, for a search that uses them
  IndexedPoints(const Search& search, Matrix<Scalar> points, Index k,
                const Parallel& parallel = Parallel()) {
    if constexpr (shows_points)
      held_ = std::make_shared<const Held>(
          Held{build_index(search, std::move(points), k, parallel), Matrix<Scalar>()});
    else
      held_ = std::make_shared<const Held>(
          Held{build_index(search, points, k, parallel), std::move(points)});
  }

  /// There are no points: the model was not fitted on points.
  bool empty() const { return held_ == nullptr; }
  /// Number of points.
  Index size() const { return empty() ? 0 : static_cast<Index>(index().size()); }
  /// Number of coordinates of a point; 0 when empty.
  Index dimension() const { return empty() ? 0 : static_cast<Index>(index().dimension()); }
  /// The index over the points; not when empty.
  const SearchIndex& index() const { return held_->index; }

  /// Coordinates of point i.
  const Scalar* point(Index i) const {
    if constexpr (shows_points)
      return index().point(i);
    else
      return held_->points.data() + i * held_->points.rows();
  }

  /// A copy, one point a column.
  Matrix<Scalar> points() const {
    Matrix<Scalar> copy(dimension(), size());
    for (Index i = 0; i < size(); ++i)
      copy.col(i) = Eigen::Map<const Vector<Scalar>>(point(i), dimension());
    return copy;
  }

  /// Adds what the index says about itself, if anything, to the notes of a report.
  void add_note(std::vector<std::string>& notes) const {
    if constexpr (detail::HasNote<SearchIndex>::value) notes.push_back(index().note());
  }

  /// The k nearest of the others for every point.
  NeighborList<Scalar> nearest(Index k, const Parallel& parallel, std::string_view caller) const {
    if constexpr (shows_points)
      return knn_self(index(), k, parallel, caller);
    else
      return knn_self(index(), held_->points, k, parallel, caller);
  }

  /// The others at most r away from every point.
  NeighborList<Scalar> within(Scalar r, const Parallel& parallel, std::string_view caller) const {
    if constexpr (shows_points)
      return radius_self(index(), r, parallel, caller);
    else
      return radius_self(index(), held_->points, r, parallel, caller);
  }

 private:
  static constexpr bool shows_points = detail::HasPoint<SearchIndex, Scalar>::value;

  struct Held {
    SearchIndex index;
    Matrix<Scalar> points;  // empty where the index shows its own
  };

  std::shared_ptr<const Held> held_;
};

}  // namespace unfurl
