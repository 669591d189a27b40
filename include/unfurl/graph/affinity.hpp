#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "unfurl/core/check.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"
#include "unfurl/kernels/requirements.hpp"

namespace unfurl {

/// The diagonal of a matrix of affinities.
enum class SelfLoops {
  none,   ///< 0: the graph of the Laplacian eigenmap
  kernel  ///< K(x, x), which is 1: the walk of a diffusion map may stay where it is
};

namespace detail {

template <class Kernel, class Scalar>
void check_kernel(std::string_view where, const Kernel& kernel) {
  static_assert(is_kernel_v<Kernel, Scalar>,
                "a kernel is called with a squared distance: Scalar operator()(Scalar) const "
                "(see unfurl/kernels/requirements.hpp)");
  if constexpr (has_bandwidth_v<Kernel, Scalar>)
    if (!(kernel.bandwidth() > 0))
      throw ParameterError(text(where,
                                ": the kernel has no bandwidth yet; give it one, or take "
                                "one from the data (scale_kernel)"));
}

/// K(d²), refused unless it is a weight.
template <class Scalar, class Kernel>
Scalar kernel_value(std::string_view where, const Kernel& kernel, Scalar distance) {
  const auto value = static_cast<Scalar>(kernel(distance * distance));
  if (!(value >= 0) || std::isinf(value))
    throw DataError(text(where, ": a kernel must be finite and non-negative, got ", value,
                         " at distance ", distance));
  return value;
}

/// \param nearest the distance of point i to the neighbour nearest to it
template <class Scalar>
[[noreturn]] void throw_underflow(std::string_view where, Index i, Scalar nearest) {
  throw NumericalError(text(where, ": bandwidth too small: the affinities of point ", i,
                            " to all others are 0 (its nearest neighbour is at distance ", nearest,
                            "); a bandwidth of at least ", nearest / 10,
                            " keeps this point connected"));
}

}  // namespace detail

/// The kernel on the edges of a graph, as a symmetric matrix; every edge is a stored entry. O(m).
///
/// A point without any neighbour gives an empty row: see require_connected.
/// \throws NumericalError when the kernel is 0 on all edges of a point (bandwidth too small);
///   DataError for a kernel value that is negative or not finite; SizeLimitError beyond 2^31 - 1
///   entries; whatever the kernel throws
template <class Scalar, class Kernel>
SparseMatrix<Scalar> affinity(const Graph<Scalar>& graph, const Kernel& kernel, SelfLoops loops,
                              const Parallel& parallel, std::string_view where = "affinity") {
  detail::check_kernel<Kernel, Scalar>(where, kernel);
  const Index n = graph.n_vertices();
  const Index loop = loops == SelfLoops::kernel ? 1 : 0;
  detail::check_sparse_size(where, n, graph.n_entries() + loop * n);
  SparseMatrix<Scalar> W(n, n);
  W.resizeNonZeros(graph.n_entries() + loop * n);
  // Column i of a symmetric matrix is its row i, and both are row i of the graph.
  parallel.for_each(
      n,
      [&](Index i) {
        Index at = graph.row(i) + loop * i;
        W.outerIndexPtr()[i] = static_cast<int>(at);
        const auto put = [&](Index j, Scalar value) {
          W.innerIndexPtr()[at] = static_cast<int>(j);
          W.valuePtr()[at++] = value;
        };
        bool loop_is_due = loop == 1;
        const auto put_loop = [&] {
          put(i, detail::kernel_value(where, kernel, Scalar(0)));
          loop_is_due = false;
        };
        Scalar largest = 0;
        for (Index e = 0; e < graph.degree(i); ++e) {
          const Index j = graph.neighbors(i)[e];
          if (loop_is_due && j > i) put_loop();
          const Scalar value = detail::kernel_value(where, kernel, graph.lengths(i)[e]);
          largest = std::max(largest, value);
          put(j, value);
        }
        if (loop_is_due) put_loop();
        if (graph.degree(i) > 0 && !(largest > 0))
          detail::throw_underflow(
              where, i, *std::min_element(graph.lengths(i), graph.lengths(i) + graph.degree(i)));
      },
      256);
  W.outerIndexPtr()[n] = static_cast<int>(W.data().size());
  return W;
}

/// The kernel on every pair, from a matrix of distances (true, not squared), which is overwritten
/// and returned: pass it by std::move and there is only one n x n matrix. O(n²).
///
/// \throws as above; DataError unless the matrix is square
template <class Scalar, class Kernel>
Matrix<Scalar> dense_affinity(Matrix<Scalar> distances, const Kernel& kernel, SelfLoops loops,
                              const Parallel& parallel, std::string_view where = "affinity") {
  detail::check_kernel<Kernel, Scalar>(where, kernel);
  if (distances.rows() != distances.cols())
    throw DataError(detail::text(where, ": the distance matrix must be square, got shape (",
                                 distances.rows(), ", ", distances.cols(), ")"));
  Matrix<Scalar>& K = distances;
  const Index n = K.cols();
  parallel.for_each(
      n,
      [&](Index j) {
        Scalar largest = 0, nearest = std::numeric_limits<Scalar>::infinity();
        for (Index i = 0; i < n; ++i) {
          if (i == j) {
            K(i, j) = loops == SelfLoops::kernel ? detail::kernel_value(where, kernel, Scalar(0))
                                                 : Scalar(0);
            continue;
          }
          nearest = std::min(nearest, K(i, j));
          K(i, j) = detail::kernel_value(where, kernel, K(i, j));
          largest = std::max(largest, K(i, j));
        }
        if (n > 1 && !(largest > 0)) detail::throw_underflow(where, j, nearest);
      },
      16);
  return distances;
}

/// A matrix of affinities that comes from the user: square, finite, non-negative, symmetric to
/// rounding. \throws DataError, SizeLimitError
template <class Scalar>
void check_affinity(std::string_view where, const SparseMatrix<Scalar>& W) {
  using Iterator = typename SparseMatrix<Scalar>::InnerIterator;
  if (W.rows() != W.cols())
    throw DataError(detail::text(where, ": the affinity matrix must be square, got shape (",
                                 W.rows(), ", ", W.cols(), ")"));
  detail::check_sparse_size(where, W.rows(), W.nonZeros());
  Scalar largest = 0;
  for (Index j = 0; j < W.cols(); ++j)
    for (Iterator it(W, j); it; ++it) {
      if (!(it.value() >= 0) || std::isinf(it.value()))
        throw DataError(detail::text(where, ": affinities must be finite and non-negative, got ",
                                     it.value(), " at (", it.row(), ", ", j, ")"));
      largest = std::max(largest, it.value());
    }
  const SparseMatrix<Scalar> transposed = detail::sparse_transposed<Scalar>(W);
  const Scalar tolerance =
      largest * std::max(Scalar(1e-10), 16 * std::numeric_limits<Scalar>::epsilon());
  const SparseMatrix<Scalar> gap = detail::sparse_copy(W - transposed);
  for (Index j = 0; j < gap.cols(); ++j)
    for (Iterator it(gap, j); it; ++it)
      if (std::abs(it.value()) > tolerance)
        throw DataError(detail::text(where,
                                     ": the affinity matrix must be symmetric, but entries (",
                                     it.row(), ", ", j, ") and (", j, ", ", it.row(), ") are ",
                                     W.coeff(it.row(), j), " and ", W.coeff(j, it.row())));
}

}  // namespace unfurl
