#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/neighbors/box_tree.hpp"
#include "unfurl/neighbors/brute_force.hpp"
#include "unfurl/neighbors/kd_tree.hpp"
#include "unfurl/neighbors/requirements.hpp"

namespace unfurl {

/// Which search AutoSearch uses.
/// `automatic`: the fastest one on these points. `kd_tree`: KdTree. `brute_force`: BruteForce.
/// `box_tree`: BoxTree, which takes at most 7 features.
enum class SearchMethod { automatic, kd_tree, brute_force, box_tree };

/// What AutoSearch::build makes: one of the exact searches, and why.
template <class Scalar>
class AutoIndex {
 public:
  /// One of these.
  using Chosen = std::variant<KdTreeIndex<Scalar>, BruteForceIndex<Scalar>, BoxTreeIndex<Scalar>>;

  /// Takes over an index, with why it was chosen.
  AutoIndex(Chosen index, std::string reason)
      : index_(std::move(index)), reason_(std::move(reason)) {}

  /// Number of points.
  Index size() const {
    return visit([](const auto& i) { return i.size(); });
  }
  /// Number of coordinates of a point.
  Index dimension() const {
    return visit([](const auto& i) { return i.dimension(); });
  }
  /// Coordinates of point i.
  const Scalar* point(Index i) const {
    return visit([&](const auto& index) { return index.point(i); });
  }
  /// One point a column, in the order in which they were given.
  Matrix<Scalar> points() const {
    return visit([](const auto& i) { return Matrix<Scalar>(i.points()); });
  }
  /// The step-th point in the fastest order to ask about them.
  Index visit_order(Index step) const {
    return visit([&](const auto& index) {
      if constexpr (detail::HasVisitOrder<std::decay_t<decltype(index)>>::value)
        return index.visit_order(step);
      else
        return step;
    });
  }
  /// The fastest order to ask queries in, which lie one after the other in memory. Empty: as they
  /// are.
  std::vector<Index> query_order(const Scalar* queries, Index n_queries,
                                 const Parallel& parallel) const {
    const auto* boxes = std::get_if<BoxTreeIndex<Scalar>>(&index_);
    return boxes ? boxes->query_order(queries, n_queries, parallel) : std::vector<Index>();
  }

  /// The method chosen.
  SearchMethod method() const {
    constexpr SearchMethod methods[] = {SearchMethod::kd_tree, SearchMethod::brute_force,
                                        SearchMethod::box_tree};
    return methods[index_.index()];
  }
  /// E.g. "kd-tree: a query meets about 310 of 70000 points".
  const std::string& reason() const { return reason_; }

  /// The k points nearest to the query: true distances, ascending, ties by index.
  void knn(const Scalar* query, Index k, Index* indices, Scalar* distances) const {
    visit([&](const auto& i) { i.knn(query, k, indices, distances); });
  }

  /// `knn` of several queries, one after the other in memory, each with k results.
  void knn_batch(const Scalar* queries, Index n_queries, Index k, Index* indices,
                 Scalar* distances) const {
    visit([&](const auto& index) {
      if constexpr (detail::HasKnnBatch<std::decay_t<decltype(index)>, Scalar>::value)
        index.knn_batch(queries, n_queries, k, indices, distances);
      else
        for (Index q = 0; q < n_queries; ++q)
          index.knn(queries + q * dimension(), k, indices + q * k, distances + q * k);
    });
  }

  /// The points whose true distance is at most r, in the same order.
  void radius(const Scalar* query, Scalar r, std::vector<Index>& indices,
              std::vector<Scalar>& distances) const {
    visit([&](const auto& i) { i.radius(query, r, indices, distances); });
  }

  /// `radius` of several queries, one after the other in memory, each with its own result.
  void radius_batch(const Scalar* queries, Index n_queries, Scalar r, std::vector<Index>* indices,
                    std::vector<Scalar>* distances) const {
    if (const auto* all = std::get_if<BruteForceIndex<Scalar>>(&index_))
      return all->radius_batch(queries, n_queries, r, indices, distances);
    for (Index q = 0; q < n_queries; ++q)
      radius(queries + q * dimension(), r, indices[q], distances[q]);
  }

  /// The nearest point at most `bound` away for which `accept(index)` holds; false if there is
  /// none.
  template <class Accept>
  bool nearest_if(const Scalar* query, Accept&& accept, Scalar bound, Index& index,
                  Scalar& distance) const {
    return visit(
        [&](const auto& i) { return i.nearest_if(query, accept, bound, index, distance); });
  }

 private:
  template <class Use>
  decltype(auto) visit(Use&& use) const {
    return std::visit(std::forward<Use>(use), index_);
  }

