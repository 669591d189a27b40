#pragma once

#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/ranks.hpp"
#include "unfurl/quality/sampling.hpp"

namespace unfurl {

/// The share of the k nearest neighbours in the data that are among the k nearest in the embedding,
/// on average over the points: 1 when all are, k / (n - 1) for a random embedding. Stricter than
/// trustworthiness and continuity, which forgive a neighbour that is missed by a little.
///
/// In double precision, with ties ranked by index. Time O(n^2 (p + log k)), memory O(n) a thread
/// beside a copy of the input.
///
/// \param X n x p, the data. \param Y n x q, the embedding; the scalar types may differ.
/// \param n_neighbors k, 1 to n - 1.
/// \param parallel the threads to work on.
/// \param sampling all points, or only some: then m of them cost m / n of the time.
/// \throws DataError, DimensionError when X and Y differ in their number of rows, ParameterError.
template <class Data, class Embedding>
double knn_recall(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                  Index n_neighbors = 5, const Parallel& parallel = Parallel(),
                  const Sampling& sampling = {}) {
  const Matrix<double> data = X.template cast<double>(), embedded = Y.template cast<double>();
  detail::check_both("knn_recall", data, embedded, parallel, 2);
  detail::check_range<Index>("knn_recall", "n_neighbors", n_neighbors, 1, data.rows() - 1,
                             detail::text("n_samples = ", data.rows()));
  detail::check_sampling("knn_recall", sampling);
  const std::vector<Index> points = detail::sampled_points(data.rows(), sampling);
  const auto m = static_cast<Index>(points.size());
  const Index shared = parallel.reduce(
      m, detail::points_at_once, Index{0},
      [&](const Parallel::Block& block) {
        const Index* const rows = points.data() + block.begin;
        Matrix<double> in_X, in_Y;
        detail::squared_distances_from(data, rows, block.size(), in_X);
        detail::squared_distances_from(embedded, rows, block.size(), in_Y);
        std::vector<detail::RankKey> before, after;
        Index sum = 0;
        for (Index r = 0; r < block.size(); ++r) {
          detail::nearest_keys(in_X.col(r), rows[r], n_neighbors, before);
          detail::nearest_keys(in_Y.col(r), rows[r], n_neighbors, after);
          sum += detail::n_shared(before, after);
        }
        return sum;
      },
      [](Index a, Index b) { return a + b; });
  return static_cast<double>(shared) / (static_cast<double>(m) * static_cast<double>(n_neighbors));
}

}  // namespace unfurl
