#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// Options of grid. Set fields by name; new ones may be added at any place.
struct GridOptions {
  double spacing = 1;      ///< between neighbours, above 0
  double noise = 0;        ///< standard deviation of what is added to each entry of a point
  std::uint64_t seed = 0;  ///< of the noise; without noise every seed gives the same points
};

/// The points of a regular grid, for which much is known by hand: neighbours, shortest paths,
/// eigenvalues of graph Laplacians.
///
///     unfurl::Dataset<> sheet = unfurl::grid({20, 10});   // 200 points in the plane
///
/// coordinates = spacing * (i_1, i_2, …) with 0 <= i_k < sides_k, the last index running fastest;
/// point = coordinates + noise * standard normal. Distances in a grid are tied throughout, which is
/// a test of its own; a little noise breaks the ties.
///
/// \param sides number of points along each direction, each at least 0; one for each dimension.
/// \param options see GridOptions.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> grid(const std::vector<Index>& sides, const GridOptions& options = {}) {
  const auto dimension = static_cast<Index>(sides.size());
  detail::check_at_least("grid", "the number of sides", dimension, 1);
  detail::check_length("grid", "spacing", options.spacing);
  if (!(options.spacing > 0)) throw ParameterError("grid: spacing must be above 0, got 0");
  detail::check_length("grid", "noise", options.noise);
  Index n = 1;
  for (const Index side : sides) {
    detail::check_at_least("grid", "a side", side, 0);
    if (side > 0 && n > (std::numeric_limits<Index>::max)() / side / dimension)
      throw ParameterError("grid: the sides make more points than can be counted");
    n *= side;
  }

  Matrix<double> points(n, dimension);
  for (Index i = 0; i < n; ++i) {
    Index rest = i;
    for (Index k = dimension - 1; k >= 0; --k) {
      const Index side = sides[static_cast<std::size_t>(k)];
      points(i, k) = options.spacing * static_cast<double>(rest % side);
      rest /= side;
    }
  }
  Dataset<double> data{points, points};
  detail::add_noise(data, options.noise, options.seed);
  return detail::converted<Scalar>(data);
}

}  // namespace unfurl
