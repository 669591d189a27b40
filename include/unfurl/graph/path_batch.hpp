#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"

namespace unfurl {

/// How long a path through the graph is.
enum class Path {
  lengths,  ///< the sum of the lengths of its edges
  hops      ///< the number of its edges
};

namespace detail {

/// A graph renumbered so that vertices that are near each other are near each other in memory, with
/// the lengths that paths are measured in, rounded to Scalar. The neighbours of a vertex ascend.
template <class Scalar>
class PathGraph {
 public:
  /// Breadth-first.
  template <class Length>
  PathGraph(const Graph<Length>& graph, Path path)
      : number_(static_cast<std::size_t>(graph.n_vertices()), -1) {
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
  PathGraph(const Graph<Length>& graph, Path path, const std::vector<Index>& order)
      : number_(order.size()) {
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
        edges.emplace_back(
            here(graph.neighbors(v)[e]),
            path == Path::hops ? Scalar(1) : static_cast<Scalar>(graph.lengths(v)[e]));
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
};

/// Where a path starts: at vertex `vertex` (of the PathGraph) with `length` already behind it.
template <class Scalar>
struct PathStart {
  int vertex;
  Scalar length;
};

/// Shortest paths from 16 sources at once. Sources that lie close together share almost all of
/// their work: an edge is tried for all of them in one go. Vertices wait in buckets by distance,
/// several edges wide, and go through again when a source still gains (label correcting; Denardo
/// and Fox 1979), so the result is exact for any sources; distant ones only cost more visits.
///
/// The result is, for each source and vertex, the least of the sums over all paths, each summed up
/// from its source on (rounded additions keep the order of their arguments): it does not depend on
/// the order of the work or on which sources are together.
template <class Scalar>
class PathBatch {
 public:
  static constexpr Index lanes = 16;
  /// Finite, so that differences are numbers.
  static constexpr Scalar unreached = std::numeric_limits<Scalar>::max() / 4;

  explicit PathBatch(const PathGraph<Scalar>& graph)
      : graph_(graph),
        distances_(lanes, graph.size()),
        waits_(static_cast<std::size_t>(graph.size()), 0),
        buckets_(n_buckets) {}

  /// Forgets the last walk. The next one reaches the vertices below `limit`; from others, whose
  /// distances are known, it may start.
  void prepare(Index limit) {
    limit_ = static_cast<int>(limit);
    distances_.leftCols(limit).setConstant(unreached);
    current_ = 0;
  }

  /// Source s is this far from the vertex of `start`. A source may start at many.
  void add(Index s, const PathStart<Scalar>& start) {
    Scalar& distance = distances_(s, start.vertex);
    distance = start.vertex < limit_ ? std::min(distance, start.length) : start.length;
    wait(start.vertex, start.length);
  }

  /// Distances from the sources. Column v of the result holds those of vertex v, below the limit;
  /// where there is no path, and in the rows of absent sources, at least `unreached`. Valid until
  /// `prepare`.
  const Matrix<Scalar>& walk() {
    for (; n_waiting_ > 0; ++current_) {
      // A vertex may come back into the bucket that is being emptied.
      std::vector<int>& bucket = buckets_[static_cast<std::size_t>(current_ % n_buckets)];
      for (std::size_t at = 0; at < bucket.size(); ++at) visit(bucket[at]);
      n_waiting_ -= static_cast<Index>(bucket.size());
      bucket.clear();
    }
    return distances_;
  }

 private:
  static constexpr Index n_buckets = 64;

  using Packet = typename Lanes<Scalar>::Packet;
  static constexpr Index packet_size = Lanes<Scalar>::packet_size;

  /// Offers the neighbours of u a path through u.
  void visit(int u) {
    using namespace Eigen::internal;
    waits_[static_cast<std::size_t>(u)] = 0;
    Packet own[static_cast<std::size_t>(lanes / packet_size)];
    for (Index p = 0; p < lanes / packet_size; ++p)
      own[p] = ploadu<Packet>(distances_.data() + u * lanes + p * packet_size);
    for (Index e = graph_.begin(u); e < graph_.end(u); ++e) {
      const int v = graph_.neighbors()[e];
      if (v >= limit_) break;  // nor can those that follow gain
      Scalar* const theirs = distances_.data() + v * lanes;
      const Packet length = pset1<Packet>(graph_.lengths()[e]);
      const bool waits = waits_[static_cast<std::size_t>(v)] != 0;
      bool gains = false;
      Packet last = pset1<Packet>(Scalar(0));  // of the paths that gain
      for (Index p = 0; p < lanes / packet_size; ++p) {
        const Packet before = ploadu<Packet>(theirs + p * packet_size);
        const Packet through = padd(own[p], length);
        const Packet gained = pcmp_lt(through, before);
        if (!any_lane(gained)) continue;
        gains = true;
        pstoreu(theirs + p * packet_size, pmin(through, before));
        if (!waits) last = pmax(last, pand(gained, through));
      }
      if (gains && !waits) wait(v, predux_max(last));
    }
  }

  /// Into the bucket of the last source that has gained: by then all of them have arrived.
  void wait(int v, Scalar length) {
    if (std::exchange(waits_[static_cast<std::size_t>(v)], char(1))) return;
    const Scalar bucket = std::max(Scalar(0), length * graph_.buckets_per_length());
    const Index ahead = current_ + n_buckets - 1;
    const Index at = bucket < static_cast<Scalar>(ahead)
                         ? std::max(current_, static_cast<Index>(bucket))
                         : ahead;
    buckets_[static_cast<std::size_t>(at % n_buckets)].push_back(v);
    ++n_waiting_;
  }

  const PathGraph<Scalar>& graph_;
  Matrix<Scalar> distances_;  // lanes x n
  std::vector<char> waits_;
  std::vector<std::vector<int>> buckets_;  // a ring; bucket b is b % n_buckets
  Index current_ = 0, n_waiting_ = 0;
  int limit_ = 0;
};

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

}  // namespace detail
}  // namespace unfurl
