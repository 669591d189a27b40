#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"

namespace unfurl {

/// The connected components of a graph, numbered in the order of their lowest vertices.
struct Components {
  std::vector<int> label = {};    ///< of each vertex: the number of its component
  std::vector<Index> sizes = {};  ///< vertices in each component
  /// Number of components.
  Index count() const { return static_cast<Index>(sizes.size()); }

  /// The component with the most vertices; of several that with the lowest vertex.
  Index largest() const { return std::max_element(sizes.begin(), sizes.end()) - sizes.begin(); }
};

namespace detail {

/// \param for_neighbors called as for_neighbors(i, visit): calls visit(j) for the neighbours of i
template <class ForNeighbors>
Components label_components(Index n, ForNeighbors&& for_neighbors) {
  Components result;
  result.label.assign(static_cast<std::size_t>(n), -1);
  int* const label = result.label.data();
  std::vector<int> queue;
  queue.reserve(static_cast<std::size_t>(n));
  for (Index seed = 0; seed < n; ++seed) {
    if (label[seed] >= 0) continue;
    const auto number = static_cast<int>(result.sizes.size());
    const std::size_t first = queue.size();
    label[seed] = number;
    queue.push_back(static_cast<int>(seed));
    for (std::size_t at = first; at < queue.size(); ++at)
      for_neighbors(static_cast<Index>(queue[at]), [&](int j) {
        if (label[j] >= 0) return;
        label[j] = number;
        queue.push_back(j);
      });
    result.sizes.push_back(static_cast<Index>(queue.size() - first));
  }
  return result;
}

/// "3, 2 and 1", at most `most` of them.
template <class Value>
std::string enumerate(const std::vector<Value>& values, std::size_t most = 8) {
  std::string result;
  const std::size_t shown = std::min(values.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == values.size();
    result += text(i == 0 ? "" : last ? " and " : ", ", values[i]);
  }
  return shown < values.size() ? result + ", …" : result;
}

}  // namespace detail

/// Breadth-first, O(n + m).
template <class Scalar>
Components connected_components(const Graph<Scalar>& graph) {
  return detail::label_components(graph.n_vertices(), [&](Index i, auto&& visit) {
    for (Index e = 0; e < graph.degree(i); ++e) visit(graph.neighbors(i)[e]);
  });
}

/// The components of a symmetric matrix of affinities. Only a weight that is not 0 connects: a
/// kernel that underflows can cut a graph that is connected.
template <class Scalar>
Components connected_components(const SparseMatrix<Scalar>& W) {
  return detail::label_components(W.cols(), [&](Index i, auto&& visit) {
    for (typename SparseMatrix<Scalar>::InnerIterator it(W, i); it; ++it)
      if (it.value() != 0) visit(static_cast<int>(it.row()));
  });
}

/// The same of a dense matrix of affinities.
template <class Scalar>
Components connected_components(const Matrix<Scalar>& W) {
  return detail::label_components(W.cols(), [&](Index i, auto&& visit) {
    for (Index j = 0; j < W.rows(); ++j)
      if (W(j, i) != 0) visit(static_cast<int>(j));
  });
}

/// No component has an odd cycle or a loop: a walk on one of them alternates between two halves.
template <class Scalar>
bool is_bipartite(const SparseMatrix<Scalar>& W) {
  std::vector<int> color(static_cast<std::size_t>(W.cols()), 0), queue;
  for (Index seed = 0; seed < W.cols(); ++seed) {
    if (color[static_cast<std::size_t>(seed)] != 0) continue;
    color[static_cast<std::size_t>(seed)] = 1;
    queue.assign(1, static_cast<int>(seed));
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const int own = color[static_cast<std::size_t>(queue[at])];
      for (typename SparseMatrix<Scalar>::InnerIterator it(W, queue[at]); it; ++it) {
        if (it.value() == 0) continue;
        int& other = color[static_cast<std::size_t>(it.row())];
        if (other == own) return false;
        if (other == 0) queue.push_back(static_cast<int>(it.row()));
        other = -own;
      }
    }
  }
  return true;
}

/// The error for a graph that falls apart: the number of components, their sizes, the vertices that
/// have no neighbour at all, and what to do.
inline DisconnectedGraphError disconnected_graph_error(std::string_view where,
                                                       const Components& components,
                                                       std::string_view remedy) {
  std::vector<Index> sizes = components.sizes, isolated;
  std::sort(sizes.begin(), sizes.end(), std::greater<Index>());
  for (std::size_t i = 0; i < components.label.size(); ++i)
    if (components.sizes[static_cast<std::size_t>(components.label[i])] == 1)
      isolated.push_back(static_cast<Index>(i));
  std::string message = detail::text(where, ": the neighbourhood graph has ", sizes.size(),
                                     " connected components, of sizes ", detail::enumerate(sizes));
  if (!isolated.empty())
    message += detail::text(" (without a neighbour: vertex ", detail::enumerate(isolated), ")");
  return DisconnectedGraphError(detail::text(message, "; ", remedy), std::move(sizes));
}

/// Checks that the graph is in one piece.
/// \param where begins the text of the error: pass the estimator's name
/// \param graph a Graph or a symmetric matrix of affinities
/// \param remedy ends it: what the user can do
/// \throws DisconnectedGraphError unless there is exactly one component (or no vertex)
template <class GraphType>
void require_connected(
    std::string_view where, const GraphType& graph,
    std::string_view remedy = "raise n_neighbors (or radius), or set on_disconnected") {
  const Components components = connected_components(graph);
  if (components.count() > 1) throw disconnected_graph_error(where, components, remedy);
}

/// A part of a graph with its own numbering.
template <class Scalar>
struct Subgraph {
  Graph<Scalar> graph = {};          ///< the part, with vertices numbered from 0
  std::vector<Index> vertices = {};  ///< vertex v here is vertices[v] there; ascending
};

/// The component with the given number, O(n + m).
template <class Scalar>
Subgraph<Scalar> component(const Graph<Scalar>& graph, const Components& components, Index number) {
  Subgraph<Scalar> part;
  std::vector<int> position(components.label.size(), -1);
  std::vector<Index> start(1, 0);
  for (Index i = 0; i < graph.n_vertices(); ++i) {
    if (components.label[static_cast<std::size_t>(i)] != number) continue;
    position[static_cast<std::size_t>(i)] = static_cast<int>(part.vertices.size());
    part.vertices.push_back(i);
    start.push_back(start.back() + graph.degree(i));
  }
  Vector<int> neighbors(start.back());
  Vector<Scalar> lengths(start.back());
  Index at = 0;
  for (const Index i : part.vertices)
    for (Index e = 0; e < graph.degree(i); ++e, ++at) {
      neighbors(at) = position[static_cast<std::size_t>(graph.neighbors(i)[e])];
      lengths(at) = graph.lengths(i)[e];
    }
  part.graph = Graph<Scalar>(std::move(start), std::move(neighbors), std::move(lengths));
  return part;
}

/// The largest component; of several that with the lowest vertex.
template <class Scalar>
Subgraph<Scalar> largest_component(const Graph<Scalar>& graph) {
  const Components components = connected_components(graph);
  if (components.count() == 0) return {};
  return component(graph, components, components.largest());
}

}  // namespace unfurl
