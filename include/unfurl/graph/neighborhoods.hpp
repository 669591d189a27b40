#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/columns.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/bridge.hpp"
#include "unfurl/graph/disconnected.hpp"
#include "unfurl/graph/distance_matrix.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/neighbors/indexed_points.hpp"

/// What the estimators that work on a neighbourhood graph have in common: whose neighbours a point
/// is joined to, for training points and for new ones, and what happens when the graph falls apart.
namespace unfurl::detail {

/// The k nearest, or, if there is a radius, all within it.
struct NeighborRule {
  Index n_neighbors = 10;
  std::optional<double> radius = std::nullopt;

  bool valid() const {
    return n_neighbors >= 1 && (!radius || (*radius > 0 && std::isfinite(*radius)));
  }

  /// \throws ParameterError
  void check(std::string_view where, Index n_samples) const {
    if (radius && (!(*radius > 0) || std::isinf(*radius)))
      throw ParameterError(text(where, ": radius must be positive and finite, got ", *radius));
    if (n_neighbors < 1 || (!radius && n_neighbors >= n_samples))
      throw ParameterError(text(where, ": n_neighbors must be in [1, ", n_samples - 1, "], got ",
                                n_neighbors, " (n_samples = ", n_samples,
                                "). Expected n_neighbors < n_samples, but n_samples=", n_samples,
                                ", n_neighbors=", n_neighbors));
  }

  /// For the choice of a search, which has to know.
  Index typical_count(Index n_samples) const {
    return std::min(radius ? Index{16} : n_neighbors, n_samples - 1);
  }
};

/// The training points that new points (rows of X) are joined to; at least the nearest one.
template <class Scalar, class Search>
NeighborList<Scalar> neighbors_of_new(const IndexedPoints<Scalar, Search>& points,
                                      const ConstMatrixRef<Scalar>& X, const NeighborRule& rule,
                                      const Parallel& parallel, std::string_view where) {
  const Matrix<Scalar> queries = transposed(X);
  const Index k = std::min(rule.n_neighbors, points.size());
  if (!rule.radius) return knn_query(points.index(), queries, k, parallel, where);
  const auto within =
      radius_query(points.index(), queries, static_cast<Scalar>(*rule.radius), parallel, where);
  const auto nearest = knn_query(points.index(), queries, 1, parallel, where);
  std::vector<Index> counts;
  for (Index i = 0; i < within.size(); ++i) counts.push_back(std::max<Index>(1, within.count(i)));
  NeighborList<Scalar> list(counts);
  for (Index i = 0; i < list.size(); ++i) {
    const auto& from = within.count(i) > 0 ? within : nearest;
    std::copy_n(from.indices(i), list.count(i), list.indices(i));
    std::copy_n(from.distances(i), list.count(i), list.distances(i));
  }
  return list;
}

/// The same from the distances of new points (rows) to all training points (columns).
template <class Scalar>
NeighborList<Scalar> neighbors_of_new(const ConstMatrixRef<Scalar>& D, const NeighborRule& rule,
                                      const Parallel& parallel) {
  const Index n = D.cols(), k = std::min(rule.n_neighbors, n);
  std::vector<Index> counts(static_cast<std::size_t>(D.rows()), k);
  if (rule.radius)
    for (Index i = 0; i < D.rows(); ++i)
      counts[static_cast<std::size_t>(i)] =
          std::max<Index>(1, (D.row(i).array() <= static_cast<Scalar>(*rule.radius)).count());
  NeighborList<Scalar> list(counts);
  parallel.for_each(
      D.rows(),
      [&](Index i) {
        std::vector<std::pair<Scalar, int>> all;
        all.reserve(static_cast<std::size_t>(n));
        for (Index j = 0; j < n; ++j) all.emplace_back(D(i, j), static_cast<int>(j));
        std::partial_sort(all.begin(), all.begin() + list.count(i), all.end());
        for (Index e = 0; e < list.count(i); ++e) {
          list.indices(i)[e] = all[static_cast<std::size_t>(e)].second;
          list.distances(i)[e] = all[static_cast<std::size_t>(e)].first;
        }
      },
      16);
  return list;
}

/// Some rows of a matrix.
template <class Derived>
Matrix<typename Derived::Scalar> rows_of(const Eigen::MatrixBase<Derived>& X,
                                         const std::vector<Index>& rows) {
  Matrix<typename Derived::Scalar> chosen(static_cast<Index>(rows.size()), X.cols());
  for (Index i = 0; i < chosen.rows(); ++i)
    chosen.row(i) = X.row(rows[static_cast<std::size_t>(i)]);
  return chosen;
}

/// What a graph estimator starts from.
template <class Scalar, class Search>
struct Neighborhoods {
  NeighborRule rule = {};                     // for new points
  IndexedPoints<Scalar, Search> points = {};  // empty unless fitted on points
  NeighborList<Scalar> list = {};             // of the kept samples, bridges included
  Graph<Scalar> graph = {};
  std::vector<Index> kept = {};  // rows of the input that are vertices, ascending; empty: all
};

/// The lists of some samples, which name no others.
template <class Scalar>
NeighborList<Scalar> restricted(const NeighborList<Scalar>& list, const std::vector<Index>& kept) {
  std::vector<int> position(static_cast<std::size_t>(list.size()), -1);
  std::vector<Index> counts;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    position[static_cast<std::size_t>(kept[i])] = static_cast<int>(i);
    counts.push_back(list.count(kept[i]));
  }
  NeighborList<Scalar> part(counts);
  for (Index i = 0; i < part.size(); ++i) {
    const Index from = kept[static_cast<std::size_t>(i)];
    std::transform(list.indices(from), list.indices(from) + list.count(from), part.indices(i),
                   [&](int j) { return position[static_cast<std::size_t>(j)]; });
    std::copy_n(list.distances(from), list.count(from), part.distances(i));
  }
  return part;
}

