#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl {

/// An undirected edge between two different vertices; the length is not negative.
template <class Scalar>
struct Edge {
  Index i = 0,        ///< one end
      j = 0;          ///< the other
  Scalar length = 0;  ///< true distance, not squared
};

/// An undirected graph with edge lengths: for each vertex its neighbours in ascending order, each
/// edge stored from both ends, no loops, no parallel edges. An edge of length 0 (duplicate points)
/// is an edge like any other, which is why this is not a sparse matrix.
///
/// Made by the functions of neighbor_graph.hpp. 12 bytes an edge end in double, 8 in float.
template <class Scalar>
class Graph {
 public:
  /// Without a vertex.
  Graph() : start_(1, 0) {}

  /// From compressed rows that already are as described above: the neighbours of vertex i are
  /// entries start[i] to start[i + 1].
  Graph(std::vector<Index> start, Vector<int> neighbors, Vector<Scalar> lengths,
        Index n_length_conflicts = 0)
      : start_(std::move(start)),
        neighbors_(std::move(neighbors)),
        lengths_(std::move(lengths)),
        n_length_conflicts_(n_length_conflicts) {}

  /// Number of vertices, isolated ones included.
  Index n_vertices() const { return static_cast<Index>(start_.size()) - 1; }
  /// Number of undirected edges.
  Index n_edges() const { return start_.back() / 2; }
  /// Number of stored entries: each edge counts twice.
  Index n_entries() const { return start_.back(); }

  /// Number of neighbours of vertex i.
  Index degree(Index i) const { return row(i + 1) - row(i); }
  /// The neighbours of vertex i, ascending.
  const int* neighbors(Index i) const { return neighbors_.data() + row(i); }
  /// The lengths of the edges to them (true distances, not squared).
  const Scalar* lengths(Index i) const { return lengths_.data() + row(i); }
  /// Where the row of vertex i starts in the compressed arrays; row(n_vertices()) is n_entries().
  Index row(Index i) const { return start_[static_cast<std::size_t>(i)]; }

  /// The length of the edge between i and j, or nothing if there is none. O(log degree).
  std::optional<Scalar> length(Index i, Index j) const {
    const int* end = neighbors(i) + degree(i);
    const int* found = std::lower_bound(neighbors(i), end, static_cast<int>(j));
    if (found == end || *found != j) return std::nullopt;
    return lengths(i)[found - neighbors(i)];
  }

  /// Edges that were given with different lengths in the two directions, or several times; the
  /// smallest was taken. Not 0 only for neighbour lists or edges that come from the user.
  Index n_length_conflicts() const { return n_length_conflicts_; }

 private:
  std::vector<Index> start_;
  // Not std::vector, which would have one thread write zeros over all of it first: on fresh memory
  // that takes longer than building the graph.
  Vector<int> neighbors_;
  Vector<Scalar> lengths_;
  Index n_length_conflicts_ = 0;
};

}  // namespace unfurl
