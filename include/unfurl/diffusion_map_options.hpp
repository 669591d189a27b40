#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "unfurl/core/check.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/disconnected.hpp"
#include "unfurl/graph/neighborhoods.hpp"

namespace unfurl {

/// Options of DiffusionMap. Set fields by name; new ones may be added at any place.
struct DiffusionMapOptions {
  /// Dimension of the embedding, 1 to n_samples - 1.
  Index n_components = 2;
  /// sigma of exp(-d^2 / (2 sigma^2)), a length. Empty: the kernel's own, or else the median
  /// distance of a sample to its last neighbour (to its tenth where every pair is joined).
  std::optional<double> bandwidth = std::nullopt;
  /// Join each sample to this many nearest ones only (an edge if either is among the other's).
  /// Empty, with no radius: every pair is joined, an n x n matrix.
  std::optional<Index> n_neighbors = std::nullopt;
  /// Join samples at most this far apart only; n_neighbors is then not used.
  std::optional<double> radius = std::nullopt;
  /// How much of the sampling density is taken out, 0 to 1. 0: none, the walk prefers dense
  /// regions; 1/2: the Fokker-Planck operator; 1: the Laplace-Beltrami operator, geometry alone.
  double alpha = 0;
  /// Steps of the walk, at least 0; need not be whole where no eigenvalue is negative.
  double time = 1;
  /// What to do when the graph has several components. With `allow` nothing is dropped: the first
  /// coordinates tell the components apart.
  OnDisconnected on_disconnected = OnDisconnected::error;
  std::uint64_t seed = 0;               ///< of start vectors
  int n_threads = 0;                    ///< 0: all cores; the result is the same for any number
  ProgressFunction progress = nullptr;  ///< see Progress; stopping throws CancelledError
  std::size_t memory_limit = 0;         ///< bytes; 0: four fifths of the machine's memory
};

namespace detail {

inline bool joins_neighbors(const DiffusionMapOptions& options) {
  return options.n_neighbors || options.radius;
}

inline NeighborRule neighbor_rule(const DiffusionMapOptions& options) {
  return {options.n_neighbors.value_or(10), options.radius};
}

/// \throws ParameterError, DataError
inline void check_diffusion_map(const DiffusionMapOptions& options, Index n, bool with_neighbors) {
  if (n < 2)
    throw DataError(text("DiffusionMap: found ", n, " samples, a minimum of 2 is required"));
  check_range<Index>("DiffusionMap", "n_components", options.n_components, 1, n - 1,
                     text("n_samples = ", n));
  check_range<double>("DiffusionMap", "alpha", options.alpha, 0, 1);
  if (!(options.time >= 0) || std::isinf(options.time))
    throw ParameterError(
        text("DiffusionMap: time must be at least 0 and finite, got ", options.time));
  if (!with_neighbors) return;
  if (joins_neighbors(options))
    neighbor_rule(options).check("DiffusionMap", n);
  else if (options.on_disconnected == OnDisconnected::bridge ||
           options.on_disconnected == OnDisconnected::largest_component)
    throw ParameterError(
        "DiffusionMap: on_disconnected must be error or allow where every pair is joined; set "
        "n_neighbors or radius");
}

}  // namespace detail

}  // namespace unfurl
