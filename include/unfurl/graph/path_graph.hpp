#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/path_length.hpp"

namespace unfurl::detail {

/// A graph renumbered so that vertices that are near each other are near each other in memory, with
/// the lengths that paths are measured in. The neighbours of a vertex ascend.
template <class Scalar>
class PathGraph {
 public:
  /// Breadth-first.
  template <class Length>
  PathGraph(const Graph<Length>& graph, Path path, PathRounding<Scalar> rounding = {})
      : number_(static_cast<std::size_t>(graph.n_vertices()), -1), rounding_(rounding) {
    const Index n = graph.n_vertices();
    order_.reserve(static_cast<std::size_t>(n));
    for (Index first = 0; first < n; ++first) {
      if (number_[static_cast<std::size_t>(first)] >= 0) continue;
      // From a vertex at the far end of the component the fronts are narrow.
      const std::size_t begin = order_.size();
      visit_from(graph, static_cast<int>(first));
      const int far = order_.back();
      for (std::size_t at = begin; at < order_.size(); ++at)
        number_[static_cast<std::size_t>(order_[at])] = -1;
      order_.resize(begin);
      visit_from(graph, far);
    }
    copy(graph, path);
  }

  /// Vertex order[i] becomes i.
  template <class Length>
  PathGraph(const Graph<Length>& graph, Path path, const std::vector<Index>& order,
            PathRounding<Scalar> rounding = {})
      : number_(order.size()), rounding_(rounding) {
    order_.reserve(order.size());
    for (const Index v : order) {
      number_[static_cast<std::size_t>(v)] = static_cast<int>(order_.size());
      order_.push_back(static_cast<int>(v));
    }
    copy(graph, path);
  }

  Index size() const { return static_cast<Index>(order_.size()); }
  /// The number here of vertex v of the graph.
  int here(Index v) const { return number_[static_cast<std::size_t>(v)]; }
  /// The vertices of the graph in their order here.
  const std::vector<int>& order() const { return order_; }
  const PathRounding<Scalar>& rounding() const { return rounding_; }

  Index begin(Index u) const { return start_[static_cast<std::size_t>(u)]; }
  Index end(Index u) const { return start_[static_cast<std::size_t>(u) + 1]; }
  const int* neighbors() const { return neighbors_.data(); }
  const Scalar* lengths() const { return lengths_.data(); }
  /// Buckets are about two edges wide.
  Scalar buckets_per_length() const { return buckets_per_length_; }

 private:
  template <class Length>
  void visit_from(const Graph<Length>& graph, int root) {
    const auto visit = [&](int v) {
      number_[static_cast<std::size_t>(v)] = static_cast<int>(order_.size());
      order_.push_back(v);
    };
    std::size_t at = order_.size();
    for (visit(root); at < order_.size(); ++at) {
      const int u = order_[at];
      for (Index e = 0; e < graph.degree(u); ++e)
        if (number_[static_cast<std::size_t>(graph.neighbors(u)[e])] < 0)
          visit(graph.neighbors(u)[e]);
    }
  }

  /// The edges, in the order of their new numbers.
  template <class Length>
  void copy(const Graph<Length>& graph, Path path) {
    start_.reserve(order_.size() + 1);
    neighbors_.reserve(static_cast<std::size_t>(graph.n_entries()));
    lengths_.reserve(static_cast<std::size_t>(graph.n_entries()));
    start_.push_back(0);
    double total = 0;
    std::vector<std::pair<int, Scalar>> edges;
    for (const int v : order_) {
      edges.clear();
      for (Index e = 0; e < graph.degree(v); ++e)
        edges.emplace_back(here(graph.neighbors(v)[e]), rounding_(edge_length(graph, v, e, path)));
      std::sort(edges.begin(), edges.end());
      for (const auto& [neighbor, length] : edges) {
        neighbors_.push_back(neighbor);
        lengths_.push_back(length);
        total += static_cast<double>(length);
      }
      start_.push_back(static_cast<Index>(neighbors_.size()));
    }
    const double width = 2 * total / static_cast<double>(std::max<std::size_t>(1, lengths_.size()));
    buckets_per_length_ = width > 0 ? static_cast<Scalar>(1 / width) : Scalar(0);
  }

  std::vector<int> number_, order_, neighbors_;
  std::vector<Index> start_;
  std::vector<Scalar> lengths_;
  Scalar buckets_per_length_ = 0;
  PathRounding<Scalar> rounding_;
};

}  // namespace unfurl::detail
