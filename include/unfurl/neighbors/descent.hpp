#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/neighbor_table.hpp"
#include "unfurl/neighbors/projection_tree.hpp"

namespace unfurl::detail {

/// Approximate neighbours of every point by comparing points within the leaves of random trees, and
/// then with the neighbours of their neighbours (Dong, Charikar and Li 2011). The second step is
/// done for a block of near points together: their neighbours' neighbours are mostly the same, one
/// matrix product compares all with all, and each point meets many more than its own. A block
/// writes to its own lists and reads those of the step before, so threads change nothing.
template <class Scalar>
class ListDescent {
 public:
  /// \param points one a column, near ones near each other; they must outlive this object
  /// \param width length of the lists
  /// \param seed of the trees
  /// \param parallel the threads to work on
  ListDescent(const Matrix<Scalar>& points, Index width, std::uint64_t seed,
              const Parallel& parallel)
      : points_(points),
        seed_(seed),
        parallel_(parallel),
        table_(points.cols(), width),
        workers_(static_cast<std::size_t>(parallel.n_threads()),
                 Worker{BlockJoin<Scalar>(points)}) {}

  /// Compares all points within a leaf of some more trees.
  void plant(Index n_trees) {
    std::vector<std::optional<ProjectionTree<Scalar>>> trees(static_cast<std::size_t>(n_trees));
    const Index leaf_size = std::max<Index>(256, 4 * (table_.width() + 1));
    parallel_.for_blocks(n_trees, 1, [&](const Parallel::Block& b) {
      const auto stream = static_cast<std::uint64_t>(n_planted_ + b.begin);
      trees[static_cast<std::size_t>(b.begin)].emplace(points_, leaf_size, Random(seed_, stream));
    });
    n_planted_ += n_trees;
    for (auto& tree : trees) {
      pairs_ += parallel_.reduce(
          tree->n_leaves(), 1, 0.0,
          [&](const Parallel::Block& b) {
            const int* const leaf = tree->leaf(b.begin);
            const Index size = tree->leaf_size(b.begin);
            workers_[static_cast<std::size_t>(b.worker)].join(leaf, size, leaf, size, table_);
            return static_cast<double>(size * size);
          },
          [](double a, double b) { return a + b; });
      if (trees_.size() < kept_trees) trees_.push_back(std::move(*tree));
    }
  }

  /// Compares each point with the neighbours' neighbours of the points in its block.
  void expand() {
    const std::vector<int> lists = table_.all_points();
    pairs_ += parallel_.reduce(
        points_.cols(), block, 0.0,
        [&](const Parallel::Block& b) {
          Worker& worker = workers_[static_cast<std::size_t>(b.worker)];
          worker.gather(lists, table_.width(), points_.cols(), b);
          const auto n_candidates = static_cast<Index>(worker.candidates.size());
          worker.join(worker.candidates.data(), b.size(), worker.candidates.data(), n_candidates,
                      table_);
          return static_cast<double>(b.size() * n_candidates);
        },
        [](double a, double b) { return a + b; });
    table_.offer_back();
  }

  /// The lists so far.
  const NeighborTable<Scalar>& table() const { return table_; }
  /// The first few trees; the object has none afterwards.
  std::vector<ProjectionTree<Scalar>> take_trees() { return std::move(trees_); }
  /// Distances evaluated so far.
  double pairs() const { return pairs_; }

 private:
  static constexpr Index block = 64;
  static constexpr std::size_t kept_trees = 4;

  struct Worker {
    BlockJoin<Scalar> join;
    std::vector<int> candidates = {};
    std::vector<char> seen = {};  // one a point, all 0 between blocks

    /// The points of the block, then the others that two steps along the lists lead to.
    void gather(const std::vector<int>& lists, Index width, Index n, const Parallel::Block& b) {
      seen.resize(static_cast<std::size_t>(n), 0);
      candidates.clear();
      const auto add = [&](int i) {
        if (i < 0 || seen[static_cast<std::size_t>(i)]) return;
        seen[static_cast<std::size_t>(i)] = 1;
        candidates.push_back(i);
      };
      for (Index i = b.begin; i < b.end; ++i) add(static_cast<int>(i));
      std::size_t begin = 0;
      for (int step = 0; step < 2; ++step)
        for (const std::size_t end = candidates.size(); begin < end; ++begin) {
          const int* const list = lists.data() + candidates[begin] * width;
          for (Index e = 0; e < width; ++e) add(list[e]);
        }
      for (const int i : candidates) seen[static_cast<std::size_t>(i)] = 0;
    }
  };

  const Matrix<Scalar>& points_;
  std::uint64_t seed_;
  const Parallel& parallel_;
  NeighborTable<Scalar> table_;
  std::vector<Worker> workers_;
  std::vector<ProjectionTree<Scalar>> trees_ = {};
  Index n_planted_ = 0;
  double pairs_ = 0;
};

}  // namespace unfurl::detail
