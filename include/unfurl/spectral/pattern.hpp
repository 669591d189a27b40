#pragma once

#include <cmath>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Dimension of the object whose neighbourhoods a sparse pattern describes: a breadth-first search
/// from a peripheral vertex passes through about n^(1 / dimension) levels, so about 2 for a
/// surface, 3 for a solid. It predicts the fill of a factorisation at a small part of the cost of
/// an ordering.
template <class Scalar>
double pattern_dimension(const SparseMatrix<Scalar>& A) {
  const std::size_t n = static_cast<std::size_t>(A.cols());
  if (n < 2) return 0;
  std::vector<int> queue(n), level(n);
  const auto search_from = [&](int start) {  // fills queue and level; returns the vertices reached
    std::fill(level.begin(), level.end(), -1);
    std::size_t reached = 0;
    queue[reached++] = start;
    level[static_cast<std::size_t>(start)] = 0;
    for (std::size_t head = 0; head < reached; ++head) {
      const int v = queue[head];
      for (typename SparseMatrix<Scalar>::InnerIterator it(A, v); it; ++it) {
        const int u = static_cast<int>(it.index());
        if (level[static_cast<std::size_t>(u)] >= 0) continue;
        level[static_cast<std::size_t>(u)] = level[static_cast<std::size_t>(v)] + 1;
        queue[reached++] = u;
      }
    }
    return reached;
  };
  // The last vertex reached from anywhere is peripheral.
  const std::size_t reached = search_from(0);
  search_from(queue[reached - 1]);
  const int levels = level[static_cast<std::size_t>(queue[reached - 1])] + 1;
  if (levels < 2) return reached < 2 ? 0 : std::log2(static_cast<double>(n));
  return std::log(static_cast<double>(reached)) / std::log(static_cast<double>(levels));
}

}  // namespace unfurl::detail
