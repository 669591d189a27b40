#pragma once

#include <string_view>

#include "unfurl/core/error.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// What `transform` gives back, one new point a row: finite, whatever numbers the model has.
/// \throws NumericalError
template <class Scalar>
Matrix<Scalar> finite_places(std::string_view where, Matrix<Scalar> Y) {
  if (!all_finite(Y.size(), Y.data()))
    throw NumericalError(text(where,
                              ": a new point has no finite place: it, or the model, has numbers "
                              "too large for ",
                              sizeof(Scalar) == 4 ? "float" : "double"));
  return Y;
}

}  // namespace unfurl::detail
