#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

namespace detail {

/// Sets point i and its coordinates. \param turn, height where on the sheet it lies, from 0 to 1 in
/// both directions.
inline void put_on_swiss_roll(Dataset<double>& roll, Index i, double turn, double height) {
  constexpr double first_angle = 1.5 * pi, width = 21;
  const auto arc_length = [](double t) { return (t * std::sqrt(1 + t * t) + std::asinh(t)) / 2; };
  const double t = first_angle + 2 * first_angle * turn, h = width * height;
  roll.points.row(i) << t * std::cos(t), h, t * std::sin(t);
  roll.coordinates.row(i) << arc_length(t) - arc_length(first_angle), h;
}

}  // namespace detail

/// A flat sheet rolled up in three dimensions, the classic test of whether a method unfurls what a
/// projection only flattens. With t uniform on [3 pi / 2, 9 pi / 2] and h uniform on [0, 21]
///
///   point = (t cos t, h, t sin t) + noise * standard normal,
///   coordinates = (s(t) - s(3 pi / 2), h),   s(t) = (t sqrt(1 + t^2) + asinh t) / 2,
///
/// where s is the arc length of the spiral: the sheet is isometric to its coordinates, so distances
/// along it are the straight-line distances between them, and an isometric embedding recovers them
/// up to a rigid motion. Points are denser at the inner end (t is uniform, not s).
///
/// The first m of n points are those of a call for m, and the noise moves the points of the call
/// without noise.
///
/// \param n number of points, at least 0.
/// \param seed of the random numbers: the same seed, the same points.
/// \param noise standard deviation of what is added to each entry of a point, at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> swiss_roll(Index n, std::uint64_t seed = 0, double noise = 0) {
  detail::check_at_least("swiss_roll", "n", n, 0);
  detail::check_length("swiss_roll", "noise", noise);
  Random random(seed, 0);
  Dataset<double> roll{Matrix<double>(n, 3), Matrix<double>(n, 2)};
  for (Index i = 0; i < n; ++i) {
    const double turn = random.uniform(), height = random.uniform();
    detail::put_on_swiss_roll(roll, i, turn, height);
  }
  detail::add_noise(roll, noise, seed);
  return detail::converted<Scalar>(roll);
}

}  // namespace unfurl
