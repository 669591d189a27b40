#pragma once

#include <cstdint>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"
#include "unfurl/datasets/swiss_roll.hpp"

namespace unfurl {

/// The Swiss roll with a hole in the middle of its sheet: the third of its angles, 5 pi / 2 to
/// 7 pi / 2, that lies within the third of its heights, 7 to 14. Points and coordinates are those
/// of swiss_roll.
///
/// The sheet is still isometric to its coordinates, but no longer convex: around the hole the way
/// along the sheet is longer than the straight line. Isomap, which keeps the way, widens the hole;
/// methods that look at neighbourhoods only, as LLE, do not. Tells the two apart.
///
/// The first m of n points are those of a call for m, and the noise moves the points of the call
/// without noise.
///
/// \param n number of points, at least 0.
/// \param seed of the random numbers: the same seed, the same points.
/// \param noise standard deviation of what is added to each entry of a point, at least 0.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> swiss_roll_with_hole(Index n, std::uint64_t seed = 0, double noise = 0) {
  detail::check_at_least("swiss_roll_with_hole", "n", n, 0);
  detail::check_length("swiss_roll_with_hole", "noise", noise);
  Random random(seed, 0);
  Dataset<double> data{Matrix<double>(n, 3), Matrix<double>(n, 2)};
  for (Index i = 0; i < n;) {
    const double turn = random.uniform(), height = random.uniform();
    const bool in_hole = turn > 1.0 / 3 && turn < 2.0 / 3 && height > 1.0 / 3 && height < 2.0 / 3;
    if (!in_hole) detail::put_on_swiss_roll(data, i++, turn, height);
  }
  detail::add_noise(data, noise, seed);
  return detail::converted<Scalar>(data);
}

}  // namespace unfurl
