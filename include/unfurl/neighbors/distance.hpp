#pragma once

#include <cmath>
#include <limits>

#include "unfurl/core/types.hpp"

// One copy in the whole program, not specialised for any caller.
#if defined(__clang__)
#define UNFURL_ONE_COPY __attribute__((noinline))
#elif defined(__GNUC__)
#define UNFURL_ONE_COPY __attribute__((noinline, noclone))
#elif defined(_MSC_VER)
#define UNFURL_ONE_COPY __declspec(noinline)
#else
#define UNFURL_ONE_COPY
#endif

namespace unfurl::detail {

// Two searches agree to the bit only if a distance is rounded the same way wherever it is computed.
// A compiler may fuse a product and a sum at one place it inlines to and not at another. So for few
// features, where inlining pays, fusing is spelled out; for many there is one copy of the code.

/// sum + t * t, fused where the machine can.
template <class Scalar>
inline Scalar add_square(Scalar sum, Scalar t) {
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
  return std::fma(t, t, sum);
#else
  const Scalar square = t * t;
  return sum + square;
#endif
}

/// Vectorised. Eigen sums in an order that depends on d alone, not on addresses.
template <class Scalar>
UNFURL_ONE_COPY Scalar squared_distance_of_many(const Scalar* a, const Scalar* b, Index d) {
  using Point = Eigen::Map<const Vector<Scalar>>;
  return (Point(a, d) - Point(b, d)).squaredNorm();
}

/// Squared Euclidean distance: the one function behind every distance this layer returns. Without
/// over- or underflow its relative error is at most (d + 3) / 2 epsilon, and it is symmetric to the
/// bit.
template <class Scalar>
inline Scalar squared_distance(const Scalar* a, const Scalar* b, Index d) {
  if (d >= 8) return squared_distance_of_many(a, b, d);
  Scalar sum = 0;
  for (Index i = 0; i < d; ++i) sum = add_square(sum, a[i] - b[i]);
  return sum;
}

/// A bound on the squared distances whose roots are at most `distance`, with room for the rounding
/// of squared_distance, of the root, and of a kd-tree's bound on a cell (which is updated once a
/// level: 3/2 epsilon each). The absolute term covers squares that underflow, and a distance of 0.
template <class Scalar>
inline Scalar generous_square(Scalar distance, Index d) {
  const Scalar slack = 4 * static_cast<Scalar>(d + 256) * std::numeric_limits<Scalar>::epsilon();
  return distance * distance * (1 + slack) + (std::numeric_limits<Scalar>::min)();
}

}  // namespace unfurl::detail

#undef UNFURL_ONE_COPY
