#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/knn_label_score.hpp"
#include "unfurl/quality/pair_distances.hpp"
#include "unfurl/quality/ranks.hpp"
#include "unfurl/quality/sampling.hpp"

namespace unfurl {

/// Options of quality_sheet. Set fields by name; new ones may be added at any place.
struct QualityOptions {
  /// Size of a neighbourhood, at least 1 and below n_samples / 2. Small ones ask for the fine
  /// structure, large ones for the coarse.
  Index n_neighbors = 10;
  /// Neighbourhoods of at most so many points are looked at, drawn at random; 0: of all.
  Index max_points = 2000;
  /// At most so many distances are compared, drawn at random; 0: all.
  Index max_pairs = 1000000;
  std::uint64_t seed = 0;  ///< of the points and pairs that are drawn
  int n_threads = 0;       ///< 0: all cores; the result is the same for any number
};

/// What can be said of an embedding. Each is explained at the function of its name.
struct QualitySheet {
  double trustworthiness = 0;      ///< 1 at best
  double continuity = 0;           ///< 1 at best
  double knn_recall = 0;           ///< 1 at best
  double stress = 0;               ///< 0 at best
  double scaled_stress = 0;        ///< 0 at best
  double shepard_correlation = 0;  ///< 1 at best
  double residual_variance = 0;    ///< 0 at best
  /// knn_label_score, if labels were given.
  std::optional<double> label_score = std::nullopt,  ///< of the embedding
      data_label_score = std::nullopt;               ///< of the data, for comparison
  /// Number of points whose neighbourhoods were looked at.
  Index n_points = 0;
  Index n_pairs = 0;  ///< of points, whose distances were compared
  bool exact = true;  ///< these are all there are
};

namespace detail {

/// What the neighbourhoods of some points add up to.
struct NeighborhoodSums {
  double intruders = 0, lost = 0;  // excess ranks
  Index shared = 0, right_in_X = 0, right_in_Y = 0;

  NeighborhoodSums& operator+=(const NeighborhoodSums& other) {
    intruders += other.intruders, lost += other.lost, shared += other.shared;
    right_in_X += other.right_in_X, right_in_Y += other.right_in_Y;
    return *this;
  }
};

/// One search in the data and one in the embedding serve all sums. \param codes may be null.
template <class Codes>
NeighborhoodSums neighborhood_sums(const Matrix<double>& X, const Matrix<double>& Y, Index k,
                                   const std::vector<Index>& points, const Codes* codes,
                                   const Parallel& parallel) {
  return parallel.reduce(
      static_cast<Index>(points.size()), points_at_once, NeighborhoodSums{},
      [&](const Parallel::Block& block) {
        const Index* const rows = points.data() + block.begin;
        Matrix<double> in_X, in_Y;
        squared_distances_from(X, rows, block.size(), in_X);
        squared_distances_from(Y, rows, block.size(), in_Y);
        std::vector<RankKey> before, after;
        std::vector<Index> scratch;
        NeighborhoodSums sums;
        for (Index r = 0; r < block.size(); ++r) {
          const Index i = rows[r];
          nearest_keys(in_X.col(r), i, k, before);
          nearest_keys(in_Y.col(r), i, k, after);
          sums.intruders += excess_rank(in_X.col(r), i, after, scratch);
          sums.lost += excess_rank(in_Y.col(r), i, before, scratch);
          sums.shared += n_shared(before, after);
          if (!codes) continue;
          sums.right_in_X += codes->vote_is_right(i, before) ? 1 : 0;
          sums.right_in_Y += codes->vote_is_right(i, after) ? 1 : 0;
        }
        return sums;
      },
      [](NeighborhoodSums a, const NeighborhoodSums& b) { return a += b; });
}

template <class Label>
QualitySheet quality_sheet_of(const Matrix<double>& X, const Matrix<double>& Y,
                              const std::vector<Label>* labels, const QualityOptions& options) {
  const char* const name = "quality_sheet";
  if (options.n_threads < 0)
    throw ParameterError(
        text(name, ": n_threads must be at least 0 (0 = all cores), got ", options.n_threads));
  const Parallel parallel(options.n_threads);
  const Index n = X.rows(), k = options.n_neighbors;
  check_both(name, X, Y, parallel, 3);
  check_rank_neighbors(name, k, n);
  const Sampling by_points{options.max_points, options.seed};
  const Sampling by_pairs{options.max_pairs, options.seed};
  check_sampling(name, by_points);
  check_sampling(name, by_pairs);
  std::optional<LabelCodes<Label>> codes;
  if (labels) codes.emplace(name, *labels, n);

  QualitySheet sheet;
  const std::vector<Index> points = sampled_points(n, by_points);
  const NeighborhoodSums sums =
      neighborhood_sums(X, Y, k, points, codes ? &*codes : nullptr, parallel);
  sheet.n_points = static_cast<Index>(points.size());
  const auto m = static_cast<double>(sheet.n_points);
  sheet.trustworthiness = rank_quality(sums.intruders, sheet.n_points, n, k);
  sheet.continuity = rank_quality(sums.lost, sheet.n_points, n, k);
  sheet.knn_recall = static_cast<double>(sums.shared) / (m * static_cast<double>(k));
  if (labels) {
    sheet.label_score = static_cast<double>(sums.right_in_Y) / m;
    sheet.data_label_score = static_cast<double>(sums.right_in_X) / m;
  }

  const auto pairs = pair_distances(X, Y, by_pairs, parallel);
  sheet.n_pairs = pairs.in_X.size();
  sheet.stress = relative_misfit(pairs, 1);
  sheet.scaled_stress = relative_misfit(pairs, best_scale(pairs));
  sheet.shepard_correlation = correlation(ranks_of(pairs.in_X), ranks_of(pairs.in_Y));
  sheet.residual_variance = unexplained_variance(pairs.in_X, pairs.in_Y);
  sheet.exact = sheet.n_points == n && sheet.n_pairs == n * (n - 1) / 2;
  return sheet;
}

}  // namespace detail

/// All measures of an embedding at once, with one neighbour search for those that need it:
///
///     unfurl::QualitySheet sheet = unfurl::quality_sheet(X, isomap.embedding());
///
/// From all points and pairs where they are few, else from a seeded sample of them: 70000 images of
/// 784 pixels take half a minute on two cores. procrustes_disparity, which compares with
/// coordinates that are known, is a function of its own. Time O(points n (p + q + log k) + pairs (p
/// + q + log pairs)).
///
/// \param X n x p, the data. \param Y n x q, the embedding; the scalar types may differ.
/// \param options size of the neighbourhoods, and how much is sampled.
/// \throws DataError, DimensionError when X and Y differ in their number of rows, ParameterError.
template <class Data, class Embedding>
QualitySheet quality_sheet(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                           const QualityOptions& options = {}) {
  const std::vector<int>* const no_labels = nullptr;
  return detail::quality_sheet_of(Matrix<double>(X.template cast<double>()),
                                  Matrix<double>(Y.template cast<double>()), no_labels, options);
}

/// The same with the scores of labels: one label for each row, of any type that can be sorted.
template <class Data, class Embedding, class Label>
QualitySheet quality_sheet(const Eigen::MatrixBase<Data>& X, const Eigen::MatrixBase<Embedding>& Y,
                           const std::vector<Label>& labels, const QualityOptions& options = {}) {
  return detail::quality_sheet_of(Matrix<double>(X.template cast<double>()),
                                  Matrix<double>(Y.template cast<double>()), &labels, options);
}

}  // namespace unfurl
