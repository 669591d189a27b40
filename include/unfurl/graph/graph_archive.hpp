#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"

namespace unfurl::detail {

/// The rows as they are stored.
template <class Scalar>
void write_graph(ArchiveWriter& archive, const Graph<Scalar>& graph) {
  archive.count(graph.n_vertices());
  for (Index i = 0; i < graph.n_vertices(); ++i) archive.count(graph.degree(i));
  for (Index i = 0; i < graph.n_vertices(); ++i)
    for (Index e = 0; e < graph.degree(i); ++e) {
      archive.unsigned_integer(static_cast<std::uint32_t>(graph.neighbors(i)[e]));
      archive.number(graph.lengths(i)[e]);
    }
}

/// \param n_vertices that the graph must have \throws FormatError
template <class Scalar>
Graph<Scalar> read_graph(ArchiveReader& archive, Index n_vertices) {
  archive.require(archive.count() == n_vertices, "the graph has another number of vertices");
  std::vector<Index> start(1, 0);
  for (Index i = 0; i < n_vertices; ++i) {
    const Index degree = archive.count();
    archive.require(degree < n_vertices, "a vertex has too many neighbours");
    start.push_back(start.back() + degree);
  }
  archive.require(archive.holds(start.back(), sizeof(std::uint32_t) + sizeof(Scalar)),
                  "the graph does not fit in the file");
  Vector<int> neighbors(start.back());
  Vector<Scalar> lengths(start.back());
  double total = 0;
  for (Index i = 0; i < n_vertices; ++i)
    for (Index e = start[static_cast<std::size_t>(i)]; e < start[static_cast<std::size_t>(i) + 1];
         ++e) {
      const Index j = archive.template unsigned_integer<std::uint32_t>();
      archive.require(j < n_vertices && j != i, "a neighbour is out of range");
      archive.require(e == start[static_cast<std::size_t>(i)] || neighbors(e - 1) < j,
                      "neighbours are not ascending");
      neighbors(e) = static_cast<int>(j);
      lengths(e) = archive.template number<Scalar>();
      archive.require(lengths(e) >= 0 && std::isfinite(lengths(e)), "a length is not a length");
      total += static_cast<double>(lengths(e));
    }
  // No path is longer than all edges together.
  archive.require(total < static_cast<double>(std::numeric_limits<Scalar>::max() / 8),
                  "the lengths are too large for paths");
  Graph<Scalar> graph(std::move(start), std::move(neighbors), std::move(lengths));
  for (Index i = 0; i < n_vertices; ++i)
    for (Index e = 0; e < graph.degree(i); ++e) {
      const std::optional<Scalar> back = graph.length(graph.neighbors(i)[e], i);
      archive.require(back && *back == graph.lengths(i)[e], "an edge differs between its ends");
    }
  return graph;
}

}  // namespace unfurl::detail
