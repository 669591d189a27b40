#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/neighbors/ask_index.hpp"
#include "unfurl/neighbors/brute_force.hpp"
#include "unfurl/neighbors/build_neighbor_graph.hpp"
#include "unfurl/neighbors/graph_walk.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

namespace unfurl {

/// What NnDescent::build makes. Copies share the points and the graph, which never change.
template <class Scalar>
class NnDescentIndex {
 public:
  /// Takes over what was built; see NnDescent::build.
  explicit NnDescentIndex(detail::BuiltGraph<Scalar> built)
      : built_(std::make_shared<const detail::BuiltGraph<Scalar>>(std::move(built))) {}

  /// Number of points.
  Index size() const { return is_exact() ? built_->exact->size() : graph().points.cols(); }
  /// Number of coordinates of a point.
  Index dimension() const {
    return is_exact() ? built_->exact->dimension() : graph().points.rows();
  }
  /// Coordinates of point i.
  const Scalar* point(Index i) const {
    return is_exact() ? built_->exact->point(i) : graph().points.data() + place(i) * dimension();
  }
  /// One point a column, in the order in which they were given.
  Matrix<Scalar> points() const {
    Matrix<Scalar> all(dimension(), size());
    for (Index i = 0; i < size(); ++i)
      all.col(i) = Eigen::Map<const Vector<Scalar>>(point(i), dimension());
    return all;
  }

  /// Every answer is exact: there are few points, or lists as good as asked for would have cost
  /// more than an exact search.
  bool is_exact() const { return built_->exact.has_value(); }
  /// The share of the true neighbours in the lists of the points themselves, measured on a random
  /// sample of them; 1 if exact.
  double measured_recall() const { return built_->recall; }
  /// The same for new points, measured by looking up sampled points as if they were new.
  double measured_query_recall() const { return built_->query_recall; }
  /// For a report, e.g. "approximate neighbours: NN-descent, measured recall 0.9921 of the 15
  /// nearest, 0.9964 for new points (0.99 asked for)".
  const std::string& note() const { return built_->note; }

  /// The k nearest of the others for every point. More than the index was built for are searched
  /// exactly.
  NeighborList<Scalar> knn_self(Index k, const Parallel& parallel, std::string_view caller) const {
    if (is_exact()) return exact_self(*built_->exact, k, parallel, caller);
    if (k > built_->n_neighbors) {
      const auto all = std::make_shared<const Matrix<Scalar>>(points());
      return exact_self(BruteForceIndex<Scalar>(all), k, parallel, caller);
    }
    NeighborList<Scalar> list(size(), k);
    parallel.for_each(size(), [&](Index at) {
      const Index i = built_->order[static_cast<std::size_t>(at)];
      const int* const found = graph().lists.data() + at * graph().width;
      for (Index e = 0; e < k; ++e) {
        list.indices(i)[e] = built_->order[static_cast<std::size_t>(found[e])];
        list.distances(i)[e] = distance(point(i), found[e]);
      }
    });
    return list;
  }

  /// About the k points nearest to the query: true distances, ascending, ties by index. More than
  /// the index was built for are searched exactly.
  /// \throws ParameterError unless 1 <= k <= size(); DataError for a query that is not finite.
  void knn(const Scalar* query, Index k, Index* indices, Scalar* distances) const {
    knn_batch(query, 1, k, indices, distances);
  }

  /// The same for many queries stored one after the other; k results each.
  void knn_batch(const Scalar* queries, Index n_queries, Index k, Index* indices,
                 Scalar* distances) const {
    if (is_exact()) return built_->exact->knn_batch(queries, n_queries, k, indices, distances);
    detail::check_n_neighbors("NnDescent", k, size(), size());
    const bool walk_finds = built_->beam > 0 && k <= built_->n_neighbors;
    std::optional<detail::GraphWalk<Scalar>> walk;
    if (walk_finds) walk.emplace(graph(), built_->beam);
    for (Index q = 0; q < n_queries; ++q) {
      const Scalar* const query = queries + q * dimension();
      detail::NearestK<Scalar> nearest(k);
      if (walk_finds)
        for (const auto& met : (*walk)(query))
          nearest.offer(std::sqrt(met.square), built_->order[static_cast<std::size_t>(met.point)]);
      else
        measure_all(query, nearest);
      detail::require_complete("NnDescent", nearest.complete());
      nearest.write(indices + q * k, distances + q * k);
    }
  }

