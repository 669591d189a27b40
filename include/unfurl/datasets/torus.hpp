#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/error.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// The product of two unit circles as a grid in four dimensions, where the torus is flat: nothing
/// is stretched, and spectra on it are the products or sums of those on the circle. Point
/// i * cols + j, for i < rows and j < cols, is
///
///   point = (cos a, sin a, cos b, sin b),   coordinates = (a, b) = (2 pi i / rows, 2 pi j / cols).
///
/// The distance along the torus is the straight-line distance of the coordinates, in each of them
/// the short way round.
///
/// \param rows, cols at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> flat_torus(Index rows, Index cols) {
  detail::check_at_least("flat_torus", "rows", rows, 0);
  detail::check_at_least("flat_torus", "cols", cols, 0);
  const auto angle = [](Index step, Index n_steps) {
    return 2 * detail::pi * static_cast<double>(step) / static_cast<double>(n_steps);
  };

  Dataset<double> grid{Matrix<double>(rows * cols, 4), Matrix<double>(rows * cols, 2)};
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      const double a = angle(i, rows), b = angle(j, cols);
      grid.points.row(i * cols + j) << std::cos(a), std::sin(a), std::cos(b), std::sin(b);
      grid.coordinates.row(i * cols + j) << a, b;
    }
  return detail::converted<Scalar>(grid);
}

/// Options of torus. Set fields by name; new ones may be added at any place.
struct TorusOptions {
  double major_radius = 2;  ///< from the centre of the ring to the middle of its tube
  double minor_radius = 1;  ///< of the tube; above 0 and below major_radius
  double noise = 0;         ///< standard deviation of what is added to each entry of a point
  std::uint64_t seed = 0;   ///< of the random numbers: the same seed, the same points
};

/// Points at random on the ring in three dimensions, uniform by area.
///
///   point = ((R + r cos b) cos a, (R + r cos b) sin a, r sin b) + noise * standard normal,
///   coordinates = (a, b)
///
/// with R and r the major and the minor radius, a the angle round the ring and b that round the
/// tube, both in [0, 2 pi). Unlike flat_torus it is stretched: its inner side is shorter than its
/// outer one.
///
/// The first m of n points are those of a call for m, and the noise moves the points of the call
/// without noise.
///
/// \param n number of points, at least 0.
/// \param options see TorusOptions.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> torus(Index n, const TorusOptions& options = {}) {
  const double R = options.major_radius, r = options.minor_radius;
  detail::check_at_least("torus", "n", n, 0);
  detail::check_length("torus", "major_radius", R);
  detail::check_length("torus", "noise", options.noise);
  if (!(r > 0 && r < R))
    throw ParameterError(detail::text("torus: minor_radius must be above 0 and below major_radius ",
                                      "= ", R, ", got ", r));

  Random on_torus(options.seed, 0);
  // The area at b grows with the distance from the axis: accept in proportion to it.
  const auto angle_round_tube = [&] {
    for (;;) {
      const double b = on_torus.uniform(0, 2 * detail::pi);
      if (on_torus.uniform() * (R + r) < R + r * std::cos(b)) return b;
    }
  };
  Dataset<double> ring{Matrix<double>(n, 3), Matrix<double>(n, 2)};
  for (Index i = 0; i < n; ++i) {
    const double a = on_torus.uniform(0, 2 * detail::pi), b = angle_round_tube();
    const double distance_from_axis = R + r * std::cos(b);
    ring.points.row(i) << distance_from_axis * std::cos(a), distance_from_axis * std::sin(a),
        r * std::sin(b);
    ring.coordinates.row(i) << a, b;
  }
  detail::add_noise(ring, options.noise, options.seed);
  return detail::converted<Scalar>(ring);
}

}  // namespace unfurl
