#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "unfurl/core/text.hpp"
#include "unfurl/neighbors/brute_force.hpp"
#include "unfurl/neighbors/kd_tree.hpp"

namespace unfurl {

/// Which search AutoSearch uses.
/// `automatic`: the faster one on these points. `kd_tree`: KdTree. `brute_force`: BruteForce.
enum class SearchMethod { automatic, kd_tree, brute_force };

/// What AutoSearch::build makes: one of the two exact searches, and why.
template <class Scalar>
class AutoIndex {
 public:
  /// Takes over a kd-tree, with why it was chosen.
  AutoIndex(KdTreeIndex<Scalar> index, std::string reason)
      : index_(std::move(index)), reason_(std::move(reason)) {}
  /// Takes over a brute-force index, with why it was chosen.
  AutoIndex(BruteForceIndex<Scalar> index, std::string reason)
      : index_(std::move(index)), reason_(std::move(reason)) {}

  /// Number of points.
  Index size() const {
    return std::visit([](const auto& i) { return i.size(); }, index_);
  }
  /// Number of coordinates of a point.
  Index dimension() const {
    return std::visit([](const auto& i) { return i.dimension(); }, index_);
  }
  /// Coordinates of point i.
  const Scalar* point(Index i) const {
    return std::visit([&](const auto& index) { return index.point(i); }, index_);
  }
  /// One point a column, in the order in which they were given.
  Matrix<Scalar> points() const {
    return std::visit([](const auto& i) { return Matrix<Scalar>(i.points()); }, index_);
  }
  /// The step-th point in the fastest order to ask about them.
  Index visit_order(Index step) const {
    const auto* tree = std::get_if<KdTreeIndex<Scalar>>(&index_);
    return tree ? tree->visit_order(step) : step;
  }

  /// The method chosen.
  SearchMethod method() const {
    return std::holds_alternative<KdTreeIndex<Scalar>>(index_) ? SearchMethod::kd_tree
                                                               : SearchMethod::brute_force;
  }
  /// E.g. "kd-tree: a query meets about 310 of 70000 points".
  const std::string& reason() const { return reason_; }

  /// The k points nearest to the query: true distances, ascending, ties by index.
  void knn(const Scalar* query, Index k, Index* indices, Scalar* distances) const {
    std::visit([&](const auto& i) { i.knn(query, k, indices, distances); }, index_);
  }

  /// `knn` of several queries, one after the other in memory, each with k results.
  void knn_batch(const Scalar* queries, Index n_queries, Index k, Index* indices,
                 Scalar* distances) const {
    if (const auto* all = std::get_if<BruteForceIndex<Scalar>>(&index_))
      return all->knn_batch(queries, n_queries, k, indices, distances);
    for (Index q = 0; q < n_queries; ++q)
      knn(queries + q * dimension(), k, indices + q * k, distances + q * k);
  }

  /// The points whose true distance is at most r, in the same order.
  void radius(const Scalar* query, Scalar r, std::vector<Index>& indices,
              std::vector<Scalar>& distances) const {
    std::visit([&](const auto& i) { i.radius(query, r, indices, distances); }, index_);
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
    return std::visit(
        [&](const auto& i) { return i.nearest_if(query, accept, bound, index, distance); }, index_);
  }

 private:
  std::variant<KdTreeIndex<Scalar>, BruteForceIndex<Scalar>> index_;
  std::string reason_;
};

/// The default search: exact, by a kd-tree or by matrix products, whichever is faster on these
/// points. The dimension of the space does not decide it: points of 50 coordinates on a 2-D sheet
/// are a tree's case, points that fill 15 dimensions are not. So beyond a few simple cases the tree
/// is built and asked for the neighbours of a few dozen points, and the distances it evaluates are
/// counted: no clock, so the choice is the same every time.
struct AutoSearch {
  SearchMethod method = SearchMethod::automatic;  ///< `automatic` unless you know better
  /// Most points in a leaf of the tree.
  Index leaf_size = KdTree{}.leaf_size;

  /// The index over these points, by whichever search is faster.
  /// \param points one a column.
  /// \param n_neighbors how many will be asked for, as far as is known.
  template <class Scalar>
  AutoIndex<Scalar> build(Matrix<Scalar> points, Index n_neighbors = 16) const;

  /// Up to these the answer needs no probe.
  static constexpr Index few_points = 256,  ///< up to so many, brute force
      few_features = 3;                     ///< up to so many, a kd-tree

  /// The cost of a query on one core, measured (benchmarks/NEIGHBORS.md): a fixed part, and a part
  /// for each point met in the tree, or for each point at all in the matrix product. Only the
  /// ratios matter, and they hardly change with the instruction set.
  static constexpr double tree_nanoseconds_a_query() { return 2500; }
  /// For each point that the tree compares with the query.
  static constexpr double tree_nanoseconds_a_point(Index d, std::size_t scalar_bytes) {
    return 16 + 0.05 * static_cast<double>(d) * static_cast<double>(scalar_bytes);
  }
  /// The fixed part of a query by matrix products.
  static constexpr double product_nanoseconds_a_query() { return 5000; }
  /// For each point of the set, by matrix products.
  static constexpr double product_nanoseconds_a_point(Index d) {
    return 0.9 + 0.045 * static_cast<double>(d);
  }

 private:
  static constexpr Index n_probes = 32;

  /// Mean number of distances evaluated for evenly spaced points of the data.
  template <class Scalar>
  static double points_met(KdTreeIndex<Scalar>& tree, Index k) {
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
AutoIndex<Scalar> AutoSearch::build(Matrix<Scalar> points, Index n_neighbors) const {
  using detail::text;
  auto shared = std::make_shared<const Matrix<Scalar>>(std::move(points));
  const Index d = shared->rows(), n = shared->cols();
  const auto tree = [&] { return KdTree{leaf_size}.build<Scalar>(*shared); };
  const auto all_pairs = [&] { return BruteForce{}.build<Scalar>(shared); };

  if (method == SearchMethod::kd_tree) return {tree(), "kd-tree: as asked for"};
  if (method == SearchMethod::brute_force) return {all_pairs(), "brute force: as asked for"};
  if (n <= few_points) return {all_pairs(), text("brute force: only ", n, " points")};
  if (d <= few_features) return {tree(), text("kd-tree: only ", d, " features")};

  KdTreeIndex<Scalar> candidate = tree();
  const double met = points_met(candidate, std::clamp<Index>(n_neighbors + 1, 1, n));
  const double tree_cost =
      tree_nanoseconds_a_query() + met * tree_nanoseconds_a_point(d, sizeof(Scalar));
  const double product_cost =
      product_nanoseconds_a_query() + static_cast<double>(n) * product_nanoseconds_a_point(d);
  const auto shown = static_cast<Index>(std::llround(met));
  if (tree_cost <= product_cost)
    return {std::move(candidate),
            text("kd-tree: a query meets about ", shown, " of ", n, " points")};
  return {all_pairs(),
          text("brute force: a kd-tree's query would meet about ", shown, " of ", n, " points")};
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE AutoIndex<float> AutoSearch::build(Matrix<float>, Index) const;
UNFURL_TEMPLATE AutoIndex<double> AutoSearch::build(Matrix<double>, Index) const;
#endif

}  // namespace unfurl
