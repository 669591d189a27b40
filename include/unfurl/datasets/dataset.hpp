#pragma once

#include "unfurl/core/types.hpp"

namespace unfurl {

/// What a generator of data returns.
template <class Scalar = double>
struct Dataset {
  /// n x dimension of the surrounding space; rows are samples.
  Matrix<Scalar> points;
  /// n x dimension of the manifold: where each point truly lies on it. Straight-line distances
  /// between these are the distances along the manifold, where the generator says so.
  Matrix<Scalar> coordinates;
};

}  // namespace unfurl
