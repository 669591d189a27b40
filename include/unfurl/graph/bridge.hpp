#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/components.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/neighbor_graph.hpp"

namespace unfurl {
namespace detail {

/// Sets of components that have been joined. The representative is the lowest number of the set.
class DisjointSets {
 public:
  explicit DisjointSets(Index n) : parent_(static_cast<std::size_t>(n)) {
    for (Index i = 0; i < n; ++i) parent_.data()[i] = i;
  }
  Index find(Index i) {
    while (parent_.data()[i] != i) i = parent_.data()[i] = parent_.data()[parent_.data()[i]];
    return i;
  }
  /// False if they were one set already.
  bool join(Index a, Index b) {
    a = find(a), b = find(b);
    if (a == b) return false;
    parent_.data()[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<Index> parent_;
};

/// The order in which links are preferred: by length, then by their vertices. No two links are
/// equal in it, so the minimum spanning tree is unique, whatever the order of the work.
template <class Scalar>
bool shorter(const Edge<Scalar>& a, const Edge<Scalar>& b) {
  return std::tie(a.length, a.i, a.j) < std::tie(b.length, b.i, b.j);
}

/// The shortest link known to leave a set of components. Threads offer what they find; `bound` is
/// read without locking and only ever prunes what could not have won.
template <class Scalar>
class ShortestLink {
 public:
  Scalar bound() const { return bound_.load(std::memory_order_relaxed); }
  bool found() const { return link_.i != link_.j; }
  const Edge<Scalar>& get() const { return link_; }

  void offer(Index a, Index b, Scalar length) {
    const Edge<Scalar> link{std::min(a, b), std::max(a, b), length};
    const std::lock_guard<std::mutex> lock(mutex_);
    if (found() && !shorter(link, link_)) return;
    link_ = link;
    bound_.store(length, std::memory_order_relaxed);
  }

 private:
  std::atomic<Scalar> bound_{(std::numeric_limits<Scalar>::max)()};
  std::mutex mutex_;
  Edge<Scalar> link_;
};

/// The minimum spanning tree over the components by Borůvka's rounds (1926): every set of joined
/// components but the largest looks for its shortest link to the outside, then all those are
/// joined. Each round at least halves the number of sets, and the largest is never searched from.
///
/// \param nearest nearest(i, accept, bound, j, distance) finds the first j by (distance, j) with
///   accept(j) and distance <= bound, or returns false
template <class Scalar, class Nearest>
std::vector<Edge<Scalar>> spanning_links(const Components& components, Nearest&& nearest,
                                         const Parallel& parallel) {
  const auto n = static_cast<Index>(components.label.size());
  std::vector<Edge<Scalar>> links;
  DisjointSets sets(components.count());
  std::vector<Index> set_of(components.label.size());
  while (static_cast<Index>(links.size()) + 1 < components.count()) {
    std::vector<Index> size(static_cast<std::size_t>(components.count()), 0);
    for (Index i = 0; i < n; ++i)
      ++size.data()[set_of.data()[i] = sets.find(components.label.data()[i])];
    const Index largest = std::max_element(size.begin(), size.end()) - size.begin();

    std::vector<ShortestLink<Scalar>> best(size.size());
    parallel.for_each(n, [&](Index i) {
      const Index own = set_of.data()[i];
      if (own == largest) return;
      ShortestLink<Scalar>& link = best[static_cast<std::size_t>(own)];
      Index j = -1;
      Scalar distance = 0;
      const auto outside = [&](Index other) { return set_of.data()[other] != own; };
      if (nearest(i, outside, link.bound(), j, distance)) link.offer(i, j, distance);
    });

    const std::size_t before = links.size();
    for (const auto& link : best)
      if (link.found() &&
          sets.join(components.label.data()[link.get().i], components.label.data()[link.get().j]))
        links.push_back(link.get());
    if (links.size() == before)
      throw NumericalError(
          "bridge_components: no finite distance leads from one component to another");
  }
  std::sort(links.begin(), links.end(), shorter<Scalar>);
  return links;
}

template <class SearchIndex, class Scalar, class = void>
struct HasNearestIf : std::false_type {};
template <class SearchIndex, class Scalar>
struct HasNearestIf<SearchIndex, Scalar,
                    std::void_t<decltype(std::declval<const SearchIndex&>().nearest_if(
                        std::declval<const Scalar*>(), std::declval<bool (*)(Index)>(), Scalar{},
                        std::declval<Index&>(), std::declval<Scalar&>()))>> : std::true_type {};

/// nearest_if with nothing but knn: asks for twice as many neighbours until one is accepted.
template <class SearchIndex, class Accept, class Scalar>
bool nearest_by_knn(const SearchIndex& index, const Scalar* query, Accept&& accept, Scalar bound,
                    Index& j, Scalar& distance) {
  const Index n = index.size();
  std::vector<Index> indices;
  std::vector<Scalar> distances;
  for (Index k = std::min<Index>(16, n), seen = 0;; k = std::min(2 * k, n)) {
    indices.resize(static_cast<std::size_t>(k));
    distances.resize(static_cast<std::size_t>(k));
    index.knn(query, k, indices.data(), distances.data());
    for (; seen < k; ++seen) {
      if (!(distances.data()[seen] <= bound)) return false;
      if (!accept(indices.data()[seen])) continue;
      j = indices.data()[seen];
      distance = distances.data()[seen];
      return true;
    }
    if (k == n) return false;
  }
}

template <class Scalar, class Nearest>
std::vector<Edge<Scalar>> bridge(Graph<Scalar>& graph, Nearest&& nearest,
                                 const Parallel& parallel) {
  const Components components = connected_components(graph);
  if (components.count() < 2) return {};
  auto links = spanning_links<Scalar>(components, nearest, parallel);
  graph = with_edges(graph, links, parallel, "bridge_components");
  return links;
}

}  // namespace detail

/// Connects a graph by the shortest links there are between its components: the minimum spanning
/// tree over the components, where the distance of two components is that of their closest points.
/// Of equally short links the one with the lowest vertices is taken, so the result does not depend
/// on the number of threads. Cost: about one nearest-neighbour search for each point outside the
/// largest component and round; there are at most log2(components) rounds.
///
/// \param graph the edges are added to it
/// \param index any neighbour index over the points (neighbors/requirements.hpp). One that has
///   `nearest_if(query, accept, bound, j, distance)`, as the library's own have, is fastest.
/// \param points those of the index, one a column
/// \param parallel the threads to search on
/// \return the links that were added, shortest first
template <class Scalar, class SearchIndex>
std::vector<Edge<Scalar>> bridge_components(Graph<Scalar>& graph, const SearchIndex& index,
                                            const Matrix<Scalar>& points,
                                            const Parallel& parallel) {
  if (index.size() != graph.n_vertices() || points.cols() != graph.n_vertices())
    throw DimensionError(detail::text("bridge_components: the search index has ", index.size(),
                                      " points of ", points.cols(), " given, the graph ",
                                      graph.n_vertices(), " vertices"));
  return detail::bridge(
      graph,
      [&](Index i, auto&& accept, Scalar bound, Index& j, Scalar& distance) {
        const Scalar* const query = points.data() + i * points.rows();
        if constexpr (detail::HasNearestIf<SearchIndex, Scalar>::value)
          return index.nearest_if(query, accept, bound, j, distance);
        else
          return detail::nearest_by_knn(index, query, accept, bound, j, distance);
      },
      parallel);
}

/// For an index that shows its points.
template <class Scalar, class SearchIndex>
std::vector<Edge<Scalar>> bridge_components(Graph<Scalar>& graph, const SearchIndex& index,
                                            const Parallel& parallel) {
  return bridge_components(graph, index, index.points(), parallel);
}

/// The same from a symmetric matrix of distances between all points.
template <class Scalar>
std::vector<Edge<Scalar>> bridge_components(Graph<Scalar>& graph, const Matrix<Scalar>& distances,
                                            const Parallel& parallel) {
  if (distances.rows() != graph.n_vertices() || distances.cols() != graph.n_vertices())
    throw DimensionError(detail::text("bridge_components: the distance matrix is ",
                                      distances.rows(), " x ", distances.cols(), ", the graph has ",
                                      graph.n_vertices(), " vertices"));
  return detail::bridge(
      graph,
      [&](Index i, auto&& accept, Scalar bound, Index& j, Scalar& distance) {
        bool found = false;
        for (Index other = 0; other < distances.rows(); ++other) {
          const Scalar d = distances(other, i);
          if (!(found ? d < distance : d <= bound) || !accept(other)) continue;
          found = true;
          j = other;
          distance = d;
        }
        return found;
      },
      parallel);
}

}  // namespace unfurl
