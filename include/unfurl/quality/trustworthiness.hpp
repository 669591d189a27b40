#pragma once

#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/ranks.hpp"
#include "unfurl/quality/sampling.hpp"

namespace unfurl {

/// How far the neighbours in an embedding can be trusted to be neighbours in the data: 1 when the k
/// nearest neighbours of every embedded point are among the k nearest in the data, less the further
/// away the intruders really are; a random embedding has about 1/2 (Venna and Kaski 2001):
///
///   T = 1 - 2 / (n k (2n - 3k - 1)) * sum over i, and j among the k nearest of i in Y, of
///       max(0, rank of j from i in X - k).
///
/// In double precision, with ties ranked by index; the value of scikit-learn's function of this
/// name. `continuity` is its counterpart. Time O(n^2 (p + log k)), memory O(n) a thread beside a
/// copy of the input.
///
/// \param X n x p, the data. \param Y n x q, the embedding; the scalar types may differ.
/// \param n_neighbors k, at least 1 and below n / 2.
/// \param parallel the threads to work on.
/// \param sampling all points i, or only some: then m of them cost m / n of the time.
/// \throws DataError, DimensionError when X and Y differ in their number of rows, ParameterError.
template <class Data, class Embedding>
double trustworthiness(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                       Index n_neighbors = 5, const Parallel& parallel = Parallel(),
                       const Sampling& sampling = {}) {
  const Matrix<double> data = X.template cast<double>(), embedded = Y.template cast<double>();
  detail::check_both("trustworthiness", data, embedded, parallel, 3);
  detail::check_rank_neighbors("trustworthiness", n_neighbors, data.rows());
  detail::check_sampling("trustworthiness", sampling);
  const std::vector<Index> points = detail::sampled_points(data.rows(), sampling);
  const double excess = detail::total_excess_rank(data, embedded, n_neighbors, points, parallel);
  return detail::rank_quality(excess, static_cast<Index>(points.size()), data.rows(), n_neighbors);
}

}  // namespace unfurl
