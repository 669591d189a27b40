#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/brute_force.hpp"
#include "unfurl/neighbors/descent.hpp"
#include "unfurl/neighbors/distance.hpp"
#include "unfurl/neighbors/graph_walk.hpp"
#include "unfurl/neighbors/recall_sample.hpp"

/// NN-descent until a sample shows the recall asked for, or an exact search instead.
namespace unfurl::detail {

template <class Scalar>
struct BuiltGraph {
  std::optional<BruteForceIndex<Scalar>> exact = std::nullopt;  // instead of everything below
  NeighborGraph<Scalar> graph = {};
  std::vector<int> order = {};  // place in the graph -> number of the point
  std::vector<int> place = {};  // the other way
  Index n_neighbors = 0;        // that the recall was measured for
  Index beam = 0;               // of a walk; 0: no walk finds enough
  double recall = 1, query_recall = 1;
  std::string note = "";
};

template <class Scalar>
BuiltGraph<Scalar> exact_instead(std::shared_ptr<const Matrix<Scalar>> points, std::string why) {
  BuiltGraph<Scalar> built;
  built.exact.emplace(std::move(points));
  built.note = text("exact neighbours instead of approximate ones: ", why);
  return built;
}

/// Near points get near places.
template <class Scalar>
void arrange(const Matrix<Scalar>& given, std::uint64_t seed, BuiltGraph<Scalar>& built) {
  // A stream that the trees of the descent do not reach.
  built.order = ProjectionTree<Scalar>(given, 64, Random(seed, ~std::uint64_t{0} - 1)).order();
  built.place.resize(built.order.size());
  built.graph.points.resize(given.rows(), given.cols());
  for (std::size_t at = 0; at < built.order.size(); ++at) {
    built.place[static_cast<std::size_t>(built.order[at])] = static_cast<int>(at);
    built.graph.points.col(static_cast<Index>(at)) = given.col(built.order[at]);
  }
}

/// The lists by (true distance, number of the point). An incomplete one is filled by looking at
/// every point: that takes distances that vanish beside the extent of the data.
template <class Scalar>
void keep_lists(const NeighborTable<Scalar>& table, const Parallel& parallel,
                BuiltGraph<Scalar>& built) {
  NeighborGraph<Scalar>& graph = built.graph;
  const Index d = graph.points.rows(), n = graph.points.cols();
  graph.width = table.width();
  graph.lists.resize(static_cast<std::size_t>(n * graph.width));
  parallel.for_each(n, [&](Index at) {
    NearestK<Scalar> nearest(graph.width);
    const auto offer = [&](Index other) {
      const Scalar square =
          squared_distance(graph.points.data() + at * d, graph.points.data() + other * d, d);
      nearest.offer(std::sqrt(square), built.order[static_cast<std::size_t>(other)]);
    };
    const int* const found = table.points(at);
    if (found[graph.width - 1] >= 0)
      for (Index e = 0; e < graph.width; ++e) offer(found[e]);
    else
      for (Index other = 0; other < n; ++other)
        if (other != at) offer(other);
    std::vector<Index> indices(static_cast<std::size_t>(graph.width));
    std::vector<Scalar> distances(indices.size());
    nearest.write(indices.data(), distances.data());
    for (std::size_t e = 0; e < indices.size(); ++e)
      graph.lists[static_cast<std::size_t>(at * graph.width) + e] =
          built.place[static_cast<std::size_t>(indices[e])];
  });
}

/// The least beam, of those tried, with which walks find enough; 0 if none does. A sampled point is
/// looked up as if it were not in the set: that is what a new point will meet.
template <class Scalar>
void choose_beam(const RecallSample<Scalar>& sample, const std::vector<Index>& chosen,
                 double target, const Parallel& parallel, BuiltGraph<Scalar>& built) {
  const Index k = built.n_neighbors;
  for (Index beam = std::max<Index>(16, k + k / 2); beam <= 64 * k + 1024; beam *= 2) {
    built.query_recall = sample.recall(parallel, [&](Index q, Scalar* distances) {
      GraphWalk<Scalar> walk(built.graph, beam);
      const auto& met =
          walk(sample.query(q), static_cast<int>(chosen[static_cast<std::size_t>(q)]));
      for (std::size_t e = 0; e < static_cast<std::size_t>(k); ++e)
        distances[e] =
            e < met.size() ? std::sqrt(met[e].square) : std::numeric_limits<Scalar>::infinity();
    });
    built.beam = beam;
    if (built.query_recall >= target) return;
  }
  built.beam = 0;
  built.query_recall = 1;
}

template <class Scalar>
BuiltGraph<Scalar> build_neighbor_graph(Matrix<Scalar> given, Index n_neighbors, double target,
                                        std::uint64_t seed, const Parallel& parallel) {
  constexpr Index few_points = 8192, sample_size = 1000;
  constexpr Index narrowest = 10;  // shorter lists lead nowhere
  auto shared = std::make_shared<const Matrix<Scalar>>(std::move(given));
  const Index n = shared->cols(), d = shared->rows();
  const Index k = std::clamp<Index>(n_neighbors, 1, std::max<Index>(1, n - 1));
  const Index width = std::max(k, narrowest);
  if (target == 1) return exact_instead(std::move(shared), "a recall of 1 was asked for");
  if (n < std::max(few_points, 64 * width))
    return exact_instead(std::move(shared), text("only ", n, " points for lists of ", k));

  BuiltGraph<Scalar> built;
  built.n_neighbors = k;
  arrange(*shared, seed, built);
  const Matrix<Scalar>& points = built.graph.points;
  const BruteForceIndex<Scalar> all(shared);
  const std::vector<Index> chosen = Random(seed, ~std::uint64_t{0} - 2).sample(n, sample_size);
  Matrix<Scalar> queries(d, sample_size);
  for (Index q = 0; q < sample_size; ++q)
    queries.col(q) = points.col(chosen[static_cast<std::size_t>(q)]);
  const RecallSample<Scalar> sample(all, std::move(queries), k, parallel);

  ListDescent<Scalar> descent(points, width, seed, parallel);
  // A pair in a product costs as much as one of an exact search.
  const double most_pairs = 0.5 * static_cast<double>(n) * static_cast<double>(n);
  for (Index n_trees = 6;; n_trees = 4) {
    descent.plant(n_trees);
    descent.expand();
    built.recall = sample.recall(parallel, [&](Index q, Scalar* distances) {
      const int* const found = descent.table().points(chosen[static_cast<std::size_t>(q)]);
      for (Index e = 0; e < k; ++e)
        distances[e] =
            found[e] < 0
                ? std::numeric_limits<Scalar>::infinity()
                : std::sqrt(squared_distance(sample.query(q), points.data() + found[e] * d, d));
    });
    if (built.recall >= target) break;
    if (descent.pairs() > most_pairs)
      return exact_instead(
          std::move(shared),
          text("with half of an exact search's work NN-descent reached a recall of ", built.recall,
               ", ", target, " was asked for"));
  }
  keep_lists(descent.table(), parallel, built);
  built.graph.trees = descent.take_trees();

  choose_beam(sample, chosen, target, parallel, built);
  built.note =
      text("approximate neighbours: NN-descent, measured recall ", built.recall, " of the ", k,
           " nearest, ", built.query_recall, " for new points (", target, " asked for)");
  return built;
}

}  // namespace unfurl::detail
