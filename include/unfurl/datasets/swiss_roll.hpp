#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/error.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"

namespace unfurl {

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
/// \param noise standard deviation of what is added to each entry of a point, at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> swiss_roll(Index n, std::uint64_t seed = 0, double noise = 0) {
  static_assert(is_scalar_v<Scalar>, "swiss_roll<Scalar>: Scalar must be float or double");
  if (n < 0) throw ParameterError(detail::text("swiss_roll: n must be at least 0, got ", n));
  if (!(noise >= 0 && std::isfinite(noise)))
    throw ParameterError(
        detail::text("swiss_roll: noise must be finite and at least 0, got ", noise));
  constexpr double first_angle = 1.5 * 3.14159265358979323846, height = 21;
  const auto arc_length = [](double t) { return (t * std::sqrt(1 + t * t) + std::asinh(t)) / 2; };

  Random on_sheet(seed, 0), off_sheet(seed, 1);
  Dataset<Scalar> roll{Matrix<Scalar>(n, 3), Matrix<Scalar>(n, 2)};
  for (Index i = 0; i < n; ++i) {
    const double t = on_sheet.uniform(first_angle, 3 * first_angle);
    const double h = on_sheet.uniform(0, height);
    const double point[3] = {t * std::cos(t), h, t * std::sin(t)};
    for (Index j = 0; j < 3; ++j)
      roll.points(i, j) = static_cast<Scalar>(point[j] + noise * off_sheet.normal());
    roll.coordinates(i, 0) = static_cast<Scalar>(arc_length(t) - arc_length(first_angle));
    roll.coordinates(i, 1) = static_cast<Scalar>(h);
  }
  return roll;
}

}  // namespace unfurl
