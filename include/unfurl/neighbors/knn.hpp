#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "unfurl/core/check.hpp"
#include "unfurl/core/columns.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/neighbors/ask_index.hpp"
#include "unfurl/neighbors/auto_search.hpp"
#include "unfurl/neighbors/check_points.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"
#include "unfurl/neighbors/requirements.hpp"

namespace unfurl {

/// The index of a search over points (one a column), built for k neighbours if the search wants to
/// know, and on these threads if it can use them.
template <class Search, class Scalar>
NeighborIndexOf<Search, Scalar> build_index(const Search& search, Matrix<Scalar> points, Index k,
                                            const Parallel& parallel = Parallel()) {
  static_assert(
      is_neighbor_search_v<Search, Scalar>,
      "this is not a neighbour search: it needs `build(Matrix<Scalar>) const` giving an "
      "index with size, dimension, knn and radius; see unfurl/neighbors/requirements.hpp");
  if constexpr (detail::BuildsInParallel<Search, Scalar>::value)
    return search.build(std::move(points), k, parallel);
  else if constexpr (detail::BuildsForK<Search, Scalar>::value)
    return search.build(std::move(points), k);
  else
    return search.build(std::move(points));
}

/// The k nearest neighbours of every point of an index among the others. A point is left out of its
/// own list by its index, so duplicates are neighbours of each other at distance 0.
///
/// \param index any neighbour index; see neighbors/requirements.hpp
/// \param points those the index was built on, in the same order, one a column. An index that shows
///   its points (member `point`), as the library's own do, needs no points here.
/// \param k number of neighbours of each point.
/// \param parallel the threads to search on.
/// \param caller begins the text of an error: pass the estimator's name.
/// \throws ParameterError unless 1 <= k <= n - 1; DataError when the search returns nonsense;
///   DimensionError when the points cannot be those of the index; SizeLimitError above 2^31 - 1.
template <class NeighborIndex, class Scalar>
NeighborList<Scalar> knn_self(const NeighborIndex& index, const Matrix<Scalar>& points, Index k,
                              const Parallel& parallel = Parallel(),
                              std::string_view caller = "knn") {
  detail::check_index<Scalar>(caller, index);
  detail::check_own_points(caller, index, points);
  detail::check_n_neighbors(caller, k, index.size() - 1, index.size());
  if constexpr (detail::HasKnnSelf<NeighborIndex>::value)
    return index.knn_self(k, parallel, caller);
  else
    return detail::collect_knn_self<Scalar>(caller, index, detail::ColumnQueries<Scalar>{points}, k,
                                            parallel);
}

/// The same for an index that shows its points.
template <class NeighborIndex>
auto knn_self(const NeighborIndex& index, Index k, const Parallel& parallel = Parallel(),
              std::string_view caller = "knn") {
  using Scalar = std::decay_t<decltype(*index.point(0))>;
  detail::check_index<Scalar>(caller, index);
  detail::check_n_neighbors(caller, k, index.size() - 1, index.size());
  if constexpr (detail::HasKnnSelf<NeighborIndex>::value)
    return index.knn_self(k, parallel, caller);
  else
    return detail::collect_knn_self<Scalar>(caller, index, detail::OwnQueries<NeighborIndex>{index},
                                            k, parallel);
}

/// The k points of the index nearest to each query (one a column). Nothing is left out.
/// \throws ParameterError unless 1 <= k <= index.size(); DimensionError, DataError for the queries.
template <class NeighborIndex, class Scalar>
NeighborList<Scalar> knn_query(const NeighborIndex& index, const Matrix<Scalar>& queries, Index k,
                               const Parallel& parallel = Parallel(),
                               std::string_view caller = "knn") {
  detail::check_index<Scalar>(caller, index);
  detail::check_n_neighbors(caller, k, index.size(), index.size());
  detail::check_queries(caller, queries, index.dimension());
  NeighborList<Scalar> list(queries.cols(), k);
  detail::for_each_knn<Scalar>(caller, index, detail::ColumnQueries<Scalar>{queries}, false, k,
                               parallel,
                               [&](Index i, const Index* indices, const Scalar* distances) {
                                 std::transform(indices, indices + k, list.indices(i),
                                                [](Index j) { return static_cast<int>(j); });
                                 std::copy(distances, distances + k, list.distances(i));
                               });
  return list;
}

/// The other points at most r away from every point of an index (true distance, inclusive); points
/// as for knn_self.
/// \throws ParameterError unless r is positive and finite; DataError when the search returns
///   nonsense.
template <class NeighborIndex, class Scalar>
NeighborList<Scalar> radius_self(const NeighborIndex& index, const Matrix<Scalar>& points,
                                 std::common_type_t<Scalar> r,
                                 const Parallel& parallel = Parallel(),
                                 std::string_view caller = "radius_neighbors") {
  detail::check_index<Scalar>(caller, index);
  detail::check_radius(caller, r);
  detail::check_own_points(caller, index, points);
  return detail::collect_radius<Scalar>(caller, index, detail::ColumnQueries<Scalar>{points}, true,
                                        r, parallel);
}

/// The same for an index that shows its points.
template <class NeighborIndex, class Scalar>
NeighborList<Scalar> radius_self(const NeighborIndex& index, Scalar r,
                                 const Parallel& parallel = Parallel(),
                                 std::string_view caller = "radius_neighbors") {
  detail::check_index<Scalar>(caller, index);
  detail::check_radius(caller, r);
  return detail::collect_radius<Scalar>(caller, index, detail::OwnQueries<NeighborIndex>{index},
                                        true, r, parallel);
}

/// The points of the index at most r away from each query (one a column).
template <class NeighborIndex, class Scalar>
NeighborList<Scalar> radius_query(const NeighborIndex& index, const Matrix<Scalar>& queries,
                                  std::common_type_t<Scalar> r,
                                  const Parallel& parallel = Parallel(),
                                  std::string_view caller = "radius_neighbors") {
  detail::check_index<Scalar>(caller, index);
  detail::check_radius(caller, r);
  detail::check_queries(caller, queries, index.dimension());
  return detail::collect_radius<Scalar>(caller, index, detail::ColumnQueries<Scalar>{queries},
                                        false, r, parallel);
}

/// The k nearest neighbours of every row of X among the other rows.
///
///     unfurl::NeighborList<double> list = unfurl::knn(X, 10);                  // X: n x d
///     unfurl::NeighborList<double> same = unfurl::knn(X, 10, unfurl::KdTree{});
///
/// \throws DataError for fewer than 2 samples, 0 features, NaN, Inf, or magnitudes whose squares
///   overflow; ParameterError unless 1 <= k <= n_samples - 1.
template <class Derived, class Search = AutoSearch>
NeighborList<typename Derived::Scalar> knn(const Eigen::MatrixBase<Derived>& X, Index n_neighbors,
                                           const Search& search = Search(),
                                           const Parallel& parallel = Parallel()) {
  using Scalar = typename Derived::Scalar;
  const ConstMatrixRef<Scalar> rows(X.derived());
  detail::check_samples<Scalar>("knn", rows, parallel);
  detail::check_n_neighbors("knn", n_neighbors, rows.rows() - 1, rows.rows());
  Matrix<Scalar> points = detail::transposed(rows);
  if constexpr (detail::HasPoint<NeighborIndexOf<Search, Scalar>, Scalar>::value) {
    return knn_self(build_index(search, std::move(points), n_neighbors, parallel), n_neighbors,
                    parallel);
  } else {
    const auto index = build_index(search, points, n_neighbors, parallel);
    return knn_self(index, points, n_neighbors, parallel);
  }
}

/// The other rows at most r away from every row of X (true distance, inclusive).
/// \throws as knn; ParameterError unless r is positive and finite.
template <class Derived, class Search = AutoSearch>
NeighborList<typename Derived::Scalar> radius_neighbors(const Eigen::MatrixBase<Derived>& X,
                                                        typename Derived::Scalar r,
                                                        const Search& search = Search(),
                                                        const Parallel& parallel = Parallel()) {
  using Scalar = typename Derived::Scalar;
  const ConstMatrixRef<Scalar> rows(X.derived());
  detail::check_samples<Scalar>("radius_neighbors", rows, parallel);
  detail::check_radius("radius_neighbors", r);
  const Matrix<Scalar> points = detail::transposed(rows);
  const Index typical = std::min<Index>(16, points.cols() - 1);  // r does not tell how many
  return radius_self(build_index(search, points, typical, parallel), points, r, parallel);
}

}  // namespace unfurl
