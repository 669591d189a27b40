#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/spectral/auto_solver.hpp"
#include "unfurl/spectral/certify.hpp"

/// Eigenpairs beside known ones: a Laplacian's constant vector, a walk's stationary one.
namespace unfurl::detail {

template <class Solver, class A, class = void>
inline constexpr bool takes_known_v = false;
template <class Solver, class A>
inline constexpr bool takes_known_v<Solver, A,
                                    std::void_t<decltype(std::declval<const Solver&>()(
                                        std::declval<const A&>(), Index{1}, Which::smallest,
                                        std::declval<const Matrix<typename A::Scalar>&>()))>> =
    true;

/// Lets a solver of this library use the threads and the seed of the fit and tell of its memory; a
/// user's own has its own.
template <class Solver>
Solver configured(Solver solver, Run& run, std::uint64_t seed) {
  if constexpr (std::is_same_v<Solver, AutoSolver> || std::is_same_v<Solver, LanczosSolver> ||
                std::is_same_v<Solver, ShiftInvertSolver>) {
    solver.parallel = &run.parallel();
    solver.seed = seed;
  }
  if constexpr (std::is_same_v<Solver, AutoSolver>) solver.run = &run;
  return solver;
}

/// The k pairs at one end of the spectrum of a matrix, not counting those of the known vectors,
/// which lie at that end; certified and reported. In double.
/// \param known orthonormal
/// \param scale |A|
template <class A, class Solver>
EigenPairs<double> pairs_beside(const A& a, const SymmetricOperator& op, Index k, Which which,
                                const Matrix<double>& known, double scale, const Solver& solver,
                                std::uint64_t seed, Run& run) {
  using Scalar = typename A::Scalar;
  EigenPairs<Scalar> pairs;
  if constexpr (takes_known_v<Solver, A>) {
    pairs = configured(solver, run, seed)(a, k, which, converted<Scalar>(known));
  } else {
    pairs = solver(a, k + known.cols(), which);
    if (pairs.values.size() > k) pairs.values = pairs.values.tail(k).eval();
    if (pairs.vectors.cols() > k) pairs.vectors = pairs.vectors.rightCols(k).eval();
  }
  certify(run.name(), op, pairs, k, which, scale);
  report_spectrum(pairs, run.report());
  return pairs.template cast<double>();
}

}  // namespace unfurl::detail
