#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/affinity.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

/// The similarities that t-SNE draws (van der Maaten and Hinton 2008).
namespace unfurl::detail {

/// Probabilities p_j ∝ exp(-β d_j²) with β chosen so that their perplexity, exp of the entropy in
/// nats, is the one asked for. Distances enter through their differences from the smallest, so a
/// common offset does no harm.
/// \param squares d_j², k of them; overwritten by the probabilities, which sum to 1
/// \returns false where no β gives that perplexity: more than that many neighbours tie for the
///   nearest, and the probability is shared between those
inline bool meet_perplexity(double* squares, Index k, double perplexity) {
  const double nearest = *std::min_element(squares, squares + k);
  double mean = 0;
  Index n_ties = 0;
  for (Index j = 0; j < k; ++j) {
    squares[j] -= nearest;
    mean += squares[j] / static_cast<double>(k);
    n_ties += squares[j] == 0 ? 1 : 0;
  }
  if (static_cast<double>(n_ties) > perplexity || !(mean > 0)) {
    for (Index j = 0; j < k; ++j)
      squares[j] = squares[j] == 0 ? 1 / static_cast<double>(n_ties) : 0;
    return static_cast<double>(n_ties) <= perplexity;  // all equal, and all of them asked for
  }

  // In units of the mean; H falls with log β, by β² times the variance of the squares.
  for (Index j = 0; j < k; ++j) squares[j] /= mean;
  const double target = std::log(perplexity);
  const double infinity = std::numeric_limits<double>::infinity();
  double at = 0, low = -infinity, high = infinity, beta = 1, sum = 1;  // at = log β
  for (int step = 0; step < 200; ++step) {
    beta = std::exp(at);
    double first = 0, second = 0;
    sum = 0;
    for (Index j = 0; j < k; ++j) {
      const double weight = std::exp(-beta * squares[j]);
      sum += weight;
      first += weight * squares[j];
      second += weight * squares[j] * squares[j];
    }
    first /= sum, second /= sum;
    const double gap = std::log(sum) + beta * first - target;
    if (std::abs(gap) < 1e-11) break;
    (gap > 0 ? low : high) = at;  // too spread out: β must grow
    const double slope = beta * beta * (second - first * first);
    double next = at + gap / slope;
    const double most = 4;  // a step of Newton's may lead anywhere
    if (!(next > low && next < high) || std::abs(next - at) > most)
      next = std::isinf(low) ? at - most : std::isinf(high) ? at + most : low + (high - low) / 2;
    if (next == at) break;
    at = next;
  }
  for (Index j = 0; j < k; ++j) squares[j] = std::exp(-beta * squares[j]) / sum;
  return true;
}

/// For each point the probabilities of its neighbours, in the place of their distances. With
/// several perplexities the mean over them (multi-scale: Kobak and Berens 2019).
template <class Scalar>
struct ConditionalAffinities {
  NeighborList<Scalar> lists = {};
  Index n_infeasible = 0;  ///< points for which a perplexity could not be met
};

template <class Scalar>
ConditionalAffinities<Scalar> conditional_affinities(const NeighborList<Scalar>& neighbors,
                                                     const std::vector<double>& perplexities,
                                                     const Parallel& parallel) {
  ConditionalAffinities<Scalar> result;
  result.lists = neighbors;
  result.n_infeasible = parallel.reduce(
      neighbors.size(), 64, Index{0},
      [&](const Parallel::Block& block) {
        std::vector<double> p, mean;
        Index n_infeasible = 0;
        for (Index i = block.begin; i < block.end; ++i) {
          const Index k = neighbors.count(i);
          const Scalar* const distances = neighbors.distances(i);
          mean.assign(static_cast<std::size_t>(k), 0.0);
          bool feasible = true;
          for (const double perplexity : perplexities) {
            p.assign(distances, distances + k);
            for (double& value : p) value *= value;
            feasible = meet_perplexity(p.data(), k, perplexity) && feasible;
            for (std::size_t j = 0; j < p.size(); ++j)
              mean[j] += p[j] / static_cast<double>(perplexities.size());
          }
          for (std::size_t j = 0; j < mean.size(); ++j)
            result.lists.distances(i)[j] = static_cast<Scalar>(mean[j]);
          n_infeasible += feasible ? 0 : 1;
        }
        return n_infeasible;
      },
      [](Index all, Index part) { return all + part; });
  return result;
}

/// P = (C + Cᵀ) / (2 n) of conditional probabilities: symmetric, summing to 1, no diagonal.
/// \throws DataError when a point lists another twice; SizeLimitError
template <class Scalar>
SparseMatrix<Scalar> joint_affinities(const NeighborList<Scalar>& conditional,
                                      const Parallel& parallel, std::string_view where) {
  const Index n = conditional.size();
  const ReversedLists<Scalar> reversed(conditional, parallel);
  // Row i: what i lists and what lists i, both ascending.
  const auto for_row = [&](Index i, std::vector<Neighbor<Scalar>>& own, auto&& take) {
    sort_by_index(conditional, i, own);
    const Neighbor<Scalar>* mine = own.data();
    const Neighbor<Scalar>* const mine_end = mine + own.size();
    const Neighbor<Scalar>* theirs = reversed.begin(i);
    while (mine != mine_end || theirs != reversed.end(i)) {
      const bool both =
          mine != mine_end && theirs != reversed.end(i) && mine->index == theirs->index;
      const bool first =
          theirs == reversed.end(i) || (mine != mine_end && mine->index < theirs->index);
      const Neighbor<Scalar>& next = both || first ? *mine : *theirs;
      take(next.index, both ? mine->length + theirs->length : next.length);
      if (both || first) ++mine;
      if (both || !first) ++theirs;
    }
  };
  std::vector<Index> start(static_cast<std::size_t>(n) + 1, 0);
  parallel.for_blocks(n, 256, [&](const Parallel::Block& block) {
    std::vector<Neighbor<Scalar>> own;
    for (Index i = block.begin; i < block.end; ++i) {
      for_row(i, own, [&](int, Scalar) { ++start.data()[i + 1]; });
      for (std::size_t e = 1; e < own.size(); ++e)
        if (own[e].index == own[e - 1].index) throw_repeated(where, i, own[e].index);
    }
  });
  for (Index i = 0; i < n; ++i) start.data()[i + 1] += start.data()[i];
  check_sparse_size(where, n, start.back());
  SparseMatrix<Scalar> P(n, n);
  P.resizeNonZeros(start.back());
  for (Index i = 0; i <= n; ++i) P.outerIndexPtr()[i] = static_cast<int>(start.data()[i]);
  const Scalar scale = 1 / (2 * static_cast<Scalar>(n));
  parallel.for_blocks(n, 256, [&](const Parallel::Block& block) {
    std::vector<Neighbor<Scalar>> own;
    for (Index i = block.begin; i < block.end; ++i) {
      Index at = start.data()[i];
      for_row(i, own, [&](int j, Scalar value) {
        P.innerIndexPtr()[at] = j;
        P.valuePtr()[at++] = value * scale;
      });
    }
  });
  return P;
}

}  // namespace unfurl::detail
