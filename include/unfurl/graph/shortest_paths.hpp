#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"

namespace unfurl {

/// How long a path through the graph is.
enum class Path {
  lengths,  ///< the sum of the lengths of its edges
  hops      ///< the number of its edges
};

namespace detail {

/// What one worker needs to walk a graph, made once and used for many sources.
template <class Scalar>
class PathFinder {
 public:
  explicit PathFinder(const Graph<Scalar>& graph)
      : graph_(graph),
        distance_(static_cast<std::size_t>(graph.n_vertices())),
        position_(static_cast<std::size_t>(graph.n_vertices())) {}

  /// The distance of every vertex from the source, infinite where there is no path. Valid until the
  /// next call.
  const Scalar* run(Index source, Path path) {
    std::fill(distance_.begin(), distance_.end(), std::numeric_limits<Scalar>::infinity());
    distance_[static_cast<std::size_t>(source)] = 0;
    if (path == Path::hops)
      breadth_first(source);
    else
      dijkstra(source);
    return distance_.data();
  }

 private:
  /// A heap whose nodes have four children: half the depth of a binary one, and the children share
  /// a cache line. `position_` tells where a vertex is, so that its entry can move up.
  struct Entry {
    Scalar distance;
    int vertex;
  };
  static constexpr int not_in_heap = -1;

  void dijkstra(Index source) {
    std::fill(position_.begin(), position_.end(), not_in_heap);
    Scalar* const distance = distance_.data();
    int* const position = position_.data();
    heap_.clear();
    push(static_cast<int>(source), 0);
    while (!heap_.empty()) {
      const Entry nearest = pop();
      const int* const neighbors = graph_.neighbors(nearest.vertex);
      const Scalar* const lengths = graph_.lengths(nearest.vertex);
      const Index degree = graph_.degree(nearest.vertex);
      for (Index e = 0; e < degree; ++e) {
        const int v = neighbors[e];
        const Scalar through = nearest.distance + lengths[e];
        if (!(through < distance[v])) continue;  // settled vertices are never farther
        distance[v] = through;
        if (position[v] == not_in_heap)
          push(v, through);
        else
          sift_up(static_cast<std::size_t>(position[v]), {through, v});
      }
    }
  }

  void breadth_first(Index source) {
    Scalar* const distance = distance_.data();
    queue_.assign(1, static_cast<int>(source));
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const int u = queue_[at];
      for (Index e = 0; e < graph_.degree(u); ++e) {
        const int v = graph_.neighbors(u)[e];
        if (distance[v] != std::numeric_limits<Scalar>::infinity()) continue;
        distance[v] = distance[u] + 1;
        queue_.push_back(v);
      }
    }
  }

  void place(std::size_t at, const Entry& entry) {
    heap_[at] = entry;
    position_[static_cast<std::size_t>(entry.vertex)] = static_cast<int>(at);
  }

  void push(int vertex, Scalar distance) {
    heap_.push_back({distance, vertex});
    sift_up(heap_.size() - 1, {distance, vertex});
  }

  void sift_up(std::size_t at, const Entry& entry) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (heap_[parent].distance <= entry.distance) break;
      place(at, heap_[parent]);
      at = parent;
    }
    place(at, entry);
  }

  Entry pop() {
    const Entry top = heap_.front(), last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sift_down(last);
    return top;
  }

  void sift_down(const Entry& entry) {
    std::size_t at = 0;
    for (;;) {
      const std::size_t first = 4 * at + 1, end = std::min(first + 4, heap_.size());
      if (first >= end) break;
      std::size_t child = first;
      for (std::size_t c = first + 1; c < end; ++c)
        if (heap_[c].distance < heap_[child].distance) child = c;
      if (entry.distance <= heap_[child].distance) break;
      place(at, heap_[child]);
      at = child;
    }
    place(at, entry);
  }

  const Graph<Scalar>& graph_;
  std::vector<Scalar> distance_;
  std::vector<int> position_;
  std::vector<Entry> heap_;
  std::vector<int> queue_;
};

}  // namespace detail

/// Calls `receive(s, distances)` for each source: its place s in `sources` and the distances of all
/// vertices from it (an array that is valid during the call), from several threads at once and in
/// any order. Unreachable vertices are at infinity. Memory beside the graph: 30 bytes a vertex and
/// thread; a source costs O((n + m) log n) by lengths (Dijkstra 1959), O(n + m) by hops.
///
/// \throws ParameterError for a source that is not a vertex; what `receive` throws
template <class Scalar, class Receive>
void for_each_source(const Graph<Scalar>& graph, const std::vector<Index>& sources, Path path,
                     const Parallel& parallel, Receive&& receive) {
  for (const Index source : sources)
    if (source < 0 || source >= graph.n_vertices())
      throw ParameterError(detail::text("shortest_paths: source must be in [0, ",
                                        graph.n_vertices() - 1, "], got ", source));
  std::vector<std::optional<detail::PathFinder<Scalar>>> finders(
      static_cast<std::size_t>(parallel.n_threads()));
  constexpr Index sources_per_block = 4;
  parallel.for_blocks(
      static_cast<Index>(sources.size()), sources_per_block, [&](const Parallel::Block& block) {
        auto& finder = finders[static_cast<std::size_t>(block.worker)];
        if (!finder) finder.emplace(graph);  // by the thread that uses it, only if there is work
        for (Index s = block.begin; s < block.end; ++s)
          receive(s, finder->run(sources[static_cast<std::size_t>(s)], path));
      });
}

/// The distances of all vertices (rows) from each source (columns), infinite where there is no
/// path. `Out` may be a smaller type than that of the lengths: sums are formed in `Scalar`.
///
///     Matrix<float> G = shortest_paths<float>(graph, landmarks, Path::lengths, parallel);
template <class Out, class Scalar>
Matrix<Out> shortest_paths(const Graph<Scalar>& graph, const std::vector<Index>& sources, Path path,
                           const Parallel& parallel) {
  const Index n = graph.n_vertices();
  Matrix<Out> result(n, static_cast<Index>(sources.size()));
  for_each_source(graph, sources, path, parallel, [&](Index s, const Scalar* distances) {
    result.col(s) = Eigen::Map<const Vector<Scalar>>(distances, n).template cast<Out>();
  });
  return result;
}

/// The same from every vertex: n x n. The two triangles may differ in the last bits, because a path
/// is summed up from its source on.
template <class Out, class Scalar>
Matrix<Out> all_shortest_paths(const Graph<Scalar>& graph, Path path, const Parallel& parallel) {
  std::vector<Index> sources(static_cast<std::size_t>(graph.n_vertices()));
  std::iota(sources.begin(), sources.end(), Index{0});
  return shortest_paths<Out>(graph, sources, path, parallel);
}

}  // namespace unfurl
