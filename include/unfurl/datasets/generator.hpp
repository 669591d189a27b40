#pragma once

#include <cmath>
#include <cstdint>

#include "unfurl/core/error.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/datasets/dataset.hpp"

/// What the generators have in common.
namespace unfurl::detail {

inline constexpr double pi = 3.14159265358979323846;

inline void check_at_least(const char* generator, const char* parameter, Index value, Index low) {
  if (value < low)
    throw ParameterError(
        text(generator, ": ", parameter, " must be at least ", low, ", got ", value));
}

inline void check_length(const char* generator, const char* parameter, double value) {
  if (!(value >= 0 && std::isfinite(value)))
    throw ParameterError(
        text(generator, ": ", parameter, " must be finite and at least 0, got ", value));
}

/// Moves every entry of the points by noise * standard normal. From stream 1: the points themselves
/// are drawn from stream 0, so that noise does not change where they lie on the manifold.
inline void add_noise(Dataset<double>& data, double noise, std::uint64_t seed) {
  if (noise == 0) return;
  Random off_manifold(seed, 1);
  for (Index i = 0; i < data.points.rows(); ++i)
    for (Index j = 0; j < data.points.cols(); ++j)
      data.points(i, j) += noise * off_manifold.normal();
}

template <class Scalar>
Dataset<Scalar> converted(const Dataset<double>& data) {
  static_assert(is_scalar_v<Scalar>, "a generator of data: Scalar must be float or double");
  return {data.points.template cast<Scalar>(), data.coordinates.template cast<Scalar>(),
          data.labels};
}

}  // namespace unfurl::detail
