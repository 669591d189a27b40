#pragma once

#include <vector>

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
  /// The part of the data that each point belongs to, where the generator has parts; else empty.
  std::vector<int> labels = {};
};

}  // namespace unfurl
