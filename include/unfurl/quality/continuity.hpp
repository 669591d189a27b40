#pragma once

#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/ranks.hpp"
#include "unfurl/quality/sampling.hpp"

namespace unfurl {

/// How far the neighbours in the data have stayed neighbours in the embedding: 1 when the k nearest
/// neighbours of every point are among its k nearest in the embedding, less the further away they
/// have been torn; a random embedding has about 1/2 (Venna and Kaski 2001):
///
///   C = 1 - 2 / (n k (2n - 3k - 1)) * sum over i, and j among the k nearest of i in X, of
///       max(0, rank of j from i in Y - k).
///
/// It is trustworthiness(Y, X): a map that folds the data is continuous and not trustworthy, one
/// that cuts it is trustworthy and not continuous. Details, cost and parameters as there.
/// \throws DataError, DimensionError when X and Y differ in their number of rows, ParameterError.
template <class Data, class Embedding>
double continuity(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                  Index n_neighbors = 5, const Parallel& parallel = Parallel(),
                  const Sampling& sampling = {}) {
  const Matrix<double> data = X.template cast<double>(), embedded = Y.template cast<double>();
  detail::check_both("continuity", data, embedded, parallel, 3);
  detail::check_rank_neighbors("continuity", n_neighbors, data.rows());
  detail::check_sampling("continuity", sampling);
  const std::vector<Index> points = detail::sampled_points(data.rows(), sampling);
  const double excess = detail::total_excess_rank(embedded, data, n_neighbors, points, parallel);
  return detail::rank_quality(excess, static_cast<Index>(points.size()), data.rows(), n_neighbors);
}

}  // namespace unfurl
