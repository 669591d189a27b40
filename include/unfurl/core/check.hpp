#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

/// Checks at the boundary of the library. Each builds the whole message: who, which rule, what was
/// given, what would do.
namespace unfurl::detail {

inline void require_fitted(bool fitted, const char* estimator, const char* member) {
  if (!fitted)
    throw NotFittedError(text(estimator, "::", member, ": this ", estimator,
                              " is not fitted yet; call fit or fit_transform first"));
}

template <class Value>
void check_range(std::string_view estimator, const char* parameter, Value value, Value low,
                 Value high, std::string_view why = "") {
  if (!(value >= low && value <= high))  // also catches NaN
    throw ParameterError(text(estimator, ": ", parameter, " must be in [", low, ", ", high,
                              "], got ", value, why.empty() ? "" : " (", why,
                              why.empty() ? "" : ")"));
}

/// The first non-finite entry in reading order, as (row, column), or (-1, -1).
template <class Scalar>
std::pair<Index, Index> first_non_finite(const ConstMatrixRef<Scalar>& X,
                                         const Parallel& parallel) {
  const std::pair<Index, Index> none(-1, -1);
  // x * 0 is NaN exactly when x is not finite, and sums of it are vectorised.
  const Index block = std::max<Index>(1, 100000 / std::max<Index>(1, X.rows()));
  const bool clean = parallel.reduce(
      X.cols(), block, true,
      [&](const Parallel::Block& b) {
        return !std::isnan((X.middleCols(b.begin, b.size()) * Scalar(0)).sum());
      },
      [](bool all, bool part) { return all && part; });
  if (clean) return none;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j)
      if (!std::isfinite(X(i, j))) return {i, j};
  return none;
}

template <class Scalar>
void check_finite(std::string_view where, const ConstMatrixRef<Scalar>& X,
                  const Parallel& parallel) {
  const auto [row, col] = first_non_finite<Scalar>(X, parallel);
  if (row >= 0)
    throw DataError(text(where, ": the input contains ", std::isnan(X(row, col)) ? "NaN" : "Inf",
                         " at (row ", row, ", column ", col,
                         "); remove or impute such entries first"));
}

/// Squared distances between the rows must not overflow.
template <class Scalar>
void check_magnitude(std::string_view where, const ConstMatrixRef<Scalar>& X,
                     const Parallel& parallel) {
  if (X.size() == 0) return;
  const Index block = std::max<Index>(1, 100000 / X.rows());
  const Scalar largest = parallel.reduce(
      X.cols(), block, Scalar(0),
      [&](const Parallel::Block& b) {
        return X.middleCols(b.begin, b.size()).cwiseAbs().maxCoeff();
      },
      [](Scalar a, Scalar b) { return std::max(a, b); });
  const double limit = std::sqrt(static_cast<double>((std::numeric_limits<Scalar>::max)()) / 8 /
                                 static_cast<double>(std::max<Index>(1, X.size())));
  if (static_cast<double>(largest) > limit)
    throw DataError(text(where, ": magnitude too large: an entry of modulus ", largest,
                         " has squares that overflow; rescale the data"));
}

/// The data given to `fit`: enough samples, at least one feature, finite, squarable.
template <class Scalar>
void check_samples(std::string_view estimator, const ConstMatrixRef<Scalar>& X,
                   const Parallel& parallel, Index min_samples = 2) {
  if (X.rows() < min_samples)
    throw DataError(text(estimator, ": found ", X.rows(), X.rows() == 1 ? " sample" : " samples",
                         " (shape = (", X.rows(), ", ", X.cols(), ")), a minimum of ", min_samples,
                         " is required; samples are rows"));
  if (X.cols() < 1)
    throw DataError(text(estimator, ": found 0 features (shape=(", X.rows(),
                         ",0)), a minimum of 1 is required; features are columns"));
  check_finite<Scalar>(estimator, X, parallel);
  check_magnitude<Scalar>(estimator, X, parallel);
}

