#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

namespace unfurl {

/// When two points of a neighbour list become joined by an edge.
enum class Symmetry {
  either,  ///< one of them lists the other: the union of both directions
  mutual   ///< each lists the other
};

namespace detail {

/// A vertex as it appears in the list of another one.
template <class Scalar>
struct Neighbor {
  int index;
  Scalar length;
};

/// For each vertex, the vertices whose lists name it, ascending. A transposition by counting: the
/// lists are cut into a fixed number of chunks, each chunk counts and then fills its own slots, so
/// the threads share nothing and nothing needs sorting.
template <class Scalar>
class ReversedLists {
 public:
  ReversedLists(const NeighborList<Scalar>& list, const Parallel& parallel)
      : start_(static_cast<std::size_t>(list.size()) + 1, 0),
        entries_(new Neighbor<Scalar>[static_cast<std::size_t>(list.total())]) {
    constexpr Index n_chunks = 8;
    const Index n = list.size(), chunk_size = (n + n_chunks - 1) / n_chunks;
    // Of chunk c and vertex v: slots[c * n + v], counted from the start of v.
    std::vector<int> slots(static_cast<std::size_t>(n_chunks * n), 0);

    parallel.for_blocks(n, chunk_size, [&](const Parallel::Block& chunk) {
      int* const count = slots.data() + chunk.number * n;
      for (Index i = chunk.begin; i < chunk.end; ++i)
        for (Index e = 0; e < list.count(i); ++e) ++count[list.indices(i)[e]];
    });
    for (Index v = 0; v < n; ++v) {
      int total = 0;
      for (Index c = 0; c < n_chunks; ++c) total += std::exchange(slots.data()[c * n + v], total);
      start_.data()[v + 1] = start_.data()[v] + total;
    }
    parallel.for_blocks(n, chunk_size, [&](const Parallel::Block& chunk) {
      int* const slot = slots.data() + chunk.number * n;
      for (Index i = chunk.begin; i < chunk.end; ++i)
        for (Index e = 0; e < list.count(i); ++e) {
          const int v = list.indices(i)[e];
          entries_.get()[start_.data()[v] + slot[v]++] = {static_cast<int>(i),
                                                          list.distances(i)[e]};
        }
    });
  }

  const Neighbor<Scalar>* begin(Index v) const { return entries_.get() + start_.data()[v]; }
  const Neighbor<Scalar>* end(Index v) const { return begin(v + 1); }

 private:
  std::vector<Index> start_;
  std::unique_ptr<Neighbor<Scalar>[]> entries_;
};

/// The list of vertex i by ascending index.
template <class Scalar>
void sort_by_index(const NeighborList<Scalar>& list, Index i, std::vector<Neighbor<Scalar>>& out) {
  const Index k = list.count(i);
  const int* const indices = list.indices(i);
  const Scalar* const distances = list.distances(i);
  out.resize(static_cast<std::size_t>(k));
  if (k > 48) {
    for (Index e = 0; e < k; ++e) out[static_cast<std::size_t>(e)] = {indices[e], distances[e]};
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return a.index != b.index ? a.index < b.index : a.length < b.length;
    });
    return;
  }
  // Counting the smaller ones has no branch to mispredict: three times as fast for short lists.
  for (Index e = 0; e < k; ++e) {
    std::size_t rank = 0;
    for (Index f = 0; f < e; ++f) rank += indices[f] <= indices[e] ? 1 : 0;
    for (Index f = e + 1; f < k; ++f) rank += indices[f] < indices[e] ? 1 : 0;
    out[rank] = {indices[e], distances[e]};
  }
}

/// Some consecutive rows of a graph under construction.
template <class Scalar>
struct GraphRows {
  std::vector<int> neighbors = {};
  std::vector<Scalar> lengths = {};
  std::vector<Index> ends = {};
  Index n_length_conflicts = 0;

  void push(int neighbor, Scalar length, bool conflict) {
    neighbors.push_back(neighbor);
    lengths.push_back(length);
    n_length_conflicts += conflict ? 1 : 0;
  }
};