  Chosen index_;
  std::string reason_;
};

/// The default search: exact, by boxes, by a kd-tree or by matrix products, whichever is fastest on
/// these points. The dimension of the space does not decide it: points of 50 coordinates on a 2-D
/// sheet are a tree's case, points that fill 15 dimensions are not. So unless there are few points
/// a tree is built (of boxes for up to 7 features, else a kd-tree) and asked for the neighbours of
/// a few dozen of them, and the distances it evaluates are counted: no clock, so the choice is the
/// same every time.
struct AutoSearch {
  SearchMethod method = SearchMethod::automatic;  ///< `automatic` unless you know better
  /// Most points in a leaf of the kd-tree.
  Index leaf_size = KdTree{}.leaf_size;

  /// The index over these points, by whichever search is fastest.
  /// \param points one a column.
  /// \param n_neighbors how many will be asked for, as far as is known.
  /// \param parallel the threads to build on
  template <class Scalar>
  AutoIndex<Scalar> build(Matrix<Scalar> points, Index n_neighbors = 16,
                          const Parallel& parallel = Parallel()) const;

  /// Up to so many, brute force.
  static constexpr Index few_points = 256;

  /// The cost of a query for k neighbours on one core, measured (benchmarks/NEIGHBORS.md): a fixed
  /// part, and a part for each point met in the tree, or for each point at all in the matrix
  /// product. Only the ratios matter, and they hardly change with the instruction set.
  struct Cost {
    double a_query,  ///< nanoseconds
        a_point;     ///< the same, for each point
    /// Of a query that is compared with so many points.
    constexpr double of(double points) const { return a_query + points * a_point; }
  };
  /// Of a kd-tree, by the points that it compares with the query.
  static constexpr Cost tree_cost(Index d, Index k, std::size_t scalar_bytes) {
    return {500.0 + 60.0 * static_cast<double>(k),
            10 + 0.02 * static_cast<double>(d) * static_cast<double>(scalar_bytes)};
  }
  /// Of boxes, by the points that a query alone would be compared with.
  static constexpr Cost box_cost(Index k, std::size_t scalar_bytes) {
    return {100.0 + 30.0 * static_cast<double>(k), 4 + 0.4 * static_cast<double>(scalar_bytes)};
  }
  /// Of matrix products, by the points there are.
  static constexpr Cost product_cost(Index d, Index k) {
    return {2600.0 + 160.0 * static_cast<double>(k),
            0.2 + 0.021 * static_cast<double>(d) + 0.012 * static_cast<double>(k)};
  }

 private:
  static constexpr Index n_probes = 32;

  /// Mean number of distances evaluated for evenly spaced points of the data.
  template <class Tree>
  static double points_met(Tree& tree, Index k) {
    const Index n = tree.size(), probes = std::min(n_probes, n);
    double evaluations = 0;
    for (Index i = 0; i < probes; ++i) {
      const Index query = (2 * i + 1) * n / (2 * probes);
      evaluations += static_cast<double>(tree.count_evaluations(tree.point(query), k));
    }
    return evaluations / static_cast<double>(probes);
  }
};

template <class Scalar>
AutoIndex<Scalar> AutoSearch::build(Matrix<Scalar> points, Index n_neighbors,
                                    const Parallel& parallel) const {
  using detail::text;
  auto shared = std::make_shared<const Matrix<Scalar>>(std::move(points));
  const Index d = shared->rows(), n = shared->cols();
  const auto boxes = [&] { return BoxTree{}.build<Scalar>(*shared, n_neighbors, parallel); };
  const auto tree = [&] { return KdTree{leaf_size}.build<Scalar>(*shared); };
  const auto all_pairs = [&] { return BruteForce{}.build<Scalar>(shared); };

  if (method == SearchMethod::box_tree) return {boxes(), "box tree: as asked for"};
  if (method == SearchMethod::kd_tree) return {tree(), "kd-tree: as asked for"};
  if (method == SearchMethod::brute_force) return {all_pairs(), "brute force: as asked for"};
  if (n <= few_points) return {all_pairs(), text("brute force: only ", n, " points")};

  const Index k = std::clamp<Index>(n_neighbors + 1, 1, n);
  const double all_cost = product_cost(d, k).of(static_cast<double>(n));
  const auto choose = [&](const char* name, auto candidate, const Cost& cost) -> AutoIndex<Scalar> {
    const double met = points_met(candidate, k);
    const auto shown = static_cast<Index>(std::llround(met));
    if (cost.of(met) <= all_cost)
      return {std::move(candidate),
              text(name, ": a query meets about ", shown, " of ", n, " points")};
    return {all_pairs(), text("brute force: a ", name, "'s query would meet about ", shown, " of ",
                              n, " points")};
  };
  if (d <= BoxTree::most_features) return choose("box tree", boxes(), box_cost(k, sizeof(Scalar)));
  return choose("kd-tree", tree(), tree_cost(d, k, sizeof(Scalar)));
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE AutoIndex<float> AutoSearch::build(Matrix<float>, Index, const Parallel&) const;
UNFURL_TEMPLATE AutoIndex<double> AutoSearch::build(Matrix<double>, Index, const Parallel&) const;
#endif

}  // namespace unfurl
