#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/ranks.hpp"
#include "unfurl/quality/sampling.hpp"

namespace unfurl {

namespace detail {

/// Labels as numbers from 0, in their own order.
template <class Label>
class LabelCodes {
 public:
  LabelCodes(const char* name, const std::vector<Label>& labels, Index n_samples) {
    if (static_cast<Index>(labels.size()) != n_samples)
      throw DimensionError(text(name, ": there are ", labels.size(), " labels for ", n_samples,
                                " samples; give one for each"));
    std::vector<Label> distinct = labels;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    n_classes_ = distinct.size();
    for (const Label& label : labels)
      codes_.push_back(static_cast<std::size_t>(
          std::lower_bound(distinct.begin(), distinct.end(), label) - distinct.begin()));
  }

  /// Most of the neighbours have the label of point i; where two labels have most, the first of
  /// them counts.
  bool vote_is_right(Index i, const std::vector<RankKey>& neighbors) const {
    std::vector<Index> votes(n_classes_, 0);
    for (const RankKey& key : neighbors) ++votes[codes_[static_cast<std::size_t>(key.second)]];
    const auto most = std::max_element(votes.begin(), votes.end()) - votes.begin();
    return codes_[static_cast<std::size_t>(i)] == static_cast<std::size_t>(most);
  }

 private:
  std::vector<std::size_t> codes_ = {};
  std::size_t n_classes_ = 0;
};

}  // namespace detail

/// The share of points whose label is that of most of their k nearest neighbours: how well classes
/// that are known keep apart in an embedding (or in the data). Where two labels have most votes,
/// the smaller one counts. It is the leave-one-out score of scikit-learn's KNeighborsClassifier.
///
/// In double precision, with ties of distances ranked by index. Time O(n^2 (q + log k)), memory
/// O(n) a thread beside a copy of the input.
///
/// \param Y n x q, the embedding. \param labels n of them, of any type that can be sorted.
/// \param n_neighbors k, 1 to n - 1.
/// \param parallel the threads to work on.
/// \param sampling all points, or only some: then m of them cost m / n of the time.
/// \throws DataError, DimensionError when there is not one label for each row, ParameterError.
template <class Embedding, class Label>
double knn_label_score(const Eigen::MatrixBase<Embedding>& Y, const std::vector<Label>& labels,
                       Index n_neighbors = 5, const Parallel& parallel = Parallel(),
                       const Sampling& sampling = {}) {
  const Matrix<double> embedded = Y.template cast<double>();
  const char* const name = "knn_label_score";
  detail::check_samples<double>(name, embedded, parallel);
  const detail::LabelCodes<Label> codes(name, labels, embedded.rows());
  detail::check_range<Index>(name, "n_neighbors", n_neighbors, 1, embedded.rows() - 1,
                             detail::text("n_samples = ", embedded.rows()));
  detail::check_sampling(name, sampling);
  const std::vector<Index> points = detail::sampled_points(embedded.rows(), sampling);
  const auto m = static_cast<Index>(points.size());
  const Index right = parallel.reduce(
      m, detail::points_at_once, Index{0},
      [&](const Parallel::Block& block) {
        const Index* const rows = points.data() + block.begin;
        Matrix<double> squared;
        detail::squared_distances_from(embedded, rows, block.size(), squared);
        std::vector<detail::RankKey> nearest;
        Index sum = 0;
        for (Index r = 0; r < block.size(); ++r) {
          detail::nearest_keys(squared.col(r), rows[r], n_neighbors, nearest);
          sum += codes.vote_is_right(rows[r], nearest) ? 1 : 0;
        }
        return sum;
      },
      [](Index a, Index b) { return a + b; });
  return static_cast<double>(right) / static_cast<double>(m);
}

}  // namespace unfurl