/// One row: the vertices in the list of i (`own`) and those that list i (`other`), both ascending,
/// with the smallest length given for each.
/// \param repeated called with the neighbour that the list of i names more than once
template <class Scalar, class Repeated>
void merge_row(const std::vector<Neighbor<Scalar>>& own, const Neighbor<Scalar>* other,
               const Neighbor<Scalar>* other_end, Symmetry symmetry, GraphRows<Scalar>& rows,
               Repeated&& repeated) {
  const Neighbor<Scalar>* mine = own.data();
  const Neighbor<Scalar>* const mine_end = mine + own.size();
  while (mine != mine_end || other != other_end) {
    const bool listed = other == other_end || (mine != mine_end && mine->index <= other->index);
    const int index = listed ? mine->index : other->index;
    Scalar length = listed ? mine->length : other->length;
    bool conflict = false;
    const auto take = [&](const Neighbor<Scalar>*& at, const Neighbor<Scalar>* end) {
      Index taken = 0;
      for (; at != end && at->index == index; ++at, ++taken) {
        conflict = conflict || at->length != length;
        length = std::min(length, at->length);
      }
      return taken;
    };
    const Index times_mine = take(mine, mine_end);
    const Index times_other = take(other, other_end);
    if (times_mine > 1) repeated(index);
    if (symmetry == Symmetry::either || (times_mine > 0 && times_other > 0))
      rows.push(index, length, conflict);
  }
}

/// The lists must have been checked. \param repeated see merge_row; called with (i, neighbour)
template <class Scalar, class Repeated>
Graph<Scalar> symmetrize(const NeighborList<Scalar>& list, Symmetry symmetry,
                         const Parallel& parallel, Repeated&& repeated) {
  constexpr Index rows_per_block = 512;
  const Index n = list.size();
  if (n == 0) return {};
  const ReversedLists<Scalar> reversed(list, parallel);
  std::vector<GraphRows<Scalar>> blocks(static_cast<std::size_t>((n - 1) / rows_per_block + 1));
  parallel.for_blocks(n, rows_per_block, [&](const Parallel::Block& block) {
    GraphRows<Scalar>& rows = blocks[static_cast<std::size_t>(block.number)];
    const auto most =
        static_cast<std::size_t>(reversed.begin(block.end) - reversed.begin(block.begin)) * 2;
    rows.neighbors.reserve(most);
    rows.lengths.reserve(most);
    std::vector<Neighbor<Scalar>> own;
    for (Index i = block.begin; i < block.end; ++i) {
      sort_by_index(list, i, own);
      merge_row(own, reversed.begin(i), reversed.end(i), symmetry, rows,
                [&](int j) { repeated(i, j); });
      rows.ends.push_back(static_cast<Index>(rows.neighbors.size()));
    }
  });

  std::vector<Index> start(1, 0), offset;
  start.reserve(static_cast<std::size_t>(n) + 1);
  Index conflicts = 0;
  for (const auto& rows : blocks) {
    offset.push_back(start.back());
    for (const Index end : rows.ends) start.push_back(offset.back() + end);
    conflicts += rows.n_length_conflicts;
  }
  Vector<int> neighbors(start.back());
  Vector<Scalar> lengths(start.back());
  parallel.for_each(
      static_cast<Index>(blocks.size()),
      [&](Index b) {
        const auto& rows = blocks[static_cast<std::size_t>(b)];
        const Index at = offset[static_cast<std::size_t>(b)];
        std::copy(rows.neighbors.begin(), rows.neighbors.end(), neighbors.data() + at);
        std::copy(rows.lengths.begin(), rows.lengths.end(), lengths.data() + at);
      },
      1);
  return {std::move(start), std::move(neighbors), std::move(lengths), conflicts / 2};
}

