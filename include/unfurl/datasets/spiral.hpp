#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// Two turns of an Archimedean spiral in the plane: a curve, one coordinate, that no straight line
/// shows. With t uniform on [pi, 5 pi]
///
///   point = (t cos t, t sin t) + noise * standard normal,
///   coordinate = s(t) - s(pi),   s(t) = (t sqrt(1 + t^2) + asinh t) / 2,
///
/// where s is the arc length, so distances along the spiral are differences of coordinates. Points
/// are almost five times as dense at the inner end as at the outer one (t is uniform, not s), while
/// neighbouring turns are 2 pi apart everywhere: noise above 1 or so blurs one into the next.
///
/// The first m of n points are those of a call for m, and the noise moves the points of the call
/// without noise.
///
/// \param n number of points, at least 0.
/// \param seed of the random numbers: the same seed, the same points.
/// \param noise standard deviation of what is added to each entry of a point, at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> spiral(Index n, std::uint64_t seed = 0, double noise = 0) {
  detail::check_at_least("spiral", "n", n, 0);
  detail::check_length("spiral", "noise", noise);
  constexpr double first_angle = detail::pi, last_angle = 5 * detail::pi;
  const auto arc_length = [](double t) { return (t * std::sqrt(1 + t * t) + std::asinh(t)) / 2; };

  Random on_curve(seed, 0);
  Dataset<double> curve{Matrix<double>(n, 2), Matrix<double>(n, 1)};
  for (Index i = 0; i < n; ++i) {
    const double t = on_curve.uniform(first_angle, last_angle);
    curve.points.row(i) << t * std::cos(t), t * std::sin(t);
    curve.coordinates(i, 0) = arc_length(t) - arc_length(first_angle);
  }
  detail::add_noise(curve, noise, seed);
  return detail::converted<Scalar>(curve);
}

}  // namespace unfurl
