#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/neighbors/check_points.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"
#include "unfurl/neighbors/requirements.hpp"

/// Many queries to one index, in parallel, with what comes back checked. knn.hpp is the interface.
namespace unfurl::detail {

/// A search may be the user's own: what it returns is checked before anything is built on it.
template <class Scalar>
void check_found(std::string_view caller, Index query, Index n_points, Index count,
                 const Index* indices, const Scalar* distances) {
  for (Index j = 0; j < count; ++j) {
    if (!(distances[j] >= 0 && std::isfinite(distances[j])))
      throw DataError(text(caller, ": the neighbour search returned the distance ", distances[j],
                           " for point ", query,
                           ". All distances must be finite and non-negative: check its metric"));
    if (indices[j] < 0 || indices[j] >= n_points)
      throw DataError(text(caller, ": the neighbour search returned the index ", indices[j],
                           " for point ", query, ", or too few neighbours; indices must be in [0, ",
                           n_points - 1, "]"));
    if (j > 0 && distances[j] < distances[j - 1])
      throw DataError(text(caller, ": the neighbour search returned distances that do not ascend (",
                           distances[j - 1], " before ", distances[j], ") for point ", query));
  }
}

/// The columns of a matrix as queries: number i is the `dimension()` numbers at `at(i)`.
template <class Scalar>
struct ColumnQueries {
  const Matrix<Scalar>& points;
  Index size() const { return points.cols(); }
  Index dimension() const { return points.rows(); }
  const Scalar* at(Index i) const { return points.data() + i * points.rows(); }
};

/// The points of an index as queries to itself.
template <class NeighborIndex>
struct OwnQueries {
  const NeighborIndex& index;
  Index size() const { return index.size(); }
  Index dimension() const { return index.dimension(); }
  auto at(Index i) const { return index.point(i); }
};

/// The order in which queries are asked: the one that the index likes best.
template <class Scalar, class NeighborIndex>
class QueryOrder {
 public:
  /// \param self the queries are the points of the index
  template <class Queries>
  QueryOrder(const NeighborIndex& index, const Queries& queries, bool self,
             const Parallel& parallel)
      : index_(index), self_(self) {
    if constexpr (HasQueryOrder<NeighborIndex, Scalar>::value)
      if (!self && queries.size() > 0)
        order_ = index.query_order(queries.at(0), queries.size(), parallel);
  }

  /// The step-th query to be asked.
  Index operator()(Index step) const {
    if constexpr (HasVisitOrder<NeighborIndex>::value)
      if (self_) return index_.visit_order(step);
    return order_.empty() ? step : order_[static_cast<std::size_t>(step)];
  }

