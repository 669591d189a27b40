#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/distance_filter.hpp"

namespace unfurl::detail {

/// The points that a DistanceFilter has not ruled out for a query. They wait until there are some
/// more than the k that are wanted; then the k-th smallest value rules out most of the others,
/// and what is left goes on waiting: nearly every point that is measured in the end is a result.
/// Where values are too much alike to tell (duplicates, queries far from everything) those that
/// wait are measured, and the exact distances bound what follows.
class Candidates {
 public:
  /// \param k how many are wanted; 0: all within `limit`
  /// \param limit no point farther away is wanted
  Candidates(const DistanceFilter& filter, double squared_norm, Index k, double limit)
      : filter_(filter),
        squared_norm_(squared_norm),
        k_(static_cast<std::size_t>(k)),
        most_(k_ + k_ / 4 + 16),
        bound_(filter.largest_value(limit, squared_norm)) {
    waiting_.reserve(most_);
  }

  /// Points begin, begin + 1, … by their values.
  /// \param measure measure(point) offers it with its true distance and returns how far points may
  ///   be that are still of interest
  template <class Measure>
  void look_through(Index begin, const float* values, Index count, Measure&& measure) {
    constexpr Index chunk = 32;
    using Chunk = Eigen::Map<const Eigen::Matrix<float, static_cast<int>(chunk), 1>>;
    const auto look_closer = [&](Index from, Index to) {
      for (Index i = from; i < to; ++i) {
        if (!(values[i] <= bound_)) continue;
        waiting_.emplace_back(values[i], begin + i);
        if (waiting_.size() == most_) make_room(measure);
      }
    };
    Index i = 0;
    for (; i + chunk <= count; i += chunk)  // most chunks hold nothing of interest
      if (Chunk(values + i).minCoeff() <= bound_) look_closer(i, i + chunk);
    look_closer(i, count);
  }

  /// Measures those that still wait.
  template <class Measure>
  void finish(Measure&& measure) {
    if (waiting_.size() > k_) rule_out();
    measure_all(measure);
  }

 private:
  template <class Measure>
  void make_room(Measure& measure) {
    rule_out();
    if (waiting_.size() > k_ + k_ / 8 + 8) measure_all(measure);
  }

  /// The k-th of those that wait is at most so far away: so is the k-th of all.
  void rule_out() {
    if (k_ == 0) return;
    const auto kth = waiting_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(waiting_.begin(), kth, waiting_.end());
    tighten(filter_.largest_distance(kth->first, squared_norm_));
    waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(),
                                  [&](const auto& entry) { return entry.first > bound_; }),
                   waiting_.end());
  }

  template <class Measure>
  void measure_all(Measure& measure) {
    for (const auto& entry : waiting_) tighten(measure(entry.second));
    waiting_.clear();
  }

  void tighten(double limit) {
    if (!(limit < limit_)) return;
    limit_ = limit;
    bound_ = std::min(bound_, filter_.largest_value(limit, squared_norm_));
  }

  const DistanceFilter& filter_;
  double squared_norm_;
  std::size_t k_, most_;
  double limit_ = std::numeric_limits<double>::infinity();
  float bound_;
  std::vector<std::pair<float, Index>> waiting_;  // value, point
};

}  // namespace unfurl::detail
