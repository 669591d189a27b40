#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/random.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/components.hpp"
#include "unfurl/graph/walk_spectrum.hpp"
#include "unfurl/spectral/auto_solver.hpp"
#include "unfurl/tsne/options.hpp"

namespace unfurl::detail {

/// Spread 1e-4 along the first column; points that coincide are moved apart a little.
inline Matrix<double> scaled_start(Matrix<double> start, std::uint64_t seed) {
  const double spread = std::sqrt((start.col(0).array() - start.col(0).mean()).square().mean());
  if (spread > 0 && std::isfinite(1e-4 / spread))
    start *= 1e-4 / spread;
  else
    start.setZero();
  return start + 1e-6 * Random(seed, 7).normal_matrix<double>(start.rows(), start.cols());
}

/// The initial map where there are no points to project: `pca` means `random` here.
template <class Scalar>
Matrix<double> start_from_affinities(const SparseMatrix<Scalar>& P, const TSNEOptions& options,
                                     Run& run) {
  const Index n = P.rows(), d = options.n_components;
  if (options.init == TSNEInit::custom) return options.custom_init;
  if (options.init != TSNEInit::spectral) {
    run.report().notes.push_back("started at random");
    return 1e-4 * Random(options.seed, 6).normal_matrix<double>(n, d);
  }
  Run inner("TSNE", options);  // its report is of no interest
  const WalkSpectrum walk = walk_spectrum(in_precision<double>(P), connected_components(P), d,
                                          AutoSolver{}, options.seed, inner);
  run.report().notes.push_back("started from the slowest vectors of the walk");
  return scaled_start(walk.vectors, options.seed);
}

}  // namespace unfurl::detail
