#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// A flat sheet bent to the letter S in three dimensions, milder than the Swiss roll: no part of it
/// lies behind another. With s uniform on [0, 3 pi], t = s - 3 pi / 2 and h uniform on [0, 2]
///
///   point = (sin t, h, sign(t) (cos t - 1)) + noise * standard normal,   coordinates = (s, h).
///
/// The S is two arcs of unit radius and s is the length along them: the sheet is isometric to its
/// coordinates, evenly covered, and distances along it are the straight-line distances between
/// coordinates.
///
/// The first m of n points are those of a call for m, and the noise moves the points of the call
/// without noise.
///
/// \param n number of points, at least 0.
/// \param seed of the random numbers: the same seed, the same points.
/// \param noise standard deviation of what is added to each entry of a point, at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> s_curve(Index n, std::uint64_t seed = 0, double noise = 0) {
  detail::check_at_least("s_curve", "n", n, 0);
  detail::check_length("s_curve", "noise", noise);
  constexpr double length = 3 * detail::pi, height = 2;

  Random on_sheet(seed, 0);
  Dataset<double> sheet{Matrix<double>(n, 3), Matrix<double>(n, 2)};
  for (Index i = 0; i < n; ++i) {
    const double s = on_sheet.uniform(0, length);
    const double h = on_sheet.uniform(0, height);
    const double t = s - length / 2;
    sheet.points.row(i) << std::sin(t), h, std::copysign(std::cos(t) - 1, -t);
    sheet.coordinates.row(i) << s, h;
  }
  detail::add_noise(sheet, noise, seed);
  return detail::converted<Scalar>(sheet);
}

}  // namespace unfurl
