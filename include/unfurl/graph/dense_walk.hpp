#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "unfurl/core/run.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/affinity.hpp"
#include "unfurl/graph/distance_columns.hpp"
#include "unfurl/graph/walk_spectrum.hpp"
#include "unfurl/kernels/requirements.hpp"
#include "unfurl/spectral/symmetric_product.hpp"

/// A walk that can go from everywhere to everywhere in one step. Half of a symmetric matrix says
/// all of it, and scaling its rows and columns can wait until it meets a vector: the kernel's
/// matrix is written once, its upper triangle only, and read by products.
namespace unfurl::detail {

/// Foresees the memory of the walk between all pairs of n samples of d features.
/// \param one_triangle of the matrix is made
template <class Scalar>
void foresee_dense_walk(Index n, Index d, Index n_components, bool one_triangle, Run& run) {
  constexpr double size = sizeof(Scalar);
  const double rows = static_cast<double>(n);
  run.foresee("the matrix of all pairs",
              size * rows * static_cast<double>(d) +
                  (one_triangle ? triangle_bytes(n, size) : size * rows * rows),
              block_lanczos_bytes(n, n_components, run.parallel().n_threads()));
}

/// diag(w) K diag(w), of which the upper triangle of K is read. It refers to K, w and the threads.
template <class Stored>
class ScaledKernelMatrix final : public SymmetricOperator {
 public:
  /// \param bound at least the norm of the scaled matrix; 0: not known
  ScaledKernelMatrix(const Matrix<Stored>& K, const Vector<double>& w, const Parallel& parallel,
                     double bound = 0)
      : K_(K), w_(w), parallel_(parallel), bound_(bound) {}
  ScaledKernelMatrix(Matrix<Stored>&&, const Vector<double>&, const Parallel&, double = 0) = delete;
  ScaledKernelMatrix(const Matrix<Stored>&, Vector<double>&&, const Parallel&, double = 0) = delete;

  Index rows() const override { return K_.rows(); }
  double norm_bound() const override { return bound_; }
  void perform_op(const double* x, double* y) const override { multiply(x, 1, y); }
  void perform_block(const Matrix<double>& X, Matrix<double>& Y) const override {
    multiply(X.data(), X.cols(), Y.data());
  }

 private:
  void multiply(const double* x, Index k, double* y) const {
    const Index n = rows();
    Matrix<double> scaled(n, k);
    for (Index c = 0; c < k; ++c)
      for (Index i = 0; i < n; ++i) scaled(i, c) = w_(i) * x[c * n + i];
    symmetric_product(n, scaled.data(), k, y, parallel_,
                      [&](Index top, Index count, Index column, double* to) {
                        const Stored* const from = K_.data() + column * n + top;
                        prefetch_next_tile(from, n, column, n, count);
                        for (Index i = 0; i < count; ++i) to[i] = static_cast<double>(from[i]);
                      });
    for (Index c = 0; c < k; ++c)
      for (Index i = 0; i < n; ++i) y[c * n + i] *= w_(i);
  }

