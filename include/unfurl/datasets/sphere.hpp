#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

namespace detail {

/// Row i of an n x 3 and n x 2 dataset from the longitude and the sine of the latitude. Equal steps
/// of the latter cut the sphere into zones of equal area (Archimedes).
inline void set_on_sphere(Dataset<double>& data, Index i, double longitude, double height) {
  const double distance_from_axis = std::sqrt((1 - height) * (1 + height));
  data.points.row(i) << distance_from_axis * std::cos(longitude),
      distance_from_axis * std::sin(longitude), height;
  data.coordinates.row(i) << longitude, std::asin(height);
}

}  // namespace detail

/// Points at random on the unit sphere, uniform by area: a surface that closes, so that no map to
/// the plane is faithful everywhere.
///
///   point = (cos b cos a, cos b sin a, sin b) + noise * standard normal,   coordinates = (a, b)
///
/// with the longitude a in [-pi, pi) and the latitude b in [-pi / 2, pi / 2].
///
/// The first m of n points are those of a call for m, and the noise moves the points of the call
/// without noise.
///
/// \param n number of points, at least 0.
/// \param seed of the random numbers: the same seed, the same points.
/// \param noise standard deviation of what is added to each entry of a point, at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> sphere(Index n, std::uint64_t seed = 0, double noise = 0) {
  detail::check_at_least("sphere", "n", n, 0);
  detail::check_length("sphere", "noise", noise);

  Random on_sphere(seed, 0);
  Dataset<double> data{Matrix<double>(n, 3), Matrix<double>(n, 2)};
  for (Index i = 0; i < n; ++i) {
    const double longitude = on_sphere.uniform(-detail::pi, detail::pi);
    detail::set_on_sphere(data, i, longitude, on_sphere.uniform(-1, 1));
  }
  detail::add_noise(data, noise, seed);
  return detail::converted<Scalar>(data);
}

/// The same sphere and coordinates without chance: n points spread as evenly as a simple rule can,
/// on a spiral from the north pole to the south pole with steps of the golden angle (the Fibonacci
/// lattice; González 2010). Sums over them approximate integrals over the sphere far better than
/// sums over random points.
///
/// \param n number of points, at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> fibonacci_sphere(Index n) {
  detail::check_at_least("fibonacci_sphere", "n", n, 0);
  constexpr double golden_fraction = 0.61803398874989484820;  // (sqrt(5) - 1) / 2

  Dataset<double> data{Matrix<double>(n, 3), Matrix<double>(n, 2)};
  for (Index i = 0; i < n; ++i) {
    const double step = static_cast<double>(i);
    const double turns = step * golden_fraction;
    const double longitude = detail::pi * (2 * (turns - std::floor(turns)) - 1);
    detail::set_on_sphere(data, i, longitude, 1 - (2 * step + 1) / static_cast<double>(n));
  }
  return detail::converted<Scalar>(data);
}

}  // namespace unfurl