/// The lists with some edges added at both ends.
template <class Scalar>
NeighborList<Scalar> extended(const NeighborList<Scalar>& list,
                              const std::vector<Edge<Scalar>>& edges) {
  std::vector<Index> counts;
  for (Index i = 0; i < list.size(); ++i) counts.push_back(list.count(i));
  for (const auto& edge : edges)
    for (const Index end : {edge.i, edge.j}) ++counts[static_cast<std::size_t>(end)];
  NeighborList<Scalar> longer(counts);
  for (Index i = 0; i < list.size(); ++i) {
    std::copy_n(list.indices(i), list.count(i), longer.indices(i));
    std::copy_n(list.distances(i), list.count(i), longer.distances(i));
    counts[static_cast<std::size_t>(i)] = list.count(i);
  }
  for (const auto& edge : edges)
    for (const auto& [from, to] : {std::pair(edge.i, edge.j), std::pair(edge.j, edge.i)}) {
      const Index slot = counts[static_cast<std::size_t>(from)]++;
      longer.indices(from)[slot] = static_cast<int>(to);
      longer.distances(from)[slot] = edge.length;
    }
  return longer;
}

/// Makes the undirected graph of the lists and applies the estimator's policy. What was found and
/// done goes into the report.
template <class Scalar, class Search, class Bridge>
void join_neighbors(Neighborhoods<Scalar, Search>& found, OnDisconnected policy, Run& run,
                    Bridge&& bridge) {
  run.stage("graph");
  const Index n = found.list.size();
  auto resolved = resolve_disconnected(
      run.name(), neighbor_graph(found.list, Symmetry::either, run.parallel(), run.name()), policy,
      bridge);
  FitReport& report = run.report();
  report.graph_components = resolved.n_components;
  if (!resolved.bridges.empty()) {
    found.list = extended(found.list, resolved.bridges);
    report.notes.push_back(text(resolved.bridges.size(),
                                " bridges join the components of the graph, the longest of length ",
                                resolved.bridges.back().length));
  }
  if (!resolved.kept.empty()) {
    found.list = restricted(found.list, resolved.kept);
    report.notes.push_back(text("only the largest component was embedded: ", resolved.kept.size(),
                                " of ", n, " samples, see kept_samples()"));
  }
  found.graph = std::move(resolved.graph);
  found.kept = std::move(resolved.kept);
}

