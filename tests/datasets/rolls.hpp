#pragma once

#include <cmath>

#include "support/pi.hpp"
#include "unfurl/core/types.hpp"

// What the tests of spirals and rolls, (t cos t, t sin t), know of them.
namespace test {

/// The angle t is the distance from the roll's axis.
inline double angle_on_roll(const unfurl::Matrix<double>& points, unfurl::Index i) {
  return std::hypot(points(i, 0), points(i, 2));
}

/// Arc length of the spiral from one angle to another by the midpoint rule.
inline double integrated_length(double from, double to) {
  constexpr int n_steps = 2000;
  const double step = (to - from) / n_steps;
  double length = 0;
  for (int i = 0; i < n_steps; ++i) {
    const double at = from + (i + 0.5) * step;
    length += std::sqrt(1 + at * at) * step;
  }
  return length;
}

}  // namespace test