/// The data given to `transform`.
template <class Scalar>
void check_new_samples(std::string_view where, const ConstMatrixRef<Scalar>& X, Index n_features,
                       const Parallel& parallel) {
  if (X.cols() != n_features)
    throw DimensionError(
        text(where, ": X has ", X.cols(), " features, expecting ", n_features, " as in fit"));
  check_finite<Scalar>(where, X, parallel);
  check_magnitude<Scalar>(where, X, parallel);
}

/// Distances from new points (rows) to the training samples (columns).
template <class Scalar>
void check_new_distances(std::string_view where, const ConstMatrixRef<Scalar>& D, Index n_samples,
                         const Parallel& parallel) {
  if (D.cols() != n_samples)
    throw DimensionError(text(where, ": D has ", D.cols(), " columns, expecting ", n_samples,
                              " (one for each training point)"));
  check_finite<Scalar>(where, D, parallel);
  check_magnitude<Scalar>(where, D, parallel);
  if (D.size() > 0 && D.minCoeff() < 0)
    throw DataError(text(where, ": distances must be non-negative"));
}

/// A matrix of pairwise distances: square, finite, non-negative, symmetric, zero diagonal.
template <class Scalar>
void check_distances(std::string_view estimator, const ConstMatrixRef<Scalar>& D,
                     const Parallel& parallel, Index min_samples = 2) {
  if (D.rows() != D.cols())
    throw DataError(text(estimator, ": the distance matrix must be square, got shape (", D.rows(),
                         ", ", D.cols(), ")"));
  const Index n = D.rows();
  if (n < min_samples)
    throw DataError(text(estimator, ": found ", n, n == 1 ? " sample" : " samples",
                         " in the distance matrix, a minimum of ", min_samples, " is required"));
  check_finite<Scalar>(estimator, D, parallel);
  check_magnitude<Scalar>(estimator, D, parallel);

  struct Worst {
    Scalar asymmetry = 0, lowest = 0, diagonal = 0, largest = 0;
    Index i = 0, j = 0;
  };
  // Tiles, so that both D(i, j) and D(j, i) are read from cache.
  constexpr Index tile = 64;
  const Worst worst = parallel.reduce(
      n, tile, Worst{},
      [&](const Parallel::Block& b) {
        Worst w;
        for (Index top = 0; top < b.end; top += tile)
          for (Index j = b.begin; j < b.end; ++j)
            for (Index i = top; i < std::min(top + tile, j + 1); ++i) {
              const Scalar upper = D(i, j), lower = D(j, i), gap = std::abs(upper - lower);
              if (gap > w.asymmetry) w.asymmetry = gap, w.i = i, w.j = j;
              w.lowest = std::min({w.lowest, upper, lower});
              w.largest = std::max({w.largest, upper, lower});
              if (i == j) w.diagonal = std::max(w.diagonal, std::abs(upper));
            }
        return w;
      },
      [](Worst a, const Worst& b) {
        if (b.asymmetry > a.asymmetry) a.asymmetry = b.asymmetry, a.i = b.i, a.j = b.j;
        a.lowest = std::min(a.lowest, b.lowest);
        a.largest = std::max(a.largest, b.largest);
        a.diagonal = std::max(a.diagonal, b.diagonal);
        return a;
      });
  const Scalar tolerance =
      worst.largest * std::max(Scalar(1e-10), 16 * std::numeric_limits<Scalar>::epsilon());
  if (worst.lowest < 0)
    throw DataError(text(estimator, ": distances must be non-negative, got ", worst.lowest));
  if (worst.diagonal > tolerance)
    throw DataError(
        text(estimator, ": the diagonal of a distance matrix must be 0, got ", worst.diagonal));
  if (worst.asymmetry > tolerance)
    throw DataError(text(estimator, ": the distance matrix must be symmetric, but entries (",
                         worst.i, ", ", worst.j, ") and (", worst.j, ", ", worst.i, ") are ",
                         D(worst.i, worst.j), " and ", D(worst.j, worst.i),
                         "; use (D + D^T) / 2 if that is what you mean"));
}

}  // namespace unfurl::detail
