#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/graph/path_batch.hpp"
#include "unfurl/graph/path_graph.hpp"

namespace unfurl::detail {

/// Orders sources so that those that follow each other are close together: the graph is halved
/// again and again, across its longest extent, until 16 sources are left in each part.
template <class Scalar>
class SourceGroups {
 public:
  /// \param starts a vertex of each source
  SourceGroups(const PathGraph<Scalar>& graph, const std::vector<int>& starts)
      : graph_(graph),
        first_(static_cast<std::size_t>(graph.size()) + 1, 0),
        part_(static_cast<std::size_t>(graph.size()), 0),
        vertices_(static_cast<std::size_t>(graph.size())) {
    // The sources by vertex, by counting.
    for (const int v : starts) ++first_[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    sources_.resize(starts.size());
    std::vector<Index> slot(first_);
    for (std::size_t s = 0; s < starts.size(); ++s)
      sources_[static_cast<std::size_t>(slot[static_cast<std::size_t>(starts[s])]++)] =
          static_cast<Index>(s);
    for (std::size_t v = 0; v < vertices_.size(); ++v) vertices_[v] = static_cast<int>(v);
    order_.reserve(starts.size());
    if (!starts.empty()) halve(0, vertices_.size(), static_cast<Index>(starts.size()));
  }

  const std::vector<Index>& order() const { return order_; }

 private:
  Index n_sources(int v) const {
    return first_[static_cast<std::size_t>(v) + 1] - first_[static_cast<std::size_t>(v)];
  }

  /// The vertices from `begin` to `end`, which hold `count` sources.
  void halve(std::size_t begin, std::size_t end, Index count) {
    constexpr Index group = PathBatch<Scalar>::lanes;
    if (count <= group || end - begin < 2) {
      for (std::size_t at = begin; at < end; ++at)
        for (Index i = 0; i < n_sources(vertices_[at]); ++i)
          order_.push_back(sources_[static_cast<std::size_t>(
              first_[static_cast<std::size_t>(vertices_[at])] + i)]);
      return;
    }
    breadth_first(begin, end);
    std::swap(vertices_[begin], vertices_[end - 1]);  // the last visited is far from the first
    breadth_first(begin, end);
    const Index half = (count / group + 1) / 2 * group;
    Index left = 0;
    std::size_t middle = begin;
    while (middle + 1 < end && left < half) left += n_sources(vertices_[middle++]);
    halve(begin, middle, left);
    halve(middle, end, count - left);
  }

  /// Orders a part by the number of hops from its first vertex.
  void breadth_first(std::size_t begin, std::size_t end) {
    const int inside = ++n_parts_, visited = ++n_parts_;
    for (std::size_t at = begin; at < end; ++at)
      part_[static_cast<std::size_t>(vertices_[at])] = inside;
    queue_.clear();
    const auto visit = [&](int v) {
      if (part_[static_cast<std::size_t>(v)] != inside) return;
      part_[static_cast<std::size_t>(v)] = visited;
      queue_.push_back(v);
    };
    std::size_t at = 0;
    for (std::size_t root = begin; root < end; ++root)  // a part need not be connected
      for (visit(vertices_[root]); at < queue_.size(); ++at)
        for (Index e = graph_.begin(queue_[at]); e < graph_.end(queue_[at]); ++e)
          visit(graph_.neighbors()[e]);
    std::copy(queue_.begin(), queue_.end(), vertices_.begin() + static_cast<std::ptrdiff_t>(begin));
  }

  const PathGraph<Scalar>& graph_;
  std::vector<Index> first_, sources_, order_;
  std::vector<int> part_, vertices_, queue_;
  int n_parts_ = 0;
};

/// Vertices that are close together in the graph, sixteen and sixteen, follow each other.
template <class Scalar, class Length>
PathGraph<Scalar> path_graph_in_groups(const Graph<Length>& graph, Path path,
                                       PathRounding<Scalar> rounding = {}) {
  const PathGraph<Scalar> breadth_first(graph, path);
  std::vector<int> every;
  for (Index v = 0; v < graph.n_vertices(); ++v) every.push_back(breadth_first.here(v));
  return {graph, path, SourceGroups<Scalar>(breadth_first, every).order(), rounding};
}

}  // namespace unfurl::detail
