#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/spectral/dense.hpp"
#include "unfurl/spectral/lanczos.hpp"
#include "unfurl/spectral/pattern.hpp"
#include "unfurl/spectral/shift_invert.hpp"
#include "unfurl/spectral/solver_memory.hpp"

namespace unfurl {

/// Chooses the solver by what it will cost, and says so in `info.path`:
/// - small problems, or a large part of the spectrum: dense;
/// - a dense matrix or an operator: Lanczos;
/// - a sparse matrix, largest: Lanczos;
/// - a sparse matrix, smallest: shift-invert where the pattern is that of a curve, surface or solid
///   and the symbolic analysis foresees a factor that can be afforded; otherwise Lanczos on the
///   complement.
///
/// Measured on two cores, two pairs of the Laplacian of uniform points in a cube, shift-invert
/// against Lanczos: in 3-D (pattern of dimension 2.6 to 2.7) 0.11 s : 0.72 for 10000 points and
/// 2.0 : 13 for 50000; in 4-D (3.0 to 3.1) 0.6 : 0.9 for 10000 and 11 : 8 for 30000; in 5-D (3.5)
/// 1.1 : 0.6 for 10000.
struct AutoSolver {
  std::uint64_t seed = 0;              ///< of the start vectors
  double tolerance = 0;                ///< as in the solvers chosen
  double shift = 0;                    ///< as in ShiftInvertSolver
  const Parallel* parallel = nullptr;  ///< borrowed; null: all cores
  Index dense_up_to = 400;             ///< rows
  double max_factor_flops = 1e11;      ///< a factor that costs more is not made
  double max_pattern_dimension = 3;    ///< nor one of a pattern of higher dimension, which fills in
  Run* run = nullptr;                  ///< borrowed; told of the memory before it is taken

  /// k eigenpairs at one end of the spectrum.
  /// \param a a dense or sparse symmetric matrix, or an operator.
  /// \param k number of pairs, at least 1.
  /// \param which end of the spectrum.
  /// \param known orthonormal eigenvectors that are neither wanted nor computed again.
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which,
                                            const Matrix<typename A::Scalar>& known = {}) const {
    using Scalar = typename A::Scalar;
    const Index n = a.rows();
    if (solves_densely(n, k + known.cols())) {
      if (run) run->foresee_work("a dense decomposition", detail::dense_solver_bytes(n, k));
      return solve_densely(a, k, which, known);
    }
    if constexpr (std::is_same_v<A, SparseMatrix<Scalar>>) {
      if (which == Which::smallest) return smallest(a, k, known);
    }
    return lanczos(a, k, which, known);
  }

  /// The memory it will take beside a sparse matrix for its k smallest pairs.
  /// \param n rows of the matrix
  /// \param fill entries of its factor, should one be made
  double bytes(Index n, Index k, double fill) const {
    return solves_densely(n, k) ? detail::dense_solver_bytes(n, k)
                                : detail::inverse_iteration_bytes_of_fill(n, k, fill);
  }

 private:
  bool solves_densely(Index n, Index k) const { return n <= dense_up_to || 4 * k > n; }

  static double rounded(double x) { return std::round(10 * x) / 10; }

  template <class Scalar>
  EigenPairs<Scalar> smallest(const SparseMatrix<Scalar>& A, Index k,
                              const Matrix<Scalar>& known) const;

  /// Nothing if the factor would cost too much.
  template <class Scalar>
  std::optional<EigenPairs<Scalar>> by_factor(const SparseMatrix<Scalar>& A, Index k,
                                              const Matrix<Scalar>& known) const {
    const SparseMatrix<double>& in_double = detail::in_precision<double>(A);
    const Parallel own(parallel ? 1 : 0);
    detail::ShiftedFactor<double> factor(in_double, parallel ? *parallel : own);
    if (!(factor.flops() < max_factor_flops)) return std::nullopt;
    if (run)
      run->foresee_work("a sparse factor", detail::inverse_iteration_bytes(
                                               A.rows(), k, factor.bytes(), factor.held_bytes()));
    EigenPairs<double> pairs = ShiftInvertSolver{seed, tolerance, shift, parallel}.solve(
        in_double, factor, k, detail::converted<double>(known));
    pairs.info.path += detail::text(", ", factor.fill() / 1e6, "M entries in the factor");
    return pairs.template cast<Scalar>();
  }

  template <class A>
  EigenPairs<typename A::Scalar> lanczos(const A& a, Index k, Which which,
                                         const Matrix<typename A::Scalar>& known) const {
    return LanczosSolver{seed, tolerance, parallel}(a, k, which, known);
  }

  /// Known vectors are moved to the far end of the spectrum.
  template <class A>
  static EigenPairs<typename A::Scalar> solve_densely(const A& a, Index k, Which which,
                                                      const Matrix<typename A::Scalar>& known) {
    using Scalar = typename A::Scalar;
    if (known.cols() == 0) return DenseSolver{}(a, k, which);
    Matrix<Scalar> M;
    if constexpr (is_symmetric_operator_v<A>)
      M = detail::converted<Scalar>(materialise(AnyOperator<A>(a)));
    else
      M = Matrix<Scalar>(a);
    Scalar norm = 0;  // |M|_inf
    for (Index j = 0; j < M.cols(); ++j) {
      Scalar sum = 0;
      for (Index i = 0; i < M.rows(); ++i) sum += std::abs(M(i, j));
      norm = std::max(norm, sum);
    }
    const Scalar far = 2 * (norm + Scalar(1));
    for (Index v = 0; v < known.cols(); ++v)
      for (Index j = 0; j < M.cols(); ++j)
        detail::add_multiple(M.rows(), (which == Which::smallest ? far : -far) * known(j, v),
                             known.data() + M.rows() * v, M.data() + M.rows() * j);
    return DenseSolver{}(M, k, which);
  }
};

template <class Scalar>
EigenPairs<Scalar> AutoSolver::smallest(const SparseMatrix<Scalar>& A, Index k,
                                        const Matrix<Scalar>& known) const {
  const double dimension = detail::pattern_dimension(A);
  std::optional<EigenPairs<Scalar>> pairs;
  if (dimension < max_pattern_dimension) pairs = by_factor(A, k, known);
  if (!pairs) {
    if (run) run->foresee_work("the Krylov space", detail::block_lanczos_bytes(A.rows(), k));
    pairs = lanczos(A, k, Which::smallest, known);
  }
  pairs->info.path += detail::text(" (pattern of dimension ", rounded(dimension), ")");
  return *std::move(pairs);
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE EigenPairs<double> AutoSolver::smallest(const SparseMatrix<double>&, Index,
                                                        const Matrix<double>&) const;
#endif

}  // namespace unfurl
