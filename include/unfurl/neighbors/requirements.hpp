#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

/// What a neighbour search has to offer. A search is a small object holding options; building it on
/// points gives an index, which answers queries. Here points are columns (d x n), so that a point
/// is contiguous.
///
/// Search:
///
///     auto build(Matrix<S> points) const;             an index that owns what it needs
///     auto build(Matrix<S> points, Index k) const;    optional: k neighbours will be asked for
///     auto build(Matrix<S> points, Index k, const Parallel& parallel) const;
///                                                     optional: the same, on these threads
///
/// Index (movable; const members may be called from many threads at once):
///
///     Index size() const;                             number of points
///     Index dimension() const;                        their dimension
///     void knn(const S* query, Index k, Index* indices, S* distances) const;
///         exactly k results, k <= size(): true distances (not squared), ascending, ties by lowest
///         index
///     void radius(const S* query, S r, std::vector<Index>& indices,
///                 std::vector<S>& distances) const;
///         all points with distance <= r, in the same order, replacing what the vectors held
///     const S* point(Index i) const;                  optional: spares a copy of the points
///     Index visit_order(Index step) const;            optional: a permutation, the fastest order
///                                                     to ask about the points themselves
///     std::vector<Index> query_order(const S* queries, Index n_queries,
///                                    const Parallel& parallel) const;
///                                                     optional: the fastest order to ask other
///                                                     queries in; empty: as they are
///     void knn_batch(const S* queries, Index n_queries, Index k, Index* indices,
///                    S* distances) const;             optional: used when it exists; queries one
///                                                     after the other, k results each
///     void radius_batch(const S* queries, Index n_queries, S r, std::vector<Index>* indices,
///                       std::vector<S>* distances) const;    optional, the same
///     NeighborList<S> knn_self(Index k, const Parallel& parallel, std::string_view caller) const;
///                                                     optional: the k nearest of the others for
///                                                     every point, if the index knows them
///     std::string note() const;                       optional: a sentence on how it searches, for
///                                                     the report of a fit; an approximate search
///                                                     says so here
///
/// A search of your own, wrapping a library's tree (examples/own_neighbor_search.cpp is complete):
///
///     template <class S> struct MyIndex {
///       Matrix<S> points;
///       Index size() const { return points.cols(); }
///       Index dimension() const { return points.rows(); }
///       void knn(const S* query, Index k, Index* indices, S* distances) const { … }
///       void radius(const S* query, S r, std::vector<Index>& indices,
///                   std::vector<S>& distances) const { … }
///     };
///     struct MySearch {
///       template <class S> MyIndex<S> build(Matrix<S> points) const { return {std::move(points)};
///       }
///     };
///     unfurl::NeighborList<double> list = unfurl::knn(X, 10, MySearch{});
namespace unfurl {

namespace detail {

template <class Index_, class Scalar, class = void>
struct IsNeighborIndex : std::false_type {};

template <class Index_, class Scalar>
struct IsNeighborIndex<
    Index_, Scalar,
    std::void_t<decltype(static_cast<Index>(std::declval<const Index_&>().size())),
                decltype(static_cast<Index>(std::declval<const Index_&>().dimension())),
                decltype(std::declval<const Index_&>().knn(std::declval<const Scalar*>(), Index{},
                                                           std::declval<Index*>(),
                                                           std::declval<Scalar*>())),
                decltype(std::declval<const Index_&>().radius(
                    std::declval<const Scalar*>(), Scalar{}, std::declval<std::vector<Index>&>(),
                    std::declval<std::vector<Scalar>&>()))>> : std::is_move_constructible<Index_> {
};

template <class Search, class Scalar, class = void>
struct IsNeighborSearch : std::false_type {};

template <class Search, class Scalar>
struct IsNeighborSearch<
    Search, Scalar,
    std::void_t<decltype(std::declval<const Search&>().build(std::declval<Matrix<Scalar>>()))>>
    : IsNeighborIndex<std::decay_t<decltype(std::declval<const Search&>().build(
                          std::declval<Matrix<Scalar>>()))>,
                      Scalar> {};

template <class Search, class Scalar, class = void>
struct BuildsForK : std::false_type {};
template <class Search, class Scalar>
struct BuildsForK<Search, Scalar,
                  std::void_t<decltype(std::declval<const Search&>().build(
                      std::declval<Matrix<Scalar>>(), Index{}))>> : std::true_type {};

template <class Search, class Scalar, class = void>
struct BuildsInParallel : std::false_type {};
template <class Search, class Scalar>
struct BuildsInParallel<
    Search, Scalar,
    std::void_t<decltype(std::declval<const Search&>().build(
        std::declval<Matrix<Scalar>>(), Index{}, std::declval<const Parallel&>()))>>
    : std::true_type {};

template <class Index_, class = void>
struct HasKnnSelf : std::false_type {};
template <class Index_>
struct HasKnnSelf<Index_, std::void_t<decltype(std::declval<const Index_&>().knn_self(
                              Index{}, std::declval<const Parallel&>(), std::string_view{}))>>
    : std::true_type {};

template <class Index_, class = void>
struct HasNote : std::false_type {};
template <class Index_>
struct HasNote<Index_, std::void_t<decltype(std::string(std::declval<const Index_&>().note()))>>
    : std::true_type {};

template <class Index_, class Scalar, class = void>
struct HasPoint : std::false_type {};
template <class Index_, class Scalar>
struct HasPoint<Index_, Scalar, std::void_t<decltype(std::declval<const Index_&>().point(Index{}))>>
    : std::is_same<decltype(std::declval<const Index_&>().point(Index{})), const Scalar*> {};

template <class Index_, class = void>
struct HasVisitOrder : std::false_type {};
template <class Index_>
struct HasVisitOrder<Index_,
                     std::void_t<decltype(std::declval<const Index_&>().visit_order(Index{}))>>
    : std::true_type {};

template <class Index_, class Scalar, class = void>
struct HasQueryOrder : std::false_type {};
template <class Index_, class Scalar>
struct HasQueryOrder<
    Index_, Scalar,
    std::void_t<decltype(std::vector<Index>(std::declval<const Index_&>().query_order(
        std::declval<const Scalar*>(), Index{}, std::declval<const Parallel&>())))>>
    : std::true_type {};

template <class Index_, class Scalar, class = void>
struct HasKnnBatch : std::false_type {};
template <class Index_, class Scalar>
struct HasKnnBatch<Index_, Scalar,
                   std::void_t<decltype(std::declval<const Index_&>().knn_batch(
                       std::declval<const Scalar*>(), Index{}, Index{}, std::declval<Index*>(),
                       std::declval<Scalar*>()))>> : std::true_type {};

template <class Index_, class Scalar, class = void>
struct HasRadiusBatch : std::false_type {};
template <class Index_, class Scalar>
struct HasRadiusBatch<
    Index_, Scalar,
    std::void_t<decltype(std::declval<const Index_&>().radius_batch(
        std::declval<const Scalar*>(), Index{}, Scalar{}, std::declval<std::vector<Index>*>(),
        std::declval<std::vector<Scalar>*>()))>> : std::true_type {};

}  // namespace detail

/// The index has size, dimension, knn and radius as listed above.
template <class NeighborIndex, class Scalar>
inline constexpr bool is_neighbor_index_v = detail::IsNeighborIndex<NeighborIndex, Scalar>::value;

/// The search builds such an index.
template <class Search, class Scalar>
inline constexpr bool is_neighbor_search_v = detail::IsNeighborSearch<Search, Scalar>::value;

/// The type of index a search builds.
template <class Search, class Scalar>
using NeighborIndexOf =
    std::decay_t<decltype(std::declval<const Search&>().build(std::declval<Matrix<Scalar>>()))>;

}  // namespace unfurl
