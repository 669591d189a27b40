#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/graph/path_batch.hpp"
#include "unfurl/graph/path_graph.hpp"
#include "unfurl/graph/source_groups.hpp"

namespace unfurl {
namespace detail {

/// Walks from many sources, 16 at a time, and calls `receive(sources, count, distances, worker)`
/// for each batch: the numbers of its sources and a matrix whose column v holds the distances of
/// vertex v (numbered as in the PathGraph). From several threads at once and in any order.
/// \param starts of each source: where its paths start
template <class Scalar, class Receive>
void for_each_path_batch(const PathGraph<Scalar>& graph,
                         const std::vector<std::vector<PathStart<Scalar>>>& starts,
                         const Parallel& parallel, Receive&& receive) {
  constexpr Index lanes = PathBatch<Scalar>::lanes, batches_per_block = 4;
  std::vector<int> nearest;
  for (const auto& start : starts)
    nearest.push_back(
        std::min_element(start.begin(), start.end(), [](const auto& a, const auto& b) {
          return a.length < b.length;
        })->vertex);
  const SourceGroups<Scalar> groups(graph, nearest);
  const std::vector<Index>& order = groups.order();
  std::vector<std::optional<PathBatch<Scalar>>> workers(
      static_cast<std::size_t>(parallel.n_threads()));
  parallel.for_blocks(
      static_cast<Index>(order.size()), lanes * batches_per_block,
      [&](const Parallel::Block& block) {
        auto& batch = workers[static_cast<std::size_t>(block.worker)];
        if (!batch) batch.emplace(graph);  // by the thread that uses it, only if there is work
        for (Index begin = block.begin; begin < block.end; begin += lanes) {
          const Index count = std::min(lanes, block.end - begin);
          const Index* const sources = order.data() + begin;
          batch->prepare(graph.size());
          for (Index s = 0; s < count; ++s)
            for (const auto& start : starts[static_cast<std::size_t>(sources[s])])
              batch->add(s, start);
          receive(sources, count, batch->walk(), block.worker);
        }
      });
}

/// Calls `receive(s, distances)` for each source, a vertex of the PathGraph; see for_each_source.
/// \param place place(v): of which vertex of the PathGraph the distance is number v
template <class Scalar, class Place, class Receive>
void for_each_source_of(const PathGraph<Scalar>& graph, const std::vector<int>& sources,
                        const Parallel& parallel, Place&& place, Receive&& receive) {
  const Index n = graph.size();
  std::vector<std::vector<PathStart<Scalar>>> starts;
  starts.reserve(sources.size());
  for (const int source : sources) starts.push_back({{source, Scalar(0)}});
  std::vector<Matrix<Scalar>> columns(static_cast<std::size_t>(parallel.n_threads()));
  for_each_path_batch(
      graph, starts, parallel,
      [&](const Index* numbers, Index count, const Matrix<Scalar>& distances, int worker) {
        Matrix<Scalar>& mine = columns[static_cast<std::size_t>(worker)];
        mine.resize(n, PathBatch<Scalar>::lanes);
        constexpr Index tile = 256;  // of the lanes, which stay in cache while they are transposed
        for (Index top = 0; top < n; top += tile)
          for (Index s = 0; s < count; ++s)
            for (Index v = top; v < std::min(top + tile, n); ++v) {
              const Scalar distance = distances(s, place(v));
              mine(v, s) = distance < PathBatch<Scalar>::unreached
                               ? distance
                               : std::numeric_limits<Scalar>::infinity();
            }
        for (Index s = 0; s < count; ++s) receive(numbers[s], mine.col(s).data());
      });
}

/// See for_each_source; paths are summed up in Real.
template <class Real, class Scalar, class Receive>
void for_each_source_in(const Graph<Scalar>& graph, const std::vector<Index>& sources, Path path,
                        const Parallel& parallel, Receive&& receive) {
  for (const Index source : sources)
    if (source < 0 || source >= graph.n_vertices())
      throw ParameterError(text("shortest_paths: source must be in [0, ", graph.n_vertices() - 1,
                                "], got ", source));
  const PathGraph<Real> renumbered(graph, path);
  std::vector<int> places;
  for (const Index source : sources) places.push_back(renumbered.here(source));
  for_each_source_of(
      renumbered, places, parallel, [&](Index v) { return renumbered.here(v); },
      std::forward<Receive>(receive));
}

}  // namespace detail

/// Calls `receive(s, distances)` for each source: its place s in `sources` and the distances of all
/// vertices from it (an array that is valid during the call), from several threads at once and in
/// any order. Unreachable vertices are at infinity. Memory beside the graph: a copy of it and, for
/// each thread, half of one more and 25 numbers a vertex. Fastest when the sources are many, or
/// close together.
///
/// \throws ParameterError for a source that is not a vertex; what `receive` throws
template <class Scalar, class Receive>
void for_each_source(const Graph<Scalar>& graph, const std::vector<Index>& sources, Path path,
                     const Parallel& parallel, Receive&& receive) {
  detail::for_each_source_in<Scalar>(graph, sources, path, parallel,
                                     std::forward<Receive>(receive));
}

/// The distances of all vertices (rows) from each source (columns), infinite where there is no
/// path. Paths are summed up in `Out`: float is faster than double, and wrong by about
/// 1e-6 after a hundred edges.
///
///     Matrix<float> G = shortest_paths<float>(graph, landmarks, Path::lengths, parallel);
template <class Out, class Scalar>
Matrix<Out> shortest_paths(const Graph<Scalar>& graph, const std::vector<Index>& sources, Path path,
                           const Parallel& parallel) {
  const Index n = graph.n_vertices();
  Matrix<Out> result(n, static_cast<Index>(sources.size()));
  detail::for_each_source_in<Out>(
      graph, sources, path, parallel,
      [&](Index s, const Out* distances) { std::copy_n(distances, n, result.data() + s * n); });
  return result;
}

namespace detail {

/// Copies the upper triangle to the lower one, tile by tile.
template <class Scalar>
void make_symmetric(Matrix<Scalar>& A, const Parallel& parallel) {
  constexpr Index tile = 64;
  parallel.for_blocks(A.cols(), tile, [&](const Parallel::Block& b) {
    for (Index top = 0; top < b.end; top += tile)
      for (Index j = b.begin; j < b.end; ++j)
        for (Index i = top; i < std::min(top + tile, j); ++i) A(j, i) = A(i, j);
  });
}

}  // namespace detail

/// The same from every vertex: n x n. The two triangles may differ in the last bits, because a path
/// is summed up from its source on.
template <class Out, class Scalar>
Matrix<Out> all_shortest_paths(const Graph<Scalar>& graph, Path path, const Parallel& parallel) {
  std::vector<Index> sources(static_cast<std::size_t>(graph.n_vertices()));
  std::iota(sources.begin(), sources.end(), Index{0});
  return shortest_paths<Out>(graph, sources, path, parallel);
}

}  // namespace unfurl