template <class Scalar>
void check_neighbor(std::string_view where, Index n, Index i, Index j, Scalar distance) {
  if (j < 0 || j >= n)
    throw DataError(text(where, ": point ", i, " has neighbour ", j, ", outside of [0, ", n - 1,
                         "] (n_samples = ", n, ")"));
  if (j == i)
    throw DataError(
        text(where, ": point ", i, " is listed as its own neighbour; leave the point itself out"));
  if (!(distance >= 0) || std::isinf(distance))
    throw DataError(text(where, ": the distance between points ", i, " and ", j,
                         " must be finite and non-negative, got ", distance));
}

[[noreturn]] inline void throw_repeated(std::string_view where, Index i, Index j) {
  throw DataError(text(where, ": point ", i, " lists point ", j, " as a neighbour more than once"));
}

inline void check_vertex_count(std::string_view where, Index n) {
  constexpr Index most = std::numeric_limits<int>::max();
  if (n < 0 || n > most)
    throw SizeLimitError(text(where, ": a graph has at most 2^31 - 1 vertices, got ", n),
                         static_cast<std::size_t>(n), static_cast<std::size_t>(most));
}

}  // namespace detail

/// The graph of a neighbour list, of either a kNN or a radius search: each point is a vertex, each
/// distance the length of an edge. O(n k log k), in parallel, the same for any number of threads.
///
/// \throws DataError when an index is out of range, a point lists itself or another twice, or a
///   distance is negative or not finite
template <class Scalar>
Graph<Scalar> neighbor_graph(const NeighborList<Scalar>& list, Symmetry symmetry,
                             const Parallel& parallel, std::string_view where = "neighbor_graph") {
  const Index n = list.size();
  parallel.for_each(
      n,
      [&](Index i) {
        for (Index e = 0; e < list.count(i); ++e)
          detail::check_neighbor(where, n, i, list.indices(i)[e], list.distances(i)[e]);
      },
      512);
  return detail::symmetrize(list, symmetry, parallel,
                            [&](Index i, Index j) { detail::throw_repeated(where, i, j); });
}

/// A graph of n vertices from its edges, in any order and direction; of several between the same
/// vertices the shortest is taken. O(n + m).
///
/// \throws DataError when a vertex is out of range, an edge is a loop, or a length is negative or
///   not finite; SizeLimitError beyond 2^31 - 1 vertices
template <class Scalar>
Graph<Scalar> graph_from_edges(Index n, const std::vector<Edge<Scalar>>& edges,
                               const Parallel& parallel,
                               std::string_view where = "graph_from_edges") {
  detail::check_vertex_count(where, n);
  std::vector<Index> count(static_cast<std::size_t>(n), 0);
  for (const auto& edge : edges) {
    if (edge.i < 0 || edge.i >= n)
      throw DataError(
          detail::text(where, ": an edge has vertex ", edge.i, ", outside of [0, ", n - 1, "]"));
    detail::check_neighbor(where, n, edge.i, edge.j, edge.length);
    ++count[static_cast<std::size_t>(edge.i)];
  }
  NeighborList<Scalar> list(count);
  for (const auto& edge : edges) {
    const Index slot = --count[static_cast<std::size_t>(edge.i)];
    list.indices(edge.i)[slot] = static_cast<int>(edge.j);
    list.distances(edge.i)[slot] = edge.length;
  }
  return detail::symmetrize(list, Symmetry::either, parallel, [](Index, Index) {});
}

/// The graph and some edges more, by one copy: O(n + m). Of several edges between the same vertices
/// the shortest is taken.
template <class Scalar>
Graph<Scalar> with_edges(const Graph<Scalar>& graph, const std::vector<Edge<Scalar>>& added,
                         const Parallel& parallel, std::string_view where = "with_edges") {
  std::vector<Edge<Scalar>> edges;
  edges.reserve(static_cast<std::size_t>(graph.n_edges()) + added.size());
  for (Index i = 0; i < graph.n_vertices(); ++i)
    for (Index e = 0; e < graph.degree(i); ++e)
      if (graph.neighbors(i)[e] > i)
        edges.push_back({i, graph.neighbors(i)[e], graph.lengths(i)[e]});
  edges.insert(edges.end(), added.begin(), added.end());
  return graph_from_edges(graph.n_vertices(), edges, parallel, where);
}

}  // namespace unfurl