  const Matrix<Stored>& K_;
  const Vector<double>& w_;
  const Parallel& parallel_;
  double bound_;
};

/// Replaces distances by K(d²), refused unless they are weights, and returns the least of them.
template <class Scalar, class Kernel>
Scalar kernel_values(std::string_view where, const Kernel& kernel, Index count, Scalar* distances) {
  Scalar least = std::numeric_limits<Scalar>::infinity();
  if constexpr (has_values_v<Kernel, Scalar>) {
    for (Index i = 0; i < count; ++i) distances[i] *= distances[i];
    kernel.values(distances, count);
    bool valid = true;
    for (Index i = 0; i < count; ++i) {
      valid = valid & (distances[i] >= 0) & (distances[i] <= (std::numeric_limits<Scalar>::max)());
      least = distances[i] < least ? distances[i] : least;
    }
    if (!valid) throw DataError(text(where, ": a kernel must be finite and non-negative"));
  } else {
    for (Index i = 0; i < count; ++i) {
      distances[i] = kernel_value(where, kernel, distances[i]);
      least = std::min(least, distances[i]);
    }
  }
  return least;
}

/// The upper triangle of the kernel on every pair.
/// \param K n x n, of which the upper triangle is written
/// \param distances called as distances(top, count, column, to): so many distances of a column,
///   from row `top` on, all above the diagonal; they may be those in K
/// \returns whether every affinity is positive
template <class Scalar, class Kernel, class Distances>
bool fill_upper_affinity(Matrix<Scalar>& K, const Kernel& kernel, const Parallel& parallel,
                         std::string_view where, Distances&& distances) {
  check_kernel<Kernel, Scalar>(where, kernel);
  constexpr Index height = 512;
  const Index n = K.cols();
  const Scalar self = kernel_value(where, kernel, Scalar(0));
  const Scalar least = parallel.reduce(
      n, 16, self,
      [&](const Parallel::Block& block) {
        Scalar smallest = self;
        for (Index j = block.begin; j < block.end; ++j) {
          for (Index top = 0; top < j; top += height) {
            const Index count = std::min(height, j - top);
            Scalar* const to = K.data() + j * n + top;
            distances(top, count, j, to);
            smallest = std::min(smallest, kernel_values(where, kernel, count, to));
          }
          K(j, j) = self;
        }
        return smallest;
      },
      [](Scalar a, Scalar b) { return std::min(a, b); });
  return least > 0;
}

template <class Scalar>
void copy_lower_to_upper(Matrix<Scalar>& A, const Parallel& parallel) {
  constexpr Index tile = 64;
  parallel.for_blocks(A.cols(), tile, [&](const Parallel::Block& b) {
    for (Index top = 0; top < b.end; top += tile)
      for (Index j = b.begin; j < b.end; ++j) {
        for (Index i = top; i < std::min(top + tile, j); ++i) A(i, j) = A(j, i);
        A(j, j) = 0;
      }
  });
}

/// fill_upper_affinity for points (one a column); nothing if an affinity is 0.
template <class Scalar, class Kernel>
std::optional<Matrix<Scalar>> upper_affinity_of_points(const Matrix<Scalar>& points,
                                                       const Kernel& kernel, const Run& run) {
  Matrix<Scalar> K(points.cols(), points.cols());
  if (!fill_upper_affinity(K, kernel, run.parallel(), run.name(), DistanceColumns<Scalar>(points)))
    return std::nullopt;
  return K;
}

/// The same in place of the upper triangle of a matrix of distances, which stays as it is if an
/// affinity is 0.
/// \returns whether there is none
template <class Scalar, class Kernel>
bool to_upper_affinity(Matrix<Scalar>& distances, const Kernel& kernel, const Run& run) {
  if (fill_upper_affinity(distances, kernel, run.parallel(), run.name(),
                          [](Index, Index, Index, Scalar*) {}))
    return true;
  copy_lower_to_upper(distances, run.parallel());
  return false;
}

/// The row sums of K_ij w_i w_j.
template <class Scalar>
Vector<double> scaled_row_sums(const Matrix<Scalar>& K, const Vector<double>& w,
                               const Parallel& parallel) {
  const Vector<double> ones = Vector<double>::Ones(K.cols());
  Vector<double> sums(K.cols());
  ScaledKernelMatrix<Scalar>(K, w, parallel).perform_op(ones.data(), sums.data());
  return sums;
}

/// The solvers that products are enough for.
template <class Solver>
inline constexpr bool needs_products_only_v =
    std::is_same_v<Solver, AutoSolver> || std::is_same_v<Solver, LanczosSolver>;

/// Nobody has to look at the data for a bandwidth.
template <class Scalar, class Kernel>
bool knows_bandwidth(const Kernel& kernel, std::optional<double> requested) {
  if constexpr (has_bandwidth_v<Kernel, Scalar>) return requested || kernel.bandwidth() > 0;
  return true;
}

struct PositiveWalkSpectrum : WalkSpectrum {
  Vector<double> density_factors = {};  ///< q^-alpha
};

/// The k slowest vectors of the walk on K_alpha of affinities that are all positive.
/// \param K of which the upper triangle is read
template <class Scalar, class Solver>
PositiveWalkSpectrum positive_walk_spectrum(const Matrix<Scalar>& K, double alpha, Index k,
                                            const Solver& solver, std::uint64_t seed, Run& run) {
  Vector<double> factors = Vector<double>::Ones(K.cols());
  if (alpha > 0) factors = scaled_row_sums(K, factors, run.parallel()).array().pow(-alpha);
  Vector<double> d = scaled_row_sums(K, factors, run.parallel());
  const Vector<double> w = factors.cwiseQuotient(d.cwiseSqrt());
  const ScaledKernelMatrix<Scalar> op(K, w, run.parallel(), 1);
  Matrix<double> null = d.cwiseSqrt();
  null /= null.norm();
  run.report().graph_components = 1;
  EigenPairs<double> pairs = pairs_beside(op, op, k, Which::largest, null, 1.0, solver, seed, run);
  pairs.values = 1 - pairs.values.array();
  return {assemble_walk(std::move(d), null, 0, std::move(pairs),
                        std::is_same_v<Scalar, double> ? 1e-10 : 1e-5, run.name()),
          std::move(factors)};
}

}  // namespace unfurl::detail
