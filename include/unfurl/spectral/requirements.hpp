#pragma once

#include <type_traits>
#include <utility>

#include "unfurl/core/types.hpp"
#include "unfurl/spectral/eigen_pairs.hpp"

/// What the spectral layer asks of a symmetric operator and of an eigensolver.
///
/// A symmetric operator has the members that Spectra asks for, so one class serves both:
/// \code
///   struct Scaled {                                  // x -> 2 x
///     using Scalar = double;
///     Eigen::Index n;
///     Eigen::Index rows() const { return n; }
///     Eigen::Index cols() const { return n; }
///     void perform_op(const double* x, double* y) const {
///       for (Eigen::Index i = 0; i < n; ++i) y[i] = 2 * x[i];
///     }
///   };
/// \endcode
///
/// An eigensolver is callable with a dense matrix, a sparse matrix or an operator and returns
/// exactly k orthonormal pairs, ordered as `Which` says; it throws ConvergenceError otherwise:
/// \code
///   struct MySolver {
///     template <class A>
///     unfurl::EigenPairs<double> operator()(const A& a, Eigen::Index k, unfurl::Which which)
///     const;
///   };
/// \endcode
namespace unfurl {

/// Op has the members of a symmetric operator.
template <class Op, class = void>
inline constexpr bool is_symmetric_operator_v = false;

template <class Op>
inline constexpr bool is_symmetric_operator_v<
    Op, std::void_t<typename Op::Scalar, decltype(std::declval<const Op&>().rows()),
                    decltype(std::declval<const Op&>().perform_op(
                        std::declval<const typename Op::Scalar*>(),
                        std::declval<typename Op::Scalar*>()))>> = true;

/// Solver can be called for eigenpairs of an A and returns them.
template <class Solver, class A, class = void>
inline constexpr bool is_eigen_solver_v = false;

template <class Solver, class A>
inline constexpr bool is_eigen_solver_v<Solver, A,
                                        std::void_t<decltype(std::declval<const Solver&>()(
                                            std::declval<const A&>(), Index{1}, Which::largest))>> =
    std::is_convertible_v<decltype(std::declval<const Solver&>()(std::declval<const A&>(), Index{1},
                                                                 Which::largest)),
                          EigenPairs<typename A::Scalar>>;

}  // namespace unfurl