 private:
  const NeighborIndex& index_;
  bool self_;
  std::vector<Index> order_;
};

/// The queries of a block one after the other, as the batch members want them.
template <class Scalar, class Queries, class Order>
Matrix<Scalar> gather(const Queries& queries, const Order& order, const Parallel::Block& block) {
  Matrix<Scalar> together(queries.dimension(), block.size());
  for (Index q = 0; q < block.size(); ++q)
    together.col(q) =
        Eigen::Map<const Vector<Scalar>>(queries.at(order(block.begin + q)), queries.dimension());
  return together;
}

/// Calls `use(i, indices, distances)` for each query i with its k nearest points, from several
/// threads. Blocks have a fixed size: nothing depends on the number of threads.
template <class Scalar, class NeighborIndex, class Queries, class Use>
void for_each_knn(std::string_view caller, const NeighborIndex& index, const Queries& queries,
                  bool self, Index k, const Parallel& parallel, Use&& use) {
  constexpr bool batched = HasKnnBatch<NeighborIndex, Scalar>::value;
  const QueryOrder<Scalar, NeighborIndex> order(index, queries, self, parallel);
  parallel.for_blocks(queries.size(), batched ? 128 : 64, [&](const Parallel::Block& block) {
    const auto size = static_cast<std::size_t>(k * block.size());
    std::vector<Index> indices(size, -1);  // so that a slot left unwritten is noticed
    std::vector<Scalar> distances(size);
    if constexpr (batched)
      index.knn_batch(gather<Scalar>(queries, order, block).data(), block.size(), k, indices.data(),
                      distances.data());
    else
      for (Index q = 0; q < block.size(); ++q)
        index.knn(queries.at(order(block.begin + q)), k, indices.data() + q * k,
                  distances.data() + q * k);
    for (Index q = 0; q < block.size(); ++q) {
      const Index i = order(block.begin + q);
      check_found(caller, i, index.size(), k, indices.data() + q * k, distances.data() + q * k);
      use(i, indices.data() + q * k, distances.data() + q * k);
    }
  });
}

/// The k nearest others of every point: asks for one more and leaves out the point itself.
template <class Scalar, class NeighborIndex, class Queries>
NeighborList<Scalar> collect_knn_self(std::string_view caller, const NeighborIndex& index,
                                      const Queries& queries, Index k, const Parallel& parallel) {
  const Index n = queries.size();
  check_n_neighbors(caller, k, n - 1, n);
  NeighborList<Scalar> list(n, k);
  for_each_knn<Scalar>(caller, index, queries, true, k + 1, parallel,
                       [&](Index i, const Index* indices, const Scalar* distances) {
                         // Not among the first k: either the last, or displaced by duplicates.
                         const Index self = std::find(indices, indices + k, i) - indices;
                         for (Index j = 0; j < k; ++j) {
                           const Index from = j < self ? j : j + 1;
                           list.indices(i)[j] = static_cast<int>(indices[from]);
                           list.distances(i)[j] = distances[from];
                         }
                       });
  return list;
}

/// The points within r of each query; for a set in itself without the point.
template <class Scalar, class NeighborIndex, class Queries>
NeighborList<Scalar> collect_radius(std::string_view caller, const NeighborIndex& index,
                                    const Queries& queries, bool self, Scalar r,
                                    const Parallel& parallel) {
  using Indices = std::vector<Index>;
  using Distances = std::vector<Scalar>;
  const auto n = static_cast<std::size_t>(queries.size());
  const QueryOrder<Scalar, NeighborIndex> order(index, queries, self, parallel);
  std::vector<Indices> all_indices(n);
  std::vector<Distances> all_distances(n);
  parallel.for_blocks(queries.size(), 128, [&](const Parallel::Block& block) {
    const auto count = static_cast<std::size_t>(block.size());
    std::vector<Indices> indices(count);
    std::vector<Distances> distances(count);
    if constexpr (HasRadiusBatch<NeighborIndex, Scalar>::value)
      index.radius_batch(gather<Scalar>(queries, order, block).data(), block.size(), r,
                         indices.data(), distances.data());
    else
      for (std::size_t q = 0; q < count; ++q)
        index.radius(queries.at(order(block.begin + static_cast<Index>(q))), r, indices[q],
                     distances[q]);
    for (std::size_t q = 0; q < count; ++q) {
      const Index i = order(block.begin + static_cast<Index>(q));
      if (indices[q].size() != distances[q].size())
        throw DataError(text(caller, ": the neighbour search returned ", indices[q].size(),
                             " indices but ", distances[q].size(), " distances for point ", i));
      check_found(caller, i, index.size(), static_cast<Index>(indices[q].size()), indices[q].data(),
                  distances[q].data());
      if (self) {
        const auto own = std::find(indices[q].begin(), indices[q].end(), i);
        if (own != indices[q].end()) {
          distances[q].erase(distances[q].begin() + (own - indices[q].begin()));
          indices[q].erase(own);
        }
      }
      all_indices[static_cast<std::size_t>(i)] = std::move(indices[q]);
      all_distances[static_cast<std::size_t>(i)] = std::move(distances[q]);
    }
  });

  std::vector<Index> counts(n);
  for (std::size_t i = 0; i < n; ++i) counts[i] = static_cast<Index>(all_indices[i].size());
  NeighborList<Scalar> list(counts);
  for (std::size_t i = 0; i < n; ++i) {
    std::transform(all_indices[i].begin(), all_indices[i].end(),
                   list.indices(static_cast<Index>(i)),
                   [](Index j) { return static_cast<int>(j); });
    std::copy(all_distances[i].begin(), all_distances[i].end(),
              list.distances(static_cast<Index>(i)));
  }
  return list;
}

template <class Scalar>
void check_radius(std::string_view caller, Scalar r) {
  if (!(r > 0 && std::isfinite(r)))
    throw ParameterError(text(caller, ": radius must be positive and finite, got ", r));
}

/// The type is that of an index, and its points have numbers that fit the list.
template <class Scalar, class NeighborIndex>
void check_index(std::string_view caller, const NeighborIndex& index) {
  static_assert(is_neighbor_index_v<NeighborIndex, Scalar>,
                "this is not a neighbour index: it needs size, dimension, knn and radius; see "
                "unfurl/neighbors/requirements.hpp");
  constexpr auto most = static_cast<Index>(std::numeric_limits<int>::max());
  if (index.size() > most)
    throw SizeLimitError(text(caller, ": at most 2^31 - 1 points, the index has ", index.size()),
                         static_cast<std::size_t>(index.size()), static_cast<std::size_t>(most));
}

/// The points said to be those of the index can be.
template <class Scalar, class NeighborIndex>
void check_own_points(std::string_view caller, const NeighborIndex& index,
                      const Matrix<Scalar>& points) {
  if (points.cols() != index.size() || points.rows() != index.dimension())
    throw DimensionError(text(caller, ": the index was built on ", index.size(), " points with ",
                              index.dimension(), " features, got ", points.cols(), " points with ",
                              points.rows()));
}

}  // namespace unfurl::detail
