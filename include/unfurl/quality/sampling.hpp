#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

/// How much of the data a measure of quality looks at. What it then finds is an unbiased estimate,
/// off by about its spread over points or pairs divided by sqrt(most).
struct Sampling {
  /// At most so many points (or pairs of points, where the measure says so), drawn at random; 0:
  /// all of them.
  Index most = 0;
  std::uint64_t seed = 0;  ///< of the choice
};

namespace detail {

inline void check_sampling(const char* name, const Sampling& sampling) {
  if (sampling.most < 0)
    throw ParameterError(
        text(name, ": at least 0 points or pairs can be looked at (0 = all), got ", sampling.most));
}

/// The points to look at, ascending.
inline std::vector<Index> sampled_points(Index n, const Sampling& sampling) {
  std::vector<Index> points(static_cast<std::size_t>(n));
  std::iota(points.begin(), points.end(), Index{0});
  if (sampling.most == 0 || sampling.most >= n) return points;
  points = Random(sampling.seed, 5).sample(n, sampling.most);
  std::sort(points.begin(), points.end());
  return points;
}

/// Data and embedding of the same samples.
inline void check_both(const char* name, const Matrix<double>& X, const Matrix<double>& Y,
                       const Parallel& parallel, Index min_samples) {
  if (Y.rows() != X.rows())
    throw DimensionError(text(name, ": X has ", X.rows(), " samples, Y has ", Y.rows(),
                              "; they must be the same samples in the same order"));
  check_samples<double>(name, X, parallel, min_samples);
  check_samples<double>(name, Y, parallel, min_samples);
}

/// Ranks beyond k must exist on both sides: k below n / 2.
inline void check_rank_neighbors(const char* name, Index k, Index n) {
  check_range<Index>(name, "n_neighbors", k, 1, (n - 1) / 2,
                     text("it must be below n_samples / 2, n_samples = ", n));
}

}  // namespace detail
}  // namespace unfurl
