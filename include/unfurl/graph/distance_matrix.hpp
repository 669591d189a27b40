#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/distance.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

namespace unfurl {

/// The Euclidean distances of all pairs of points (one a column): n x n, symmetric to the bit, the
/// diagonal 0, from differences and not from products, which would lose the small distances.
/// O(n² d).
template <class Scalar>
Matrix<Scalar> distance_matrix(const Matrix<Scalar>& points, const Parallel& parallel) {
  const Index n = points.cols(), d = points.rows();
  Matrix<Scalar> D(n, n);
  // Tiles keep both sets of points and both places of the result in cache.
  constexpr Index tile = 64;
  parallel.for_blocks(n, tile, [&](const Parallel::Block& block) {
    for (Index top = 0; top < block.end; top += tile)
      for (Index j = block.begin; j < block.end; ++j)
        for (Index i = top; i < std::min(top + tile, j); ++i)
          D(i, j) = D(j, i) =
              std::sqrt(detail::squared_distance(points.data() + i * d, points.data() + j * d, d));
    for (Index j = block.begin; j < block.end; ++j) D(j, j) = 0;
  });
  return D;
}

/// The k nearest neighbours of every point by a symmetric matrix of distances; the point itself is
/// left out by its index, ties go to the lower index. O(n²).
///
/// \throws ParameterError unless 1 <= k <= n - 1
template <class Scalar>
NeighborList<Scalar> knn_from_distances(const ConstMatrixRef<Scalar>& D, Index k,
                                        const Parallel& parallel, std::string_view where = "knn") {
  const Index n = D.cols();
  if (k < 1 || k >= n)
    throw ParameterError(detail::text(where, ": n_neighbors must be in [1, ", n - 1, "], got ", k,
                                      ". Expected n_neighbors < n_samples, but n_samples=", n,
                                      ", n_neighbors=", k));
  NeighborList<Scalar> list(n, k);
  parallel.for_blocks(n, 16, [&](const Parallel::Block& block) {
    std::vector<int> order(static_cast<std::size_t>(n - 1));
    for (Index i = block.begin; i < block.end; ++i) {
      std::iota(order.begin(), order.begin() + i, 0);
      std::iota(order.begin() + i, order.end(), static_cast<int>(i + 1));
      std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int a, int b) {
        return D(a, i) != D(b, i) ? D(a, i) < D(b, i) : a < b;
      });
      for (Index e = 0; e < k; ++e) {
        list.indices(i)[e] = order[static_cast<std::size_t>(e)];
        list.distances(i)[e] = D(order[static_cast<std::size_t>(e)], i);
      }
    }
  });
  return list;
}

/// The other points at most r away from every point, nearest first, by a symmetric matrix of
/// distances. O(n²).
///
/// \throws ParameterError unless r is positive and finite
template <class Scalar>
NeighborList<Scalar> radius_from_distances(const ConstMatrixRef<Scalar>& D,
                                           std::common_type_t<Scalar> r, const Parallel& parallel,
                                           std::string_view where = "radius_neighbors") {
  if (!(r > 0) || std::isinf(r))
    throw ParameterError(detail::text(where, ": radius must be positive and finite, got ", r));
  const Index n = D.cols();
  std::vector<Index> counts(static_cast<std::size_t>(n));
  parallel.for_each(n, [&](Index i) {
    counts[static_cast<std::size_t>(i)] = (D.col(i).array() <= r).count() - (D(i, i) <= r ? 1 : 0);
  });
  NeighborList<Scalar> list(counts);
  parallel.for_each(n, [&](Index i) {
    std::vector<std::pair<Scalar, int>> found;
    for (Index j = 0; j < n; ++j)
      if (j != i && D(j, i) <= r) found.emplace_back(D(j, i), static_cast<int>(j));
    std::sort(found.begin(), found.end());
    for (std::size_t e = 0; e < found.size(); ++e) {
      list.distances(i)[e] = found[e].first;
      list.indices(i)[e] = found[e].second;
    }
  });
  return list;
}

}  // namespace unfurl
