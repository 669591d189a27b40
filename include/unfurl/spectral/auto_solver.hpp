#pragma once

#include <algorithm>
#include <cmath>

#include "unfurl/spectral/dense.hpp"
#include "unfurl/spectral/lanczos.hpp"
#include "unfurl/spectral/lanes.hpp"
#include "unfurl/spectral/pattern.hpp"
#include "unfurl/spectral/shift_invert.hpp"

namespace unfurl {

/// Chooses the solver by what it will cost, and says so in `info.path`:
/// - small problems, or a large part of the spectrum: dense;
/// - a dense matrix or an operator: Lanczos;
/// - a sparse matrix, largest: Lanczos;
/// - a sparse matrix, smallest: shift-invert where the pattern is that of a curve or surface and
/// the
///   symbolic analysis foresees a cheap factor; otherwise Lanczos on the complement.
struct AutoSolver {
  std::uint64_t seed = 0;
  double tolerance = 0;                ///< as in the solvers chosen
  double shift = 0;                    ///< as in ShiftInvertSolver
  const Parallel* parallel = nullptr;  ///< borrowed; null: all cores
  Index dense_up_to = 400;             ///< rows
  double max_factor_flops = 2e10;      ///< a factor that costs more is not made
  double max_pattern_dimension = 2.3;  ///< nor one of a pattern of higher dimension, which fills in

  /// \param known orthonormal eigenvectors that are neither wanted nor computed again.
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which,
                                            const Matrix<typename A::Scalar>& known = {}) const {
    using Scalar = typename A::Scalar;
    const Index n = a.rows();
    if (n <= dense_up_to || 4 * (k + known.cols()) > n) return solve_densely(a, k, which, known);
    if constexpr (std::is_same_v<A, SparseMatrix<Scalar>>) {
      if (which == Which::smallest) {
        const double dimension = detail::pattern_dimension(a);
        if (dimension < max_pattern_dimension) {
          const SparseMatrix<double> in_double = a.template cast<double>();
          detail::ShiftedFactor<double> factor(in_double);
          if (factor.flops() < max_factor_flops)
            return shift_invert<Scalar>(in_double, factor, k, known, dimension);
        }
        auto pairs = lanczos(a, k, which, known);
        pairs.info.path += detail::text(" (pattern of dimension ", rounded(dimension), ")");
        return pairs;
      }
    }
    return lanczos(a, k, which, known);
  }

 private:
  static double rounded(double x) { return std::round(10 * x) / 10; }

  template <class A>
  EigenPairs<typename A::Scalar> lanczos(const A& a, Index k, Which which,
                                         const Matrix<typename A::Scalar>& known) const {
    return LanczosSolver{seed, tolerance, parallel}(a, k, which, known);
  }

  template <class Scalar, class Factor>
  EigenPairs<Scalar> shift_invert(const SparseMatrix<double>& A, Factor& factor, Index k,
                                  const Matrix<Scalar>& known, double dimension) const {
    EigenPairs<double> pairs = ShiftInvertSolver{seed, tolerance, shift, parallel}.solve(
        A, factor, k, known.template cast<double>());
    pairs.info.path += detail::text(" (pattern of dimension ", rounded(dimension), ", ",
                                    factor.fill() / 1e6, "M entries in the factor)");
    return pairs.template cast<Scalar>();
  }

  /// Known vectors are moved to the far end of the spectrum.
  template <class A>
  static EigenPairs<typename A::Scalar> solve_densely(const A& a, Index k, Which which,
                                                      const Matrix<typename A::Scalar>& known) {
    using Scalar = typename A::Scalar;
    if (known.cols() == 0) return DenseSolver{}(a, k, which);
    Matrix<Scalar> M;
    if constexpr (is_symmetric_operator_v<A>)
      M = materialise(OperatorOf<A>(a)).template cast<Scalar>();
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

}  // namespace unfurl
