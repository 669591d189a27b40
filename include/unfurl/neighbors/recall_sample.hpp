#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/brute_force.hpp"

namespace unfurl::detail {

/// Queries whose neighbours are known exactly, to measure what an approximate search finds. A point
/// that is found counts when it is no farther than the k-th neighbour: among equally far ones, as
/// of duplicates, any will do.
template <class Scalar>
class RecallSample {
 public:
  /// \param all searches every point
  /// \param queries points of the set, one a column
  /// \param k neighbours asked for, the point itself not counted
  /// \param parallel the threads to work on
  RecallSample(const BruteForceIndex<Scalar>& all, Matrix<Scalar> queries, Index k,
               const Parallel& parallel)
      : k_(k), queries_(std::move(queries)), limits_(queries_.cols()) {
    parallel.for_blocks(queries_.cols(), 64, [&](const Parallel::Block& b) {
      const Index each = k + 1;
      std::vector<Index> indices(static_cast<std::size_t>(each * b.size()));
      std::vector<Scalar> distances(indices.size());
      all.knn_batch(query(b.begin), b.size(), each, indices.data(), distances.data());
      for (Index q = 0; q < b.size(); ++q)
        limits_(b.begin + q) = distances[static_cast<std::size_t>((q + 1) * each - 1)];
    });
  }

  Index size() const { return queries_.cols(); }
  const Scalar* query(Index q) const { return queries_.data() + q * queries_.rows(); }

  /// The share of the true neighbours among those found.
  /// \param find find(q, distances) writes the k distances found for query q, infinite for none
  template <class Find>
  double recall(const Parallel& parallel, Find&& find) const {
    const Index hits = parallel.reduce(
        size(), 16, Index{0},
        [&](const Parallel::Block& b) {
          Index count = 0;
          Vector<Scalar> distances(k_);
          for (Index q = b.begin; q < b.end; ++q) {
            find(q, distances.data());
            count += (distances.array() <= limits_(q)).count();
          }
          return count;
        },
        [](Index a, Index b) { return a + b; });
    return static_cast<double>(hits) / static_cast<double>(size() * k_);
  }

 private:
  Index k_;
  Matrix<Scalar> queries_;
  Vector<Scalar> limits_;  // the distance of the k-th neighbour of each
};

}  // namespace unfurl::detail