  /// The points whose true distance is at most r, in the same order: exactly, by looking at every
  /// point. KdTree and BruteForce are faster at it.
  void radius(const Scalar* query, Scalar r, std::vector<Index>& indices,
              std::vector<Scalar>& distances) const {
    if (is_exact()) return built_->exact->radius(query, r, indices, distances);
    detail::WithinRadius<Scalar> within(r);
    measure_all(query, within);
    within.write(indices, distances);
  }

  /// The nearest point at most `bound` away for which `accept(index)` holds; false if there is
  /// none. Exactly.
  template <class Accept>
  bool nearest_if(const Scalar* query, Accept&& accept, Scalar bound, Index& index,
                  Scalar& found) const {
    if (is_exact()) return built_->exact->nearest_if(query, accept, bound, index, found);
    detail::NearestAccepted<Scalar, Accept> nearest(accept, bound);
    measure_all(query, nearest);
    return nearest.write(index, found);
  }

 private:
  const detail::NeighborGraph<Scalar>& graph() const { return built_->graph; }
  Index place(Index i) const { return built_->place[static_cast<std::size_t>(i)]; }

  Scalar distance(const Scalar* query, Index at) const {
    return std::sqrt(
        detail::squared_distance(query, graph().points.data() + at * dimension(), dimension()));
  }

  template <class Collector>
  void measure_all(const Scalar* query, Collector& collector) const {
    for (Index at = 0; at < size(); ++at)
      collector.offer(distance(query, at), built_->order[static_cast<std::size_t>(at)]);
  }

  static NeighborList<Scalar> exact_self(const BruteForceIndex<Scalar>& index, Index k,
                                         const Parallel& parallel, std::string_view caller) {
    return detail::collect_knn_self<Scalar>(
        caller, index, detail::OwnQueries<BruteForceIndex<Scalar>>{index}, k, parallel);
  }

  std::shared_ptr<const detail::BuiltGraph<Scalar>> built_;
};

/// Approximate neighbours, for sets so large that exact search dominates: points are compared
/// within the leaves of random trees and then with their neighbours' neighbours (NN-descent; Dong,
/// Charikar and Li 2011) until a random sample of 1000 points, searched exactly, shows that the
/// share of true neighbours found is at least `recall`. New points are looked up by walking on the
/// lists, with an effort measured in the same way. Distances are exact, in double for double data.
///
/// Never more approximate than asked for: where the sample does not reach `recall` with half of the
/// distances that an exact search evaluates, or there are fewer than 8192 points, the index is an
/// exact one (BruteForce) and says so: see measured_recall(), is_exact() and note(). Data without
/// any structure in dozens of dimensions end there.
///
///     unfurl::Isomap<double, unfurl::NnDescent> isomap(options, unfurl::NnDescent{0.99});
///
/// The same points, options and seed give the same bytes for every number of threads. Memory beside
/// the points: one copy of them and 16 n k bytes (double) while building; 4 n k bytes then.
struct NnDescent {
  /// The share of true neighbours to be found, in (0, 1]; 1 is an exact search.
  double recall = 0.99;
  /// Of the trees and of the sample.
  std::uint64_t seed = 0;

  /// The index over these points.
  /// \param points one a column.
  /// \param n_neighbors how many will be asked for. Questions for more are answered exactly,
  /// slowly. \param parallel the threads to build on; its progress callback may end the build.
  /// \throws DataError when there are no points or features, or entries are not finite or so large
  ///   that their squares overflow; ParameterError for the recall; SizeLimitError for 2^31 points.
  template <class Scalar>
  NnDescentIndex<Scalar> build(Matrix<Scalar> points, Index n_neighbors = 16,
                               const Parallel& parallel = Parallel()) const {
    detail::check_points("NnDescent", points);
    if (!(recall > 0 && recall <= 1))
      throw ParameterError(detail::text("NnDescent: recall must be in (0, 1], got ", recall));
    constexpr auto most = static_cast<Index>(std::numeric_limits<int>::max());
    if (points.cols() > most)
      throw SizeLimitError(detail::text("NnDescent: at most 2^31 - 1 points, got ", points.cols()),
                           static_cast<std::size_t>(points.cols()), static_cast<std::size_t>(most));
    return NnDescentIndex<Scalar>(
        detail::build_neighbor_graph(std::move(points), n_neighbors, recall, seed, parallel));
  }
};

}  // namespace unfurl
