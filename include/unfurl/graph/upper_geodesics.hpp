#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/path_batch.hpp"
#include "unfurl/graph/path_graph.hpp"

namespace unfurl::detail {

/// Geodesics between all pairs of vertices, of which a symmetric half is enough: entries below the
/// diagonal are not written, and a system that gives memory when it is first touched gives half of
/// it. Infinite where there is no path.
///
/// Walks from parts of the graph, one part after the other. A vertex that has been a source is
/// never visited again: its distances are known, so later walks start from the known vertices at
/// the border of what is left as well as from their sources, which halves the work.
///
/// A part is a sixteenth of the vertices, whatever the number of threads, so the result is the
/// same; a path from i to j is summed up from either end.
/// \param places vertices that follow each other should be close together
template <class Out>
Matrix<Out> upper_geodesics(const PathGraph<Out>& places, const Parallel& parallel) {
  constexpr Index lanes = PathBatch<Out>::lanes, n_parts = 16;
  const Index n = places.size();
  Matrix<Out> G(n, n);

  std::vector<std::optional<PathBatch<Out>>> workers(
      static_cast<std::size_t>(parallel.n_threads()));
  const Index per_part = (n / n_parts / lanes + 1) * lanes;
  for (Index end = n; end > 0;) {  // of the part; vertices from there on are known
    const Index begin = (end - 1) / per_part * per_part;
    std::vector<int> border;
    for (Index v = end; v < n; ++v)
      if (places.begin(v) < places.end(v) && places.neighbors()[places.begin(v)] < end)
        border.push_back(static_cast<int>(v));
    parallel.for_blocks((end - begin + lanes - 1) / lanes, 1, [&](const Parallel::Block& block) {
      auto& batch = workers[static_cast<std::size_t>(block.worker)];
      if (!batch) batch.emplace(places);  // by the thread that uses it
      const Index first = begin + block.begin * lanes, last = std::min(first + lanes, end);
      batch->prepare(end);
      for (Index s = first; s < last; ++s) batch->add(s - first, {static_cast<int>(s), Out(0)});
      for (const int v : border)
        for (Index s = first; s < last; ++s)
          batch->add(s - first, {v, std::min(G(s, v), PathBatch<Out>::unreached)});
      const Matrix<Out>& distances = batch->walk();
      constexpr Index tile = 256;  // of the lanes, which stay in cache while they are transposed
      for (Index top = 0; top < last; top += tile)
        for (Index s = first; s < last; ++s)
          for (Index v = top; v < std::min(top + tile, s + 1); ++v) {
            const Out distance = distances(s - first, v);
            G(v, s) = distance < PathBatch<Out>::unreached ? distance
                                                           : std::numeric_limits<Out>::infinity();
          }
    });
    end = begin;
  }
  return G;
}

}  // namespace unfurl::detail
