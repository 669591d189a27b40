#pragma once

#include <cmath>
#include <type_traits>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/distance.hpp"

namespace unfurl::detail {

/// The distances of consecutive points to one of them, those of distance_matrix to the bit; with
/// few features several at a time. The points (one a column) must outlive it.
template <class Scalar>
class DistanceColumns {
 public:
  explicit DistanceColumns(const Matrix<Scalar>& points) : points_(points) {
    if (few()) features_ = points.transpose();
  }

  /// From points top, …, top + count - 1 to point j.
  void operator()(Index top, Index count, Index j, Scalar* to) const {
    using namespace Eigen::internal;
    using Packet = typename Lanes<Scalar>::Packet;
    constexpr Index size = Lanes<Scalar>::packet_size;
    const Index d = points_.rows(), n = points_.cols();
    const Scalar* const point = points_.data() + j * d;
    Index i = 0;
    for (; few() && i + size <= count; i += size) {
      const Scalar* from = features_.data() + top + i;
      Packet sum = pset1<Packet>(Scalar(0));
      for (Index f = 0; f < d; ++f, from += n) {
        const Packet gap = psub(ploadu<Packet>(from), pset1<Packet>(point[f]));
        sum = pmadd(gap, gap, sum);
      }
      // For float Eigen's root is an approximation.
      if constexpr (std::is_same_v<Scalar, double>) sum = psqrt(sum);
      pstoreu(to + i, sum);
    }
    if constexpr (!std::is_same_v<Scalar, double>)
      for (Index r = 0; r < i; ++r) to[r] = std::sqrt(to[r]);
    for (; i < count; ++i)
      to[i] = std::sqrt(squared_distance(points_.data() + (top + i) * d, point, d));
  }

 private:
  bool few() const { return points_.rows() < 8; }

  const Matrix<Scalar>& points_;
  Matrix<Scalar> features_;  // a column each
};

}  // namespace unfurl::detail
