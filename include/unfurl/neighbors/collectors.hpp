#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

/// What a search does with the points it comes across. Every search offers (true distance, index)
/// pairs and skips points that are farther than `limit()`; the collector decides exactly, so the
/// result depends neither on the search nor on the order of the offers.
namespace unfurl::detail {

/// The k pairs that come first by (distance, index): in order while k is small, where moving up a
/// few entries is the fastest; else some more than k, of which the last are dropped now and then.
template <class Scalar>
class NearestK {
 public:
  using Entry = std::pair<Scalar, Index>;

  explicit NearestK(Index k) : k_(static_cast<std::size_t>(k)), most_(k_), in_order_(k <= 32) {
    entries_.reserve(in_order_ ? k_ : k_ + spare());
  }

  /// No pair beyond it is wanted. Finite also while there is room, so that an overflowed distance
  /// (or NaN) never enters.
  Scalar limit() const { return limit_; }

  void offer(Scalar distance, Index index) {
    if (!(distance <= limit_)) return;
    if (in_order_)
      insert(Entry(distance, index));
    else
      append(Entry(distance, index));
  }

  bool complete() const { return entries_.size() >= k_; }

  /// Ascending; the collector is empty afterwards.
  void write(Index* indices, Scalar* distances) {
    if (!in_order_) {
      if (complete()) keep_first();
      std::sort(entries_.begin(), entries_.end());
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      distances[i] = entries_[i].first;
      indices[i] = entries_[i].second;
    }
    entries_.clear();
    most_ = k_;
    limit_ = (std::numeric_limits<Scalar>::max)();
  }

 private:
  void insert(const Entry& entry) {
    if (complete()) {
      if (!(entry < entries_.back())) return;
      entries_.pop_back();
    }
    entries_.push_back(entry);
    std::size_t at = entries_.size() - 1;
    for (; at > 0 && entry < entries_[at - 1]; --at) entries_[at] = entries_[at - 1];
    entries_[at] = entry;
    if (complete()) limit_ = entries_.back().first;
  }

  void append(const Entry& entry) {
    entries_.push_back(entry);
    if (entries_.size() == most_) keep_first();
  }

  void keep_first() {
    const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(entries_.begin(), last, entries_.end());
    limit_ = last->first;
    entries_.resize(k_);
    most_ = k_ + spare();
  }

  std::size_t spare() const { return k_ / 4 + 1; }

  std::size_t k_, most_;
  bool in_order_;
  Scalar limit_ = (std::numeric_limits<Scalar>::max)();
  std::vector<Entry> entries_;
};

/// Every point at most `radius` away.
template <class Scalar>
class WithinRadius {
 public:
  explicit WithinRadius(Scalar radius) : radius_(radius) {}

  Scalar limit() const { return radius_; }

  void offer(Scalar distance, Index index) {
    if (distance <= radius_) found_.emplace_back(distance, index);
  }

  /// By (distance, index).
  void write(std::vector<Index>& indices, std::vector<Scalar>& distances) {
    std::sort(found_.begin(), found_.end());
    indices.resize(found_.size());
    distances.resize(found_.size());
    for (std::size_t i = 0; i < found_.size(); ++i) {
      distances[i] = found_[i].first;
      indices[i] = found_[i].second;
    }
  }

 private:
  Scalar radius_;
  std::vector<std::pair<Scalar, Index>> found_;
};

/// The first point by (distance, index) that a predicate accepts, at most `bound` away. The
/// predicate is asked only about points that would improve on the best so far.
template <class Scalar, class Accept>
class NearestAccepted {
 public:
  NearestAccepted(Accept& accept, Scalar bound)
      : accept_(accept), best_(bound, std::numeric_limits<Index>::max()) {}

  Scalar limit() const { return best_.first; }

  void offer(Scalar distance, Index index) {
    if (!(distance <= best_.first)) return;
    const std::pair<Scalar, Index> entry(distance, index);
    if (entry < best_ && accept_(index)) best_ = entry;
  }

  bool write(Index& index, Scalar& distance) const {
    if (best_.second == std::numeric_limits<Index>::max()) return false;
    distance = best_.first;
    index = best_.second;
    return true;
  }

 private:
  Accept& accept_;
  std::pair<Scalar, Index> best_;
};

/// Another collector that counts what it is offered.
template <class Collector>
class Counted : public Collector {
 public:
  using Collector::Collector;
  template <class Scalar>
  void offer(Scalar distance, Index index) {
    ++count_;
    Collector::offer(distance, index);
  }
  Index count() const { return count_; }

 private:
  Index count_ = 0;
};

/// Every point, in the order in which the search comes across them.
template <class Scalar>
class VisitAll {
 public:
  Scalar limit() const { return (std::numeric_limits<Scalar>::max)(); }
  void offer(Scalar, Index index) { visited_.push_back(index); }
  std::vector<Index> take() { return std::move(visited_); }

 private:
  std::vector<Index> visited_;
};

}  // namespace unfurl::detail
