#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// Options of spiked_covariance. Set fields by name; new ones may be added at any place.
struct SpikedCovarianceOptions {
  Index n_features = 100;  ///< dimension of the space, at least 1
  /// Variance of the signal in each of its directions, at least 0; at most n_features of them.
  std::vector<double> spikes = {4, 2};
  double noise = 1;        ///< standard deviation of the noise in every direction, at least 0
  std::uint64_t seed = 0;  ///< of the random numbers: the same seed, the same points
};

/// A signal in a few directions under noise in all of them, the model in which it is known when
/// PCA sees a signal at all (Johnstone 2001). The covariance has the eigenvalues spikes + noise^2
/// along the first axes, and noise^2 along all others:
///
///   coordinates_k = sqrt(spikes_k) * standard normal,
///   point = (coordinates, 0, …, 0) + noise * standard normal.
///
/// With gamma = n_features / n a spike stands out of the noise when it is above noise^2 sqrt(gamma)
/// (Baik, Ben Arous and Péché 2005); PCA::spectrum_test counts those that do. That the directions
/// are the axes loses nothing: the noise is the same in all directions.
///
/// The first m of n points are those of a call for m, and the noise does not change the
/// coordinates.
///
/// \param n number of points, at least 0.
/// \param options see SpikedCovarianceOptions.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> spiked_covariance(Index n, const SpikedCovarianceOptions& options = {}) {
  const char* const name = "spiked_covariance";
  const auto n_spikes = static_cast<Index>(options.spikes.size());
  detail::check_at_least(name, "n", n, 0);
  detail::check_at_least(name, "n_features", options.n_features, 1);
  detail::check_range<Index>(name, "the number of spikes", n_spikes, 0, options.n_features,
                             detail::text("n_features = ", options.n_features));
  for (const double spike : options.spikes) detail::check_length(name, "a spike", spike);
  detail::check_length(name, "noise", options.noise);

  Random random(options.seed, 0);
  Dataset<double> data{Matrix<double>::Zero(n, options.n_features), Matrix<double>(n, n_spikes)};
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < n_spikes; ++k)
      data.coordinates(i, k) =
          std::sqrt(options.spikes[static_cast<std::size_t>(k)]) * random.normal();
  data.points.leftCols(n_spikes) = data.coordinates;
  detail::add_noise(data, options.noise, options.seed);
  return detail::converted<Scalar>(data);
}

}  // namespace unfurl
