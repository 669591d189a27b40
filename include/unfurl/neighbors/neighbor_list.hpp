#pragma once

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

/// The neighbours of n points: for each, the indices of its neighbours and the distances to them,
/// ascending, ties by index, the point itself not among them. All lists have k entries after a kNN
/// search; after a radius search they differ in length, and may be empty.
///
/// One list serves many estimators: `fit_neighbors(list)`.
template <class Scalar>
class NeighborList {
 public:
  NeighborList() : start_(1, 0) {}

  /// n lists of k entries each, to be filled through `indices(i)` and `distances(i)`.
  NeighborList(Index n, Index k) : start_(checked(n) + 1) {
    for (std::size_t i = 0; i < start_.size(); ++i) start_[i] = static_cast<Index>(i) * k;
    indices_.resize(static_cast<std::size_t>(n * k));
    distances_.resize(static_cast<std::size_t>(n * k));
  }

  /// Lists of the given lengths, to be filled.
  explicit NeighborList(const std::vector<Index>& lengths)
      : start_(checked(static_cast<Index>(lengths.size())) + 1, 0) {
    for (std::size_t i = 0; i < lengths.size(); ++i) start_[i + 1] = start_[i] + lengths[i];
    indices_.resize(static_cast<std::size_t>(start_.back()));
    distances_.resize(static_cast<std::size_t>(start_.back()));
  }

  /// Number of points.
  Index size() const { return static_cast<Index>(start_.size()) - 1; }
  /// Number of neighbours of point i.
  Index count(Index i) const { return start_[at(i) + 1] - start_[at(i)]; }
  /// Number of neighbours of all points together.
  Index total() const { return start_.back(); }

  /// The neighbours of point i, nearest first: count(i) of them.
  const int* indices(Index i) const { return indices_.data() + start_[at(i)]; }
  /// The same, to write.
  int* indices(Index i) { return indices_.data() + start_[at(i)]; }
  /// True distances, not squared.
  const Scalar* distances(Index i) const { return distances_.data() + start_[at(i)]; }
  /// The same, to write.
  Scalar* distances(Index i) { return distances_.data() + start_[at(i)]; }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  static std::size_t checked(Index n) {
    if (n > std::numeric_limits<int>::max())
      throw SizeLimitError(detail::text("NeighborList: at most 2^31 - 1 points, got ", n),
                           static_cast<std::size_t>(n),
                           static_cast<std::size_t>(std::numeric_limits<int>::max()));
    return static_cast<std::size_t>(n);
  }

  std::vector<Index> start_;
  std::vector<int> indices_;  // half the memory of Index, and what graphs and sparse matrices use
  std::vector<Scalar> distances_;
};

}  // namespace unfurl
