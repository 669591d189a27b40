#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// Options of circle. Set fields by name; new ones may be added at any place.
struct CircleOptions {
  /// How unevenly the points are spaced, below 1 / (2 pi) = 0.159 in modulus; 0: evenly. Points
  /// near angle 0 are 1 + 2 pi warp times as far apart as on the even circle, points near angle pi
  /// 1 - 2 pi warp times: 0.12 spaces them 1.75 to 0.25.
  double warp = 0;
  double noise = 0;        ///< standard deviation of what is added to each entry of a point
  std::uint64_t seed = 0;  ///< of the noise; without noise every seed gives the same points
};

/// Points on the unit circle, in order: a curve that closes, so that its one coordinate needs two
/// dimensions. Spectral methods have eigenvalues in pairs on it, known in closed form. With
/// u = i / n for the i-th point
///
///   coordinate = angle = 2 pi (u + warp sin(2 pi u)), in [0, 2 pi),
///   point = (cos angle, sin angle) + noise * standard normal.
///
/// The distance along the circle is the difference of the angles, the short way round. An uneven
/// circle tells methods that follow the density of the points from those that do not.
///
/// \param n number of points, at least 0.
/// \param options see CircleOptions.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> circle(Index n, const CircleOptions& options = {}) {
  constexpr double turn = 2 * detail::pi;
  detail::check_at_least("circle", "n", n, 0);
  detail::check_length("circle", "noise", options.noise);
  if (!(std::abs(options.warp) * turn < 1))
    throw ParameterError(detail::text("circle: warp must be below 1 / (2 pi) = 0.159 in modulus, ",
                                      "or points would pass each other, got ", options.warp));

  Dataset<double> curve{Matrix<double>(n, 2), Matrix<double>(n, 1)};
  for (Index i = 0; i < n; ++i) {
    const double u = static_cast<double>(i) / static_cast<double>(n);
    const double angle = turn * (u + options.warp * std::sin(turn * u));
    curve.points.row(i) << std::cos(angle), std::sin(angle);
    curve.coordinates(i, 0) = angle;
  }
  detail::add_noise(curve, options.noise, options.seed);
  return detail::converted<Scalar>(curve);
}

}  // namespace unfurl
