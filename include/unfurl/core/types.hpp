#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <type_traits>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "unfurl detects NaN and Inf in its input: compile without -ffast-math / -ffinite-math-only"
#endif
#if defined(__GNUC__) && !defined(__cpp_exceptions)
#error "unfurl reports errors by exceptions: compile without -fno-exceptions"
#endif

// What unfurl::compiled holds is only declared where it is used; see cmake/unfurlCompiled.cmake.
#if defined(UNFURL_COMPILED) && !defined(UNFURL_TEMPLATE)
#define UNFURL_TEMPLATE extern template
#endif

namespace unfurl {

/// Signed 64-bit on 64-bit machines; the type of every count and index in the interface.
using Index = Eigen::Index;

/// Dense matrices are column-major. Data handed to an estimator has one sample a row; inside the
/// neighbour layer the same points are stored one a column, so that a point is contiguous.
template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// A column.
template <class Scalar>
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

/// Compressed, with 32-bit indices: at most 2^31 - 1 rows and stored entries.
template <class Scalar>
using SparseMatrix = Eigen::SparseMatrix<Scalar>;

/// What `fit` and `transform` take: binds to any Eigen matrix, block or map without a copy when its
/// columns are contiguous, and to row-major data and expressions through one copy.
template <class Scalar>
using ConstMatrixRef = Eigen::Ref<const Matrix<Scalar>>;

/// The scalars an estimator works in.
template <class Scalar>
inline constexpr bool is_scalar_v = std::is_same_v<Scalar, float> || std::is_same_v<Scalar, double>;

}  // namespace unfurl
