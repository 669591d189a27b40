#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/graph/path_graph.hpp"

namespace unfurl::detail {

/// Vertices in the order in which the paths of one source reach them, each with those of its
/// neighbours that come before it. For another source close by the order is nearly right as well:
/// going through it once settles all but a few vertices.
template <class Scalar>
class PathOrder {
 public:
  /// Of the vertices below `limit`.
  /// \param distance distance(v): from the source to vertex v
  template <class Distance>
  void assign(const PathGraph<Scalar>& graph, Index limit, Distance&& distance) {
    sort(graph, limit, distance);
    // A neighbour is written in any case and stays if it comes before: no branch to be guessed. Of
    // the two entries of an edge one stays.
    const auto n_edges = static_cast<std::size_t>(limit > 0 ? graph.end(limit - 1) / 2 : 0);
    neighbors_.resize(n_edges + 1);
    lengths_.resize(n_edges + 1);
    start_.assign(1, 0);
    start_.reserve(vertices_.size() + 1);
    std::size_t next = 0;
    for (const int v : vertices_) {
      const int place = places_[static_cast<std::size_t>(v)];
      for (Index e = graph.begin(v); e < graph.end(v); ++e) {
        const int u = graph.neighbors()[e];
        if (u >= limit) break;  // they ascend
        neighbors_[next] = u;
        lengths_[next] = graph.lengths()[e];
        next += places_[static_cast<std::size_t>(u)] < place;
      }
      start_.push_back(next);
    }
  }

  /// There is none, or none any more.
  void clear() { vertices_.clear(); }

  Index size() const { return static_cast<Index>(vertices_.size()); }
  int vertex(Index place) const { return vertices_[static_cast<std::size_t>(place)]; }
  Index place(Index v) const { return places_[static_cast<std::size_t>(v)]; }

  /// The earlier neighbours of the vertex at a place: from `begin(place)` to `end(place)`.
  std::size_t begin(Index place) const { return start_[static_cast<std::size_t>(place)]; }
  std::size_t end(Index place) const { return start_[static_cast<std::size_t>(place) + 1]; }
  const int* neighbors() const { return neighbors_.data(); }
  const Scalar* lengths() const { return lengths_.data(); }

 private:
  /// By counting, to an eighth of an edge; those that are not reached come last.
  template <class Distance>
  void sort(const PathGraph<Scalar>& graph, Index limit, Distance&& distance) {
    const auto most = static_cast<int>(std::min<Index>(8 * limit, 1 << 24));
    const Scalar steps = 16 * graph.buckets_per_length();
    keys_.resize(static_cast<std::size_t>(limit));
    int last = 0;  // of those that are reached
    for (Index v = 0; v < limit; ++v) {
      const int key = static_cast<int>(std::min(static_cast<Scalar>(most), distance(v) * steps));
      keys_[static_cast<std::size_t>(v)] = key;
      if (key < most) last = std::max(last, key);
    }
    first_.assign(static_cast<std::size_t>(last) + 3, 0);
    for (int& key : keys_) ++first_[static_cast<std::size_t>(key = std::min(key, last + 1)) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    vertices_.resize(keys_.size());
    places_.resize(keys_.size());
    for (std::size_t v = 0; v < keys_.size(); ++v) {
      places_[v] = first_[static_cast<std::size_t>(keys_[v])]++;
      vertices_[static_cast<std::size_t>(places_[v])] = static_cast<int>(v);
    }
  }

  std::vector<int> vertices_, places_, neighbors_, keys_, first_;
  std::vector<std::size_t> start_;
  std::vector<Scalar> lengths_;
};

}  // namespace unfurl::detail
