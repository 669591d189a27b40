#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

/// Neighbourhoods by rank, exact and with ties ranked by index.
namespace unfurl::detail {

/// The order of the other points as seen from one: by squared distance, ties by index.
using RankKey = std::pair<double, Index>;

/// A column of squared distances from one point to all.
using SquaredDistances = Eigen::Ref<const Vector<double>>;

/// Points that are looked at together; their distances are computed in one pass over the data.
constexpr Index points_at_once = 16;

/// Squared distances from some rows to all rows, one a column, by differences. In tiles of samples,
/// so that a piece of a feature is read from memory once for all the rows.
inline void squared_distances_from(const Matrix<double>& X, const Index* rows, Index n_rows,
                                   Matrix<double>& squared) {
  constexpr Index tile = 1024;
  squared.setZero(X.rows(), n_rows);
  for (Index top = 0; top < X.rows(); top += tile) {
    const Index height = std::min(tile, X.rows() - top);
    for (Index j = 0; j < X.cols(); ++j) {
      const auto feature = X.col(j).segment(top, height).array();
      for (Index r = 0; r < n_rows; ++r)
        squared.col(r).segment(top, height).array() += (feature - X(rows[r], j)).square();
    }
  }
}

/// Overwrites `nearest` with the k first keys of the points other than i, ascending.
inline void nearest_keys(const SquaredDistances& squared, Index i, Index k,
                         std::vector<RankKey>& nearest) {
  nearest.clear();
  for (Index j = 0; j < squared.size(); ++j)
    if (j != i) nearest.emplace_back(squared(j), j);
  std::partial_sort(nearest.begin(), nearest.begin() + k, nearest.end());
  nearest.resize(static_cast<std::size_t>(k));
}

/// Sum over the given neighbours of (rank - k)^+, where k is their number and the rank of a point
/// by `squared` is 1 for the one nearest to i. One pass sorts every point into the gaps between the
/// neighbours: O(n log k).
inline double excess_rank(const SquaredDistances& squared, Index i, std::vector<RankKey> neighbors,
                          std::vector<Index>& in_gap) {
  for (RankKey& key : neighbors) key.first = squared(key.second);
  std::sort(neighbors.begin(), neighbors.end());
  in_gap.assign(neighbors.size() + 1, 0);
  for (Index j = 0; j < squared.size(); ++j) {
    const RankKey key(squared(j), j);
    if (j == i || neighbors.back() < key) continue;
    const auto gap = std::lower_bound(neighbors.begin(), neighbors.end(), key) - neighbors.begin();
    ++in_gap[static_cast<std::size_t>(gap)];
  }
  const Index k = static_cast<Index>(neighbors.size());
  Index rank = 0;
  double excess = 0;
  for (std::size_t w = 0; w < neighbors.size(); ++w) {
    rank += in_gap[w];
    excess += static_cast<double>(std::max<Index>(0, rank - k));
  }
  return excess;
}

/// Number of points that are in both lists.
inline Index n_shared(const std::vector<RankKey>& a, const std::vector<RankKey>& b) {
  const auto indices = [](const std::vector<RankKey>& keys) {
    std::vector<Index> sorted;
    for (const RankKey& key : keys) sorted.push_back(key.second);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  const std::vector<Index> left = indices(a), right = indices(b);
  std::vector<Index> both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(both));
  return static_cast<Index>(both.size());
}

/// Sum of excess ranks in X of the k nearest neighbours in Y, over the given points.
inline double total_excess_rank(const Matrix<double>& X, const Matrix<double>& Y, Index k,
                                const std::vector<Index>& points, const Parallel& parallel) {
  return parallel.reduce(
      static_cast<Index>(points.size()), points_at_once, 0.0,
      [&](const Parallel::Block& block) {
        const Index* const rows = points.data() + block.begin;
        Matrix<double> in_X, in_Y;
        squared_distances_from(X, rows, block.size(), in_X);
        squared_distances_from(Y, rows, block.size(), in_Y);
        std::vector<RankKey> nearest;
        std::vector<Index> scratch;
        double sum = 0;
        for (Index r = 0; r < block.size(); ++r) {
          nearest_keys(in_Y.col(r), rows[r], k, nearest);
          sum += excess_rank(in_X.col(r), rows[r], nearest, scratch);
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
}

/// 1 - the sum over its largest possible value, for n points of which m were looked at.
inline double rank_quality(double excess, Index m, Index n, Index k) {
  const double looked_at = static_cast<double>(m), samples = static_cast<double>(n),
               neighbors = static_cast<double>(k);
  return 1 - excess * (2 / (looked_at * neighbors * (2 * samples - 3 * neighbors - 1)));
}

}  // namespace unfurl::detail
