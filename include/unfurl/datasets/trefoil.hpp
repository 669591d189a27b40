#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// The simplest knot, in order along it: a closed curve in three dimensions that is a circle to
/// whoever lives on it, although no motion in space makes it one. With t = 2 pi i / n for the i-th
/// point
///
///   point = (sin t + 2 sin 2t, cos t - 2 cos 2t, -sin 3t) + noise * standard normal,
///   coordinate = t, in [0, 2 pi).
///
/// Steps of equal t are not of equal length: they are up to one and a half times as long on the
/// inside of the knot as elsewhere.
///
/// \param n number of points, at least 0.
/// \param seed of the noise; without noise every seed gives the same points.
/// \param noise standard deviation of what is added to each entry of a point, at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> trefoil(Index n, std::uint64_t seed = 0, double noise = 0) {
  detail::check_at_least("trefoil", "n", n, 0);
  detail::check_length("trefoil", "noise", noise);

  Dataset<double> knot{Matrix<double>(n, 3), Matrix<double>(n, 1)};
  for (Index i = 0; i < n; ++i) {
    const double t = 2 * detail::pi * static_cast<double>(i) / static_cast<double>(n);
    knot.points.row(i) << std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t),
        -std::sin(3 * t);
    knot.coordinates(i, 0) = t;
  }
  detail::add_noise(knot, noise, seed);
  return detail::converted<Scalar>(knot);
}

}  // namespace unfurl
