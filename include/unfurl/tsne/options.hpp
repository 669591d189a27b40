#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

/// How TSNE sums the repulsion between all points.
enum class TSNEMethod {
  automatic,   ///< exact up to 500 points or above three dimensions, fft in one or two, else
               ///< barnes_hut
  exact,       ///< every pair: n² a step
  barnes_hut,  ///< far cells of a tree as one point: n log n; 1, 2 or 3 dimensions
  fft,         ///< a convolution on a grid over the map while that is faster than barnes_hut, which
               ///< takes over when the map has grown wide; 1 or 2 dimensions
};

/// Where TSNE starts.
enum class TSNEInit {
  pca,       ///< the first principal components, scaled to a spread of 1e-4; for points only
  random,    ///< normal numbers of spread 1e-4
  spectral,  ///< the slowest vectors of the walk on the affinities, scaled alike
  custom,    ///< `custom_init` of the options, as it is
};

/// Options of TSNE. Set fields by name; new ones may be added at any place.
struct TSNEOptions {
  /// Dimension of the map; 1, 2 or 3 unless the method is exact.
  Index n_components = 2;
  /// About how many neighbours a sample has, at least 1 and less than n_samples - 1.
  double perplexity = 30;
  /// Several at once instead, whose affinities are averaged: small and large structures together.
  std::vector<double> perplexities = {};
  double early_exaggeration = 12;       ///< of the attraction, at first; at least 1
  Index early_exaggeration_iter = 250;  ///< for so many iterations
  double late_exaggeration = 1;         ///< after that; above 1 for tighter clusters
  Index max_iter = 1000;                ///< in all
  /// Length of a step, with the gradient's factor 4. Empty: max(n / (4 early_exaggeration), 50).
  std::optional<double> learning_rate = std::nullopt;
  TSNEMethod method = TSNEMethod::automatic;  ///< how repulsion is summed; see TSNEMethod
  /// barnes_hut takes a cell as far when its side is at most theta times its distance; 0 is exact.
  double theta = 0.5;
  /// Of the kernel (1 + d² / nu)^(-(nu + 1) / 2) in the map. Below 1 finer clusters stand apart.
  double degrees_of_freedom = 1;
  TSNEInit init = TSNEInit::pca;        ///< where the descent starts; see TSNEInit
  Matrix<double> custom_init = {};      ///< n_samples x n_components, for TSNEInit::custom
  Index progress_every = 50;            ///< iterations between calls of `progress` with the KL
  std::uint64_t seed = 0;               ///< of random starts
  int n_threads = 0;                    ///< 0: all cores; the result is the same for any number
  ProgressFunction progress = nullptr;  ///< see Progress; stopping a descent keeps the map reached
  std::size_t memory_limit = 0;         ///< bytes; 0: four fifths of the machine's memory
};

namespace detail {

inline std::vector<double> perplexities_of(const TSNEOptions& options) {
  return options.perplexities.empty() ? std::vector<double>(1, options.perplexity)
                                      : options.perplexities;
}

/// \throws ParameterError, DataError, DimensionError
inline void check_tsne(const TSNEOptions& options, Index n, bool with_perplexity = true) {
  const std::string samples = text("n_samples = ", n);
  if (n < 2)
    throw DataError(
        text("TSNE: found ", n, n == 1 ? " sample" : " samples", ", a minimum of 2 is required"));
  check_range<Index>("TSNE", "n_components", options.n_components, 1, n - 1, samples);
  check_range<int>("TSNE", "method", static_cast<int>(options.method), 0, 3);
  check_range<int>("TSNE", "init", static_cast<int>(options.init), 0, 3);
  const Index most = options.method == TSNEMethod::barnes_hut ? 3
                     : options.method == TSNEMethod::fft      ? 2
                                                              : n;
  if (options.n_components > most)
    throw ParameterError(text("TSNE: n_components must be at most ", most,
                              " with this method, got ", options.n_components,
                              "; set method to exact"));
  if (with_perplexity)
    for (const double perplexity : perplexities_of(options))
      if (!(perplexity >= 1 && perplexity < static_cast<double>(n - 1)))
        throw ParameterError(text("TSNE: perplexity (", perplexity,
                                  ") must be at least 1 and less than n_samples-1 (", samples,
                                  ")"));
  const double infinity = std::numeric_limits<double>::max();
  check_range<double>("TSNE", "early_exaggeration", options.early_exaggeration, 1, infinity);
  check_range<double>("TSNE", "late_exaggeration", options.late_exaggeration, 1, infinity);
  check_range<Index>("TSNE", "early_exaggeration_iter", options.early_exaggeration_iter, 0,
                     std::numeric_limits<Index>::max());
  check_range<Index>("TSNE", "max_iter", options.max_iter, 1, std::numeric_limits<Index>::max());
  check_range<Index>("TSNE", "progress_every", options.progress_every, 1,
                     std::numeric_limits<Index>::max());
  check_range<double>("TSNE", "theta", options.theta, 0, 1);
  check_range<double>("TSNE", "degrees_of_freedom", options.degrees_of_freedom, 1e-3, infinity);
  if (options.learning_rate &&
      !(*options.learning_rate > 0 && std::isfinite(*options.learning_rate)))
    throw ParameterError(
        text("TSNE: learning_rate must be positive and finite, got ", *options.learning_rate));
  if (options.init == TSNEInit::custom) {
    const auto& init = options.custom_init;
    if (init.rows() != n || init.cols() != options.n_components)
      throw DimensionError(text("TSNE: custom_init must be ", n, " x ", options.n_components,
                                ", got ", init.rows(), " x ", init.cols()));
    check_finite<double>("TSNE: custom_init", init, Parallel(1));
    if (init.cwiseAbs().maxCoeff() > 1e15)  // squared distances in the map are summed as floats
      throw DataError(
          "TSNE: custom_init is too wide: its entries must be at most 1e15; rescale it");
  }
}

}  // namespace detail
}  // namespace unfurl
