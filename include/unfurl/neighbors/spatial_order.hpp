#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// An order in which near points follow each other: they are halved again and again across their
/// longest extent (Bentley 1975), at multiples of 8, 64, 512, …, so that runs of so many points
/// have small boxes. The same for any number of threads.
template <class Scalar>
class SpatialOrder {
 public:
  /// \param points one a column
  SpatialOrder(const Matrix<Scalar>& points, const Parallel& parallel)
      : points_(points), order_(static_cast<std::size_t>(points.cols())), keys_(order_.size()) {
    std::iota(order_.begin(), order_.end(), Index{0});
    // Halves of the same size on all threads; those that are small are finished by one.
    std::vector<Range> ranges{{0, points.cols()}}, halves;
    while (!ranges.empty()) {
      halves.assign(2 * ranges.size(), Range{0, 0});
      parallel.for_blocks(static_cast<Index>(ranges.size()), 1, [&](const Parallel::Block& block) {
        const Range range = ranges[static_cast<std::size_t>(block.begin)];
        if (range.size() <= small) return finish(range);
        const Index middle = halve(range);
        halves[static_cast<std::size_t>(2 * block.begin)] = {range.begin, middle};
        halves[static_cast<std::size_t>(2 * block.begin + 1)] = {middle, range.end};
      });
      ranges.clear();
      for (const Range& half : halves)
        if (half.size() > 0) ranges.push_back(half);
    }
  }

  std::vector<Index> take() { return std::move(order_); }

 private:
  static constexpr Index run = 8, small = 4096;

  struct Range {
    Index begin, end;
    Index size() const { return end - begin; }
  };

  void finish(const Range& range) {
    if (range.size() <= run) return;
    const Index middle = halve(range);
    finish({range.begin, middle});
    finish({middle, range.end});
  }

  /// Equal coordinates are told apart by the numbers of the points.
  Index halve(const Range& range) {
    Index unit = run;
    while (unit * run < range.size()) unit *= run;
    const Index n_units = (range.size() + unit - 1) / unit;
    const Index middle = range.begin + (n_units + 1) / 2 * unit;
    const Index d = points_.rows(), feature = longest(range);
    for (Index i = range.begin; i < range.end; ++i)
      keys_.data()[i] = {points_.data()[order_.data()[i] * d + feature], order_.data()[i]};
    const auto key = keys_.begin();
    std::nth_element(key + range.begin, key + middle, key + range.end);
    for (Index i = range.begin; i < range.end; ++i) order_.data()[i] = keys_.data()[i].second;
    return middle;
  }

  /// The feature in which the points of a range extend farthest.
  Index longest(const Range& range) const {
    const Index d = points_.rows();
    Index result = 0;
    Scalar most = -1;
    for (Index feature = 0; feature < d; ++feature) {
      Scalar low = points_(feature, order_.data()[range.begin]), high = low;
      for (Index i = range.begin; i < range.end; ++i) {
        const Scalar x = points_.data()[order_.data()[i] * d + feature];
        low = std::min(low, x);
        high = std::max(high, x);
      }
      if (high - low > most) most = high - low, result = feature;
    }
    return result;
  }

  const Matrix<Scalar>& points_;
  std::vector<Index> order_;
  std::vector<std::pair<Scalar, Index>> keys_;
};

}  // namespace unfurl::detail
