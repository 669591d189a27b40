#pragma once

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/pair_distances.hpp"
#include "unfurl/quality/stress.hpp"

namespace unfurl {

/// The share of the variance of distances that the embedding does not explain: 1 - r^2, with r the
/// correlation of the distances in X and in Y over all pairs of points (Tenenbaum, de Silva and
/// Langford 2000). 0 when they are proportional up to an offset, about 1 for a random embedding.
///
/// For a manifold give as X its true coordinates, where they are known; Isomap's own
/// residual_variance() measures against its geodesic distances instead. 0 where neither distances
/// vary, 1 where only one of them does.
///
/// Exact while there are no more than `sampling.most` pairs, over so many random pairs else. Time
/// O(pairs (p + q)), memory 16 bytes a pair beside a copy of the input.
///
/// \param X n x p. \param Y n x q, the embedding; the scalar types may differ.
/// \param parallel the threads to work on.
/// \param sampling how many pairs at most, and the seed of their choice.
/// \throws DataError, DimensionError when X and Y differ in their number of rows, ParameterError.
template <class Data, class Embedding>
double residual_variance(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                         const Parallel& parallel = Parallel(),
                         const Sampling& sampling = {1000000, 0}) {
  const auto pairs = detail::checked_pair_distances("residual_variance", X, Y, sampling, parallel);
  return detail::unexplained_variance(pairs.in_X, pairs.in_Y);
}

}  // namespace unfurl
