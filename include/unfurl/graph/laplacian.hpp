#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/affinity.hpp"
#include "unfurl/graph/components.hpp"

/// The matrices of a weighted graph. W is symmetric with non-negative entries, sparse or dense; d
/// is the vector of its row sums, the degrees, and D the diagonal matrix of d. Each function costs
/// one pass over W and returns a matrix of the same kind. Results do not depend on the number of
/// threads, and the symmetric ones are symmetric to the bit.
namespace unfurl {
namespace detail {

constexpr Index columns_per_block = 128;

/// W_ij l_i r_j. The factors are multiplied first: with l = r the result is exactly symmetric.
template <class Scalar>
SparseMatrix<Scalar> scaled(const SparseMatrix<Scalar>& W, const Vector<Scalar>& l,
                            const Vector<Scalar>& r, const Parallel& parallel) {
  SparseMatrix<Scalar> result = sparse_copy(W);
  parallel.for_each(
      W.cols(),
      [&](Index j) {
        for (typename SparseMatrix<Scalar>::InnerIterator it(result, j); it; ++it)
          it.valueRef() *= l(it.row()) * r(j);
      },
      columns_per_block);
  return result;
}

template <class Scalar>
Matrix<Scalar> scaled(Matrix<Scalar> W, const Vector<Scalar>& l, const Vector<Scalar>& r,
                      const Parallel& parallel) {
  parallel.for_each(
      W.cols(), [&](Index j) { W.col(j).array() *= l.array() * r(j); }, columns_per_block);
  return W;
}

/// diag(d) - A; every diagonal entry is stored.
template <class Scalar>
SparseMatrix<Scalar> diagonal_minus(const Vector<Scalar>& d, const SparseMatrix<Scalar>& A,
                                    const Parallel& parallel) {
  using Iterator = typename SparseMatrix<Scalar>::InnerIterator;
  const Index n = A.cols();
  std::vector<Index> start(static_cast<std::size_t>(n) + 1, 0);
  parallel.for_each(
      n,
      [&](Index j) {
        Index count = 1;
        for (Iterator it(A, j); it; ++it) count += it.row() != j ? 1 : 0;
        start.data()[j + 1] = count;
      },
      columns_per_block);
  for (Index j = 0; j < n; ++j) start.data()[j + 1] += start.data()[j];
  check_sparse_size("graph Laplacian", n, start.back());

  SparseMatrix<Scalar> L(n, n);
  L.resizeNonZeros(start.back());
  for (Index j = 0; j <= n; ++j) L.outerIndexPtr()[j] = static_cast<int>(start.data()[j]);
  parallel.for_each(
      n,
      [&](Index j) {
        Index at = start.data()[j];
        Index diagonal = -1;
        const auto put = [&](Index i, Scalar value) {
          L.innerIndexPtr()[at] = static_cast<int>(i);
          L.valuePtr()[at] = value;
          return at++;
        };
        for (Iterator it(A, j); it; ++it) {
          if (diagonal < 0 && it.row() >= j) diagonal = put(j, d(j));
          if (it.row() == j)
            L.valuePtr()[diagonal] -= it.value();
          else
            put(it.row(), -it.value());
        }
        if (diagonal < 0) put(j, d(j));
      },
      columns_per_block);
  return L;
}

template <class Scalar>
Matrix<Scalar> diagonal_minus(const Vector<Scalar>& d, Matrix<Scalar> A, const Parallel& parallel) {
  parallel.for_each(
      A.cols(),
      [&](Index j) {
        A.col(j) = -A.col(j);
        A(j, j) += d(j);
      },
      columns_per_block);
  return A;
}

template <class Scalar>
Vector<Scalar> ones(Index n) {
  return Vector<Scalar>::Ones(n);
}

}  // namespace detail

/// The row sums of a symmetric matrix, d_i = Σ_j W_ij.
template <class WeightMatrix>
auto degrees(const WeightMatrix& W, const Parallel& parallel) {
  Vector<typename WeightMatrix::Scalar> d(W.cols());
  parallel.for_each(
      W.cols(), [&](Index j) { d(j) = W.col(j).sum(); }, detail::columns_per_block);
  return d;
}

/// Checks that the walk can leave every vertex.
/// \throws DisconnectedGraphError naming the first vertex whose degree is 0: the walk could not
///   leave it, and D has no inverse
template <class WeightMatrix>
void require_positive_degrees(std::string_view where, const WeightMatrix& W,
                              const Vector<typename WeightMatrix::Scalar>& d) {
  for (Index i = 0; i < d.size(); ++i)
    if (!(d(i) > 0))
      throw disconnected_graph_error(detail::text(where, ": vertex ", i, " has degree ", d(i)),
                                     connected_components(W),
                                     "raise n_neighbors or radius, or leave such points out");
}

/// The graph Laplacian L = D - W, positive semidefinite: fᵀ L f = ½ Σ_ij W_ij (f_i - f_j)².
template <class WeightMatrix>
WeightMatrix laplacian(const WeightMatrix& W, const Parallel& parallel) {
  return detail::diagonal_minus(degrees(W, parallel), W, parallel);
}

/// The transition matrix of the random walk, P = D⁻¹ W; its rows sum to 1. Not symmetric.
/// \throws DisconnectedGraphError when a degree is 0
template <class WeightMatrix>
WeightMatrix walk_matrix(const WeightMatrix& W, const Parallel& parallel,
                         std::string_view where = "walk_matrix") {
  using Scalar = typename WeightMatrix::Scalar;
  const Vector<Scalar> d = degrees(W, parallel);
  require_positive_degrees(where, W, d);
  return detail::scaled(W, d.cwiseInverse().eval(), detail::ones<Scalar>(W.cols()), parallel);
}

/// The symmetric conjugate of the walk, A_s = D^(-1/2) W D^(-1/2) = D^(1/2) P D^(-1/2): the same
/// eigenvalues, all in [-1, 1], and if A_s u = λ u then ψ = D^(-1/2) u has P ψ = λ ψ.
/// \throws DisconnectedGraphError when a degree is 0
template <class WeightMatrix>
WeightMatrix symmetric_walk_matrix(const WeightMatrix& W, const Parallel& parallel,
                                   std::string_view where = "symmetric_walk_matrix") {
  using Scalar = typename WeightMatrix::Scalar;
  const Vector<Scalar> d = degrees(W, parallel);
  require_positive_degrees(where, W, d);
  const Vector<Scalar> s = d.cwiseSqrt().cwiseInverse();
  return detail::scaled(W, s, s, parallel);
}

/// L_sym = I - A_s, symmetric, eigenvalues in [0, 2].
/// \throws DisconnectedGraphError when a degree is 0
template <class WeightMatrix>
WeightMatrix symmetric_laplacian(const WeightMatrix& W, const Parallel& parallel,
                                 std::string_view where = "symmetric_laplacian") {
  using Scalar = typename WeightMatrix::Scalar;
  return detail::diagonal_minus(detail::ones<Scalar>(W.cols()),
                                symmetric_walk_matrix(W, parallel, where), parallel);
}

/// L_rw = I - P = D⁻¹ L, the same eigenvalues. Not symmetric.
/// \throws DisconnectedGraphError when a degree is 0
template <class WeightMatrix>
WeightMatrix walk_laplacian(const WeightMatrix& W, const Parallel& parallel,
                            std::string_view where = "walk_laplacian") {
  using Scalar = typename WeightMatrix::Scalar;
  return detail::diagonal_minus(detail::ones<Scalar>(W.cols()), walk_matrix(W, parallel, where),
                                parallel);
}

/// q^-α of the row sums q of K.
/// \throws DisconnectedGraphError when one of them is 0
template <class WeightMatrix>
auto density_factors(const WeightMatrix& K, typename WeightMatrix::Scalar alpha,
                     const Parallel& parallel, std::string_view where) {
  using Scalar = typename WeightMatrix::Scalar;
  const Vector<Scalar> q = degrees(K, parallel);
  require_positive_degrees(where, K, q);
  return Vector<Scalar>(q.array().pow(-alpha));
}

/// K_α = K_ij / (q_i q_j)^α with q the row sums of K, which takes out the sampling density: α = 0
/// leaves K as it is, 1/2 gives the Fokker-Planck and 1 the Laplace-Beltrami operator in the limit
/// (Coifman and Lafon 2006). A new point x is treated alike with the q of the training points.
/// \throws DisconnectedGraphError when a row sum is 0
template <class Scalar>
Matrix<Scalar> density_normalized(Matrix<Scalar> K, Scalar alpha, const Parallel& parallel,
                                  std::string_view where = "density_normalized") {
  const Vector<Scalar> factor = density_factors(K, alpha, parallel, where);
  return detail::scaled(std::move(K), factor, factor, parallel);
}
/// The same of sparse affinities.
template <class Scalar>
SparseMatrix<Scalar> density_normalized(const SparseMatrix<Scalar>& K, Scalar alpha,
                                        const Parallel& parallel,
                                        std::string_view where = "density_normalized") {
  const Vector<Scalar> factor = density_factors(K, alpha, parallel, where);
  return detail::scaled(K, factor, factor, parallel);
}

}  // namespace unfurl
