#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/residual_variance.hpp"
#include "unfurl/graph/shortest_paths.hpp"

/// Geodesics between all pairs, of which a symmetric half is enough: the lower triangle is not
/// written, and a system that gives memory when it is first touched gives half of it.
namespace unfurl::detail {

/// Paths from every vertex (columns) to the vertices before it; on the diagonal 0.
template <class Out, class Scalar>
Matrix<Out> upper_shortest_paths(const Graph<Scalar>& graph, Path path, const Parallel& parallel) {
  const Index n = graph.n_vertices();
  std::vector<Index> sources(static_cast<std::size_t>(n));
  std::iota(sources.begin(), sources.end(), Index{0});
  Matrix<Out> result(n, n);
  for_each_source_in<Out>(graph, sources, path, parallel, [&](Index s, const Out* distances) {
    std::copy_n(distances, s + 1, result.data() + s * n);
  });
  return result;
}

/// residual_variances of a matrix whose upper triangle is there, over the same pairs. They are
/// drawn first, so that the memory can bring several of them at once.
template <class Stored, class Scalar>
Vector<double> upper_residual_variances(const Matrix<Stored>& G, const Matrix<Scalar>& Y,
                                        std::uint64_t seed) {
  const Index n = G.rows();
  std::vector<std::pair<Index, Index>> pairs;  // (i, j), i < j
  if (n * n <= 2 * most_residual_pairs) {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < j; ++i) pairs.emplace_back(i, j);
  } else {
    Random random(seed, 4);
    pairs.reserve(static_cast<std::size_t>(most_residual_pairs));
    for (Index pair = 0; pair < most_residual_pairs; ++pair) {
      const auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
      const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1)));
      pairs.push_back(std::minmax({j, i < j ? i : i + 1}));
    }
  }
  constexpr std::size_t ahead = 32;
  std::vector<Correlation> by_dimension(static_cast<std::size_t>(Y.cols()));
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (p + ahead < pairs.size())
      Eigen::internal::prefetch(G.data() + pairs[p + ahead].second * n + pairs[p + ahead].first);
    const auto [i, j] = pairs[p];
    double squared = 0;
    for (Index d = 0; d < Y.cols(); ++d) {
      const double gap = static_cast<double>(Y(i, d)) - static_cast<double>(Y(j, d));
      squared += gap * gap;
      by_dimension[static_cast<std::size_t>(d)].add(static_cast<double>(G(i, j)),
                                                    std::sqrt(squared));
    }
  }
  Vector<double> result(Y.cols());
  for (Index d = 0; d < Y.cols(); ++d)
    result(d) = by_dimension[static_cast<std::size_t>(d)].unexplained();
  return result;
}

}  // namespace unfurl::detail
