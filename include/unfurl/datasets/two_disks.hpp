#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// Options of two_disks. Set fields by name; new ones may be added at any place.
struct TwoDisksOptions {
  double bridge_length = 0.5;  ///< the gap between the disks, at least 0
  double bridge_width = 0.1;   ///< 0 to 2, the width of a disk
  /// The share of the points that lie on the bridge, 0 to 1; the lower, the narrower the
  /// bottleneck. The default is more than the share of its area, so that a few hundred points hang
  /// together by their nearest neighbours.
  double bridge_share = 0.02;
  std::uint64_t seed = 0;  ///< of the random numbers: the same seed, the same points
};

/// Two unit disks in the plane joined by a short thin bridge. Along the shape, points on both sides
/// of the bridge are nearer to each other than points across one disk; yet a random walk seldom
/// finds the bridge, and distances that come from random walks (diffusion distance, commute time)
/// put the disks far apart where shortest paths do not.
///
/// The disks are centred at (-1 - bridge_length / 2, 0) and (1 + bridge_length / 2, 0), the bridge
/// is the rectangle between them. Of n points floor(n * bridge_share) lie on the bridge, the others
/// in turn in the left and in the right disk, each uniform in its part. coordinates are the points
/// themselves; a label is 0 in the left disk, 1 in the right one and 2 on the bridge.
///
/// The first m of n points are those of a call for m.
///
/// \param n number of points, at least 0.
/// \param options see TwoDisksOptions.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> two_disks(Index n, const TwoDisksOptions& options = {}) {
  const double length = options.bridge_length, width = options.bridge_width;
  detail::check_at_least("two_disks", "n", n, 0);
  detail::check_length("two_disks", "bridge_length", length);
  detail::check_range<double>("two_disks", "bridge_width", width, 0, 2);
  detail::check_range<double>("two_disks", "bridge_share", options.bridge_share, 0, 1);
  const auto n_on_bridge = [&](Index n_points) {
    return std::floor(static_cast<double>(n_points) * options.bridge_share);
  };
  constexpr int left = 0, right = 1, bridge = 2;

  Random random(options.seed, 0);
  Matrix<double> points(n, 2);
  std::vector<int> labels(static_cast<std::size_t>(n));
  int next_disk = left;
  for (Index i = 0; i < n; ++i) {
    const double first = random.uniform(), second = random.uniform();
    int& label = labels[static_cast<std::size_t>(i)];
    if (n_on_bridge(i + 1) > n_on_bridge(i)) {
      label = bridge;
      points.row(i) << length * (first - 0.5), width * (second - 0.5);
    } else {
      label = next_disk;
      next_disk = label == left ? right : left;
      const double center = (1 + length / 2) * (label == left ? -1 : 1);
      const double radius = std::sqrt(first), angle = 2 * detail::pi * second;
      points.row(i) << center + radius * std::cos(angle), radius * std::sin(angle);
    }
  }
  return detail::converted<Scalar>({points, points, labels});
}

}  // namespace unfurl
