#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/distance.hpp"

namespace unfurl::detail {

/// The nearest points found so far for each point: `width` others, nearest first, with squared
/// distances. An empty slot holds the point -1 at an infinite distance.
template <class Scalar>
class NeighborTable {
 public:
  NeighborTable(Index n, Index width)
      : width_(width),
        points_(static_cast<std::size_t>(n * width), -1),
        squares_(points_.size(), std::numeric_limits<Scalar>::infinity()) {}

  Index width() const { return width_; }
  const int* points(Index i) const { return points_.data() + i * width_; }
  /// All lists, one after the other.
  const std::vector<int>& all_points() const { return points_; }
  /// A point has to be nearer than this to enter.
  Scalar limit(Index i) const { return squares_[static_cast<std::size_t>((i + 1) * width_ - 1)]; }

  bool holds(Index i, int point) const {
    return std::find(points(i), points(i) + width_, point) != points(i) + width_;
  }

  void offer(Index i, Scalar square, int point) {
    if (!(square < limit(i)) || holds(i, point)) return;
    int* const points = points_.data() + i * width_;
    Scalar* const squares = squares_.data() + i * width_;
    Index at = width_ - 1;
    for (; at > 0 && square < squares[at - 1]; --at) {
      squares[at] = squares[at - 1];
      points[at] = points[at - 1];
    }
    squares[at] = square;
    points[at] = point;
  }

  /// Offers each point to those in its list: a pair is often compared for one of the two only.
  void offer_back() {
    const auto n = static_cast<Index>(points_.size()) / width_;
    for (Index i = 0; i < n; ++i)
      for (Index e = i * width_; e < (i + 1) * width_; ++e) {
        const auto at = static_cast<std::size_t>(e);
        if (points_[at] >= 0) offer(points_[at], squares_[at], static_cast<int>(i));
      }
  }

 private:
  Index width_;
  std::vector<int> points_;
  std::vector<Scalar> squares_;
};

/// Offers to each target the candidates that a matrix product in float says are near enough, with
/// their true distances. A target is written to by one call at a time. The origin is put amid the
/// targets, so that little is lost to cancellation wherever they lie.
template <class Scalar>
class BlockJoin {
 public:
  /// \param points one a column, not copied
  explicit BlockJoin(const Matrix<Scalar>& points) : points_(&points) {
    const Scalar largest = points.cwiseAbs().maxCoeff();
    int exponent = 0;
    std::frexp(largest, &exponent);  // so that squares neither over- nor underflow in float
    constexpr int most = std::numeric_limits<Scalar>::max_exponent - 8;
    scale_ = std::ldexp(Scalar(1), std::clamp(-exponent, -most, most));
  }

  void operator()(const int* targets, Index n_targets, const int* candidates, Index n_candidates,
                  NeighborTable<Scalar>& table) {
    const Index d = points_->rows();
    Vector<Scalar> center = Vector<Scalar>::Zero(d);
    for (Index t = 0; t < n_targets; ++t) center += points_->col(targets[t]);
    center /= static_cast<Scalar>(n_targets);

    target_rows_.resize(d + 1, n_targets);  // (-2 x, 1)
    norms_.resize(n_targets);
    for (Index t = 0; t < n_targets; ++t) {
      auto x = target_rows_.col(t).head(d);
      x = ((points_->col(targets[t]) - center) * scale_).template cast<float>();
      norms_(t) = x.squaredNorm();
      x *= -2;
      target_rows_(d, t) = 1;
    }
    for (Index begin = 0; begin < n_candidates; begin += chunk) {
      const Index count = std::min(chunk, n_candidates - begin);
      candidate_rows_.resize(d + 1, count);  // (y, |y|^2)
      for (Index c = 0; c < count; ++c) {
        auto y = candidate_rows_.col(c).head(d);
        y = ((points_->col(candidates[begin + c]) - center) * scale_).template cast<float>();
        candidate_rows_(d, c) = y.squaredNorm();
      }
      values_.resize(count, n_targets);
      values_.noalias() = candidate_rows_.transpose() * target_rows_;
      for (Index t = 0; t < n_targets; ++t)
        offer_near(targets[t], norms_(t), candidates + begin, values_.col(t), table);
    }
  }

 private:
  static constexpr Index chunk = 512, strip = 32;

  void offer_near(int target, float norm, const int* candidates,
                  const Eigen::Ref<const Vector<float>>& values,
                  NeighborTable<Scalar>& table) const {
    const auto largest = [&] {
      return static_cast<float>(table.limit(target) * scale_ * scale_) - norm;
    };
    float bound = largest();
    const auto look_closer = [&](Index from, Index to) {
      for (Index c = from; c < to; ++c) {
        const int other = candidates[c];
        if (values(c) > bound || other == target || table.holds(target, other)) continue;
        const Index d = points_->rows();
        table.offer(target,
                    squared_distance(points_->data() + target * d, points_->data() + other * d, d),
                    other);
        bound = largest();
      }
    };
    Index c = 0;
    for (; c + strip <= values.size(); c += strip)  // most strips hold nothing of interest
      if (values.template segment<strip>(c).minCoeff() <= bound) look_closer(c, c + strip);
    look_closer(c, values.size());
  }

  const Matrix<Scalar>* points_;
  Scalar scale_ = 1;
  Matrix<float> target_rows_ = {}, candidate_rows_ = {}, values_ = {};
  Vector<float> norms_ = {};
};

}  // namespace unfurl::detail
