#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

namespace detail {

/// The order of the other points as seen from one: by squared distance, ties by index.
using RankKey = std::pair<double, Index>;

/// Squared distances from row i to all rows, by differences. Column by column, so that the inner
/// loop runs over contiguous samples whatever the number of features.
inline void squared_distances_from(const Matrix<double>& X, Index i, Vector<double>& squared) {
  squared.setZero(X.rows());
  for (Index j = 0; j < X.cols(); ++j) squared.array() += (X.col(j).array() - X(i, j)).square();
}

/// Overwrites `nearest` with the k first keys of the points other than i, ascending.
inline void nearest_keys(const Vector<double>& squared, Index i, Index k,
                         std::vector<RankKey>& nearest) {
  nearest.clear();
  for (Index j = 0; j < squared.size(); ++j)
    if (j != i) nearest.emplace_back(squared(j), j);
  std::partial_sort(nearest.begin(), nearest.begin() + k, nearest.end());
  nearest.resize(static_cast<std::size_t>(k));
}

/// Sum over the wanted keys of (rank - k)^+, where the rank of a key is 1 for the point nearest to
/// i. One pass sorts every point into the gaps between the wanted keys: O(n log k).
inline double excess_rank(const Vector<double>& squared, Index i, std::vector<RankKey>& wanted,
                          std::vector<Index>& in_gap) {
  std::sort(wanted.begin(), wanted.end());
  in_gap.assign(wanted.size() + 1, 0);
  for (Index j = 0; j < squared.size(); ++j) {
    const RankKey key(squared(j), j);
    if (j == i || wanted.back() < key) continue;
    const auto gap = std::lower_bound(wanted.begin(), wanted.end(), key) - wanted.begin();
    ++in_gap[static_cast<std::size_t>(gap)];
  }
  const Index k = static_cast<Index>(wanted.size());
  Index rank = 0;
  double excess = 0;
  for (std::size_t w = 0; w < wanted.size(); ++w) {
    rank += in_gap[w];
    excess += static_cast<double>(std::max<Index>(0, rank - k));
  }
  return excess;
}

}  // namespace detail

/// How far the neighbours in an embedding can be trusted to be neighbours in the data: 1 when the k
/// nearest neighbours of every embedded point are among the k nearest in the data, less the further
/// away the intruders really are; a random embedding has about 1/2 (Venna and Kaski 2001):
///
///   T = 1 - 2 / (n k (2n - 3k - 1)) * sum over i, and j among the k nearest of i in Y, of
///       max(0, rank of j from i in X - k).
///
/// Exact, in double precision, with ties ranked by index; the value of scikit-learn's function of
/// this name. trustworthiness(Y, X) is known as the continuity of Y. Time O(n^2 (p + log k)),
/// memory O(n) a thread beside a copy of the input.
///
/// \param X n x p, the data. \param Y n x q, the embedding; the scalar types may differ.
/// \param n_neighbors k, at least 1 and below n / 2.
/// \throws DataError, DimensionError when X and Y differ in their number of rows, ParameterError.
template <class Data, class Embedding>
double trustworthiness(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                       Index n_neighbors = 5, const Parallel& parallel = Parallel()) {
  const Matrix<double> data = X.template cast<double>(), embedded = Y.template cast<double>();
  const char* const name = "trustworthiness";
  const Index n = data.rows(), k = n_neighbors;
  if (embedded.rows() != n)
    throw DimensionError(detail::text(name, ": X has ", n, " samples, Y has ", embedded.rows(),
                                      "; they must be the same samples in the same order"));
  detail::check_samples<double>(name, data, parallel, 3);
  detail::check_samples<double>(name, embedded, parallel, 3);
  detail::check_range<Index>(name, "n_neighbors", k, 1, (n - 1) / 2,
                             detail::text("it must be below n_samples / 2, n_samples = ", n));

  const double excess = parallel.reduce(
      n, 16, 0.0,
      [&](const Parallel::Block& block) {
        Vector<double> squared;
        std::vector<detail::RankKey> keys;
        std::vector<Index> scratch;
        double sum = 0;
        for (Index i = block.begin; i < block.end; ++i) {
          detail::squared_distances_from(embedded, i, squared);
          detail::nearest_keys(squared, i, k, keys);
          detail::squared_distances_from(data, i, squared);
          for (detail::RankKey& key : keys) key.first = squared(key.second);
          sum += detail::excess_rank(squared, i, keys, scratch);
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
  const double samples = static_cast<double>(n), neighbors = static_cast<double>(k);
  return 1 - excess * (2 / (samples * neighbors * (2 * samples - 3 * neighbors - 1)));
}

}  // namespace unfurl
