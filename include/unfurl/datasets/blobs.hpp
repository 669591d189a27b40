#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"
#include "unfurl/datasets/generator.hpp"

namespace unfurl {

/// Options of blobs. Set fields by name; new ones may be added at any place.
struct BlobsOptions {
  Index n_centers = 3;     ///< number of blobs, at least 1
  Index n_features = 2;    ///< dimension of the space, at least 1
  double cluster_std = 1;  ///< standard deviation of a blob in each direction, at least 0
  double center_box = 10;  ///< centres are uniform on [-center_box, center_box] in each direction
  std::uint64_t seed = 0;  ///< of the random numbers: the same seed, the same points
};

/// Clusters with a known answer: round Gaussian clouds about random centres.
///
///   label = i mod n_centers for the i-th point,   coordinates = centre of that blob,
///   point = centre + cluster_std * standard normal.
///
/// The blobs are of equal size, give or take a point. Two random centres may come close; raise
/// center_box or n_features to keep them apart.
///
/// The first m of n points are those of a call for m, and cluster_std does not change the centres.
///
/// \param n number of points, at least 0.
/// \param options see BlobsOptions.
/// \throws ParameterError
template <class Scalar = double>
Dataset<Scalar> blobs(Index n, const BlobsOptions& options = {}) {
  constexpr Index most_labels = (std::numeric_limits<int>::max)();
  detail::check_at_least("blobs", "n", n, 0);
  detail::check_range<Index>("blobs", "n_centers", options.n_centers, 1, most_labels);
  detail::check_at_least("blobs", "n_features", options.n_features, 1);
  detail::check_length("blobs", "cluster_std", options.cluster_std);
  detail::check_length("blobs", "center_box", options.center_box);

  Random random(options.seed, 0);
  Matrix<double> centers(options.n_centers, options.n_features);
  for (Index i = 0; i < centers.rows(); ++i)
    for (Index j = 0; j < centers.cols(); ++j)
      centers(i, j) = options.center_box * random.uniform(-1, 1);

  Dataset<double> data{Matrix<double>(n, centers.cols()), Matrix<double>(n, centers.cols()),
                       std::vector<int>(static_cast<std::size_t>(n))};
  for (Index i = 0; i < n; ++i) {
    const Index label = i % options.n_centers;
    data.labels[static_cast<std::size_t>(i)] = static_cast<int>(label);
    data.points.row(i) = centers.row(label);
    data.coordinates.row(i) = centers.row(label);
  }
  detail::add_noise(data, options.cluster_std, options.seed);
  return detail::converted<Scalar>(data);
}

}  // namespace unfurl
