#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "unfurl/core/check.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Finite, and small enough that squared distances do not overflow. Points are columns here, rows
/// to the user: the message speaks of samples and features.
template <class Scalar>
void check_coordinates(std::string_view caller, const Matrix<Scalar>& points) {
  // x * 0 is NaN exactly when x is not finite, and sums of it are vectorised.
  if (std::isnan((points.array() * Scalar(0)).sum()))
    for (Index j = 0; j < points.cols(); ++j)
      for (Index i = 0; i < points.rows(); ++i)
        if (!std::isfinite(points(i, j)))
          throw DataError(text(caller, ": the input contains ",
                               std::isnan(points(i, j)) ? "NaN" : "Inf", " at (row ", j,
                               ", column ", i, "); remove or impute such entries first"));
  check_magnitude<Scalar>(caller, points, Parallel(1));
}

/// The points an index is built on, one a column.
template <class Scalar>
void check_points(std::string_view caller, const Matrix<Scalar>& points) {
  if (points.cols() < 1)
    throw DataError(text(caller, ": found 0 samples, a minimum of 1 is required"));
  if (points.rows() < 1)
    throw DataError(text(caller, ": found 0 features (shape=(", points.cols(),
                         ",0)), a minimum of 1 is required; features are columns"));
  check_coordinates(caller, points);
}

/// Points to be looked up in an index of the given dimension, one a column.
template <class Scalar>
void check_queries(std::string_view caller, const Matrix<Scalar>& queries, Index dimension) {
  check_n_features(caller, queries.rows(), dimension);
  check_coordinates(caller, queries);
}

template <class Caller>
void check_n_neighbors(const Caller& caller, Index n_neighbors, Index most, Index n_samples) {
  if (n_neighbors >= 1 && n_neighbors <= most) return;  // asked at every query: no text is made
  check_range<Index>(caller, "n_neighbors", n_neighbors, 1, most, text("n_samples = ", n_samples));
}

/// A search that ends with fewer than k points has met distances that are not numbers.
inline void require_complete(const char* search, bool complete) {
  if (!complete)
    throw DataError(
        text(search,
             ": the query contains NaN or Inf, or squared distances to it "
             "overflow; every point must be finite and rescaled if its entries are huge"));
}

}  // namespace unfurl::detail