/// The neighbourhood graph of points, the rows of X.
template <class Scalar, class Search>
Neighborhoods<Scalar, Search> neighborhoods_of_points(const ConstMatrixRef<Scalar>& X,
                                                      const NeighborRule& rule,
                                                      OnDisconnected policy, const Search& search,
                                                      Run& run) {
  run.stage("neighbors");
  const Index k = rule.typical_count(X.rows());
  Neighborhoods<Scalar, Search> found;
  found.rule = rule;
  found.points = {search, transposed(X), k, run.parallel()};
  found.points.add_note(run.report().notes);
  found.list = rule.radius ? found.points.within(static_cast<Scalar>(*rule.radius), run.parallel(),
                                                 run.name())
                           : found.points.nearest(rule.n_neighbors, run.parallel(), run.name());
  join_neighbors(found, policy, run, [&](Graph<Scalar>& graph) {
    return bridge_components(graph, found.points.index(), found.points.points(), run.parallel());
  });
  if (!found.kept.empty())
    found.points = {search, transposed(rows_of(X, found.kept)), k, run.parallel()};
  return found;
}

/// The same from a matrix of distances.
template <class Search, class Scalar>
Neighborhoods<Scalar, Search> neighborhoods_of_distances(const ConstMatrixRef<Scalar>& D,
                                                         const NeighborRule& rule,
                                                         OnDisconnected policy, Run& run) {
  run.stage("neighbors");
  Neighborhoods<Scalar, Search> found;
  found.rule = rule;
  found.list = rule.radius
                   ? radius_from_distances<Scalar>(D, static_cast<Scalar>(*rule.radius),
                                                   run.parallel(), run.name())
                   : knn_from_distances<Scalar>(D, rule.n_neighbors, run.parallel(), run.name());
  join_neighbors(found, policy, run, [&](Graph<Scalar>& graph) {
    return bridge_components(graph, Matrix<Scalar>(D), run.parallel());
  });
  return found;
}

/// The same from neighbour lists.
/// \throws ParameterError when components have to be bridged: lists do not tell how far they are
///   apart
template <class Search, class Scalar>
Neighborhoods<Scalar, Search> neighborhoods_of_lists(const NeighborList<Scalar>& list,
                                                     const NeighborRule& rule,
                                                     OnDisconnected policy, Run& run) {
  if (!rule.valid())
    throw ParameterError(text(run.name(),
                              ": n_neighbors, by which new points are placed, must be at least 1, "
                              "and radius positive and finite"));
  Neighborhoods<Scalar, Search> found;
  found.rule = rule;
  found.list = list;
  join_neighbors(found, policy, run, [&](Graph<Scalar>&) -> std::vector<Edge<Scalar>> {
    throw ParameterError(text(run.name(),
                              ": neighbour lists do not tell how far the components of the graph "
                              "are apart; use fit or fit_distances, or on_disconnected = "
                              "largest_component"));
  });
  return found;
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE NeighborList<float> neighbors_of_new(const IndexedPoints<float, AutoSearch>&,
                                                     const ConstMatrixRef<float>&,
                                                     const NeighborRule&, const Parallel&,
                                                     std::string_view);
UNFURL_TEMPLATE Neighborhoods<float, AutoSearch> neighborhoods_of_points(
    const ConstMatrixRef<float>&, const NeighborRule&, OnDisconnected, const AutoSearch&, Run&);
UNFURL_TEMPLATE Neighborhoods<float, AutoSearch> neighborhoods_of_distances<AutoSearch>(
    const ConstMatrixRef<float>&, const NeighborRule&, OnDisconnected, Run&);
UNFURL_TEMPLATE Neighborhoods<float, AutoSearch> neighborhoods_of_lists<AutoSearch>(
    const NeighborList<float>&, const NeighborRule&, OnDisconnected, Run&);
UNFURL_TEMPLATE NeighborList<double> neighbors_of_new(const IndexedPoints<double, AutoSearch>&,
                                                      const ConstMatrixRef<double>&,
                                                      const NeighborRule&, const Parallel&,
                                                      std::string_view);
UNFURL_TEMPLATE Neighborhoods<double, AutoSearch> neighborhoods_of_points(
    const ConstMatrixRef<double>&, const NeighborRule&, OnDisconnected, const AutoSearch&, Run&);
UNFURL_TEMPLATE Neighborhoods<double, AutoSearch> neighborhoods_of_distances<AutoSearch>(
    const ConstMatrixRef<double>&, const NeighborRule&, OnDisconnected, Run&);
UNFURL_TEMPLATE Neighborhoods<double, AutoSearch> neighborhoods_of_lists<AutoSearch>(
    const NeighborList<double>&, const NeighborRule&, OnDisconnected, Run&);
#endif

}  // namespace unfurl::detail
