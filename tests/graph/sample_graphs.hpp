#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

// Graphs whose properties are known, and the naive ways to build and read them.
namespace sample {

using unfurl::Edge;
using unfurl::Graph;
using unfurl::Index;
using unfurl::Matrix;
using unfurl::NeighborList;
using unfurl::Parallel;

using Pairs = std::vector<std::pair<Index, Index>>;

template <class Scalar>
Graph<Scalar> unit_graph(Index n, const Pairs& pairs) {
  std::vector<Edge<Scalar>> edges;
  for (const auto& [i, j] : pairs) edges.push_back({i, j, Scalar(1)});
  return unfurl::graph_from_edges(n, edges, Parallel(1));
}

inline Pairs path_pairs(Index n, Index first = 0) {
  Pairs pairs;
  for (Index i = 0; i + 1 < n; ++i) pairs.emplace_back(first + i, first + i + 1);
  return pairs;
}

inline Pairs cycle_pairs(Index n, Index first = 0) {
  Pairs pairs = path_pairs(n, first);
  pairs.emplace_back(first + n - 1, first);
  return pairs;
}

inline Pairs complete_pairs(Index n) {
  Pairs pairs;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) pairs.emplace_back(i, j);
  return pairs;
}

/// Vertex (a, b) has number a * columns + b.
inline Pairs product_pairs(const Pairs& rows, Index n_rows, const Pairs& columns, Index n_columns) {
  Pairs pairs;
  for (const auto& [a, b] : rows)
    for (Index c = 0; c < n_columns; ++c) pairs.emplace_back(a * n_columns + c, b * n_columns + c);
  for (const auto& [a, b] : columns)
    for (Index r = 0; r < n_rows; ++r) pairs.emplace_back(r * n_columns + a, r * n_columns + b);
  return pairs;
}

/// Every pair with probability p, lengths uniform in (0, 1); also a path through all vertices if it
/// has to be connected.
template <class Scalar>
Graph<Scalar> random_graph(Index n, double p, std::uint64_t seed, bool connected) {
  unfurl::Random random(seed);
  std::vector<Edge<Scalar>> edges;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j)
      if (random.uniform() < p || (connected && j == i + 1))
        edges.push_back({i, j, static_cast<Scalar>(0.01 + 0.99 * random.uniform())});
  return unfurl::graph_from_edges(n, edges, Parallel(1));
}

/// Lengths as a dense matrix, `missing` where there is no edge.
template <class Scalar>
Matrix<Scalar> dense_lengths(const Graph<Scalar>& graph, Scalar missing) {
  Matrix<Scalar> result = Matrix<Scalar>::Constant(graph.n_vertices(), graph.n_vertices(), missing);
  for (Index i = 0; i < graph.n_vertices(); ++i)
    for (Index e = 0; e < graph.degree(i); ++e)
      result(i, graph.neighbors(i)[e]) = graph.lengths(i)[e];
  return result;
}

/// The same vertices, neighbours and lengths, to the bit.
template <class Scalar>
bool same_graph(const Graph<Scalar>& a, const Graph<Scalar>& b) {
  if (a.n_vertices() != b.n_vertices() || a.n_entries() != b.n_entries()) return false;
  for (Index i = 0; i < a.n_vertices(); ++i) {
    if (a.degree(i) != b.degree(i)) return false;
    for (Index e = 0; e < a.degree(i); ++e)
      if (a.neighbors(i)[e] != b.neighbors(i)[e] || a.lengths(i)[e] != b.lengths(i)[e])
        return false;
  }
  return true;
}

/// Sorted, without loops, each edge from both ends with one length.
template <class Scalar>
bool well_formed(const Graph<Scalar>& graph) {
  for (Index i = 0; i < graph.n_vertices(); ++i)
    for (Index e = 0; e < graph.degree(i); ++e) {
      const Index j = graph.neighbors(i)[e];
      if (j == i || j < 0 || j >= graph.n_vertices()) return false;
      if (e > 0 && graph.neighbors(i)[e - 1] >= j) return false;
      if (graph.length(j, i) != graph.lengths(i)[e]) return false;
    }
  return true;
}

}  // namespace sample
