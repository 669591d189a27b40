#pragma once

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/pair_distances.hpp"
#include "unfurl/quality/sampling.hpp"

namespace unfurl {

namespace detail {

template <class Data, class Embedding>
PairDistances<double> checked_pair_distances(const char* name, const Eigen::MatrixBase<Data>& X,
                                             const Eigen::MatrixBase<Embedding>& Y,
                                             const Sampling& sampling, const Parallel& parallel) {
  const Matrix<double> data = X.template cast<double>(), embedded = Y.template cast<double>();
  check_both(name, data, embedded, parallel, 2);
  check_sampling(name, sampling);
  return pair_distances(data, embedded, sampling, parallel);
}

}  // namespace detail

/// How far the distances d of an embedding are from the distances delta of the data, over all pairs
/// of points (normalised stress, Kruskal's stress-1):
///
///   sqrt(sum (d - delta)^2 / sum delta^2),
///
/// 0 when all are kept. It sees the scale of the embedding, which is right for ClassicalMDS and
/// Isomap; for the other methods, whose scale means nothing, see scaled_stress.
///
/// Exact while there are no more than `sampling.most` pairs (a million: 1414 points), over so many
/// random pairs else. Time O(pairs (p + q)), memory 16 bytes a pair beside a copy of the input.
///
/// \param X n x p, the data. \param Y n x q, the embedding; the scalar types may differ.
/// \param parallel the threads to work on.
/// \param sampling how many pairs at most, and the seed of their choice.
/// \returns infinity where all points of X coincide and those of Y do not.
/// \throws DataError, DimensionError when X and Y differ in their number of rows, ParameterError.
template <class Data, class Embedding>
double stress(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
              const Parallel& parallel = Parallel(), const Sampling& sampling = {1000000, 0}) {
  return detail::relative_misfit(detail::checked_pair_distances("stress", X, Y, sampling, parallel),
                                 1);
}

/// The stress of the embedding at the scale that suits it best: min over s of stress(X, s Y), 0 to
/// 1. Parameters and cost as for stress.
template <class Data, class Embedding>
double scaled_stress(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                     const Parallel& parallel = Parallel(),
                     const Sampling& sampling = {1000000, 0}) {
  const auto pairs = detail::checked_pair_distances("scaled_stress", X, Y, sampling, parallel);
  return detail::relative_misfit(pairs, detail::best_scale(pairs));
}

/// Spearman's rank correlation of the distances in the data and in the embedding: 1 when the order
/// of all distances is kept, so that the Shepard diagram, which draws one against the other, rises
/// throughout. Neither scale nor a bending of distances matters. Ties share their mean rank. 1 also
/// where neither distances vary, 0 where only one of them does.
///
/// Parameters as for stress; time O(pairs (p + q + log pairs)).
template <class Data, class Embedding>
double shepard_correlation(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                           const Parallel& parallel = Parallel(),
                           const Sampling& sampling = {1000000, 0}) {
  const auto pairs =
      detail::checked_pair_distances("shepard_correlation", X, Y, sampling, parallel);
  return detail::correlation(detail::ranks_of(pairs.in_X), detail::ranks_of(pairs.in_Y));
}

}  // namespace unfurl
