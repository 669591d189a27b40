#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "unfurl/core/error.hpp"
#include "unfurl/core/lanes.hpp"
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

template <class Scalar>
Scalar larger_or_nan(Scalar a, Scalar b) {
  return std::isnan(a) || a > b ? a : b;
}

/// The largest modulus of an entry; NaN when one is not finite.
template <class Scalar>
Scalar largest_modulus(const ConstMatrixRef<Scalar>& X, const Parallel& parallel) {
  if (X.size() == 0) return 0;
  return parallel.reduce(
      X.cols(), std::max<Index>(1, 32768 / X.rows()), Scalar(0),
      [&](const Parallel::Block& b) {
        Scalar largest = 0;
        for (Index j = b.begin; j < b.end; ++j)
          largest =
              larger_or_nan(largest, largest_modulus(X.rows(), X.data() + j * X.outerStride()));
        return largest;
      },
      larger_or_nan<Scalar>);
}

/// Of a matrix that has one: the first entry in reading order, as (row, column).
template <class Scalar>
std::pair<Index, Index> first_non_finite(const ConstMatrixRef<Scalar>& X) {
  Index row = 0, col = 0;
  while (std::isfinite(X(row, col)))
    if (++col == X.cols()) col = 0, ++row;
  return {row, col};
}

template <class Scalar>
[[noreturn]] void throw_non_finite(std::string_view where, const ConstMatrixRef<Scalar>& X) {
  const auto [row, col] = first_non_finite<Scalar>(X);
  throw DataError(text(where, ": the input contains ", std::isnan(X(row, col)) ? "NaN" : "Inf",
                       " at (row ", row, ", column ", col,
                       "); remove or impute such entries first"));
}

template <class Scalar>
void check_finite(std::string_view where, const ConstMatrixRef<Scalar>& X,
                  const Parallel& parallel) {
  if (std::isnan(largest_modulus<Scalar>(X, parallel))) throw_non_finite<Scalar>(where, X);
}

/// Finite, and squared distances between the rows do not overflow.
/// \param largest what largest_modulus says of X
template <class Scalar>
void check_magnitude(std::string_view where, const ConstMatrixRef<Scalar>& X, Scalar largest) {
  if (std::isnan(largest)) throw_non_finite<Scalar>(where, X);
  const double limit = std::sqrt(static_cast<double>((std::numeric_limits<Scalar>::max)()) / 8 /
                                 static_cast<double>(std::max<Index>(1, X.size())));
  if (static_cast<double>(largest) > limit)
    throw DataError(text(where, ": magnitude too large: an entry of modulus ", largest,
                         " has squares that overflow; rescale the data"));
}

template <class Scalar>
void check_magnitude(std::string_view where, const ConstMatrixRef<Scalar>& X,
                     const Parallel& parallel) {
  check_magnitude<Scalar>(where, X, largest_modulus<Scalar>(X, parallel));
}

/// \param largest what largest_modulus says of data to be fitted: squared differences of entries
/// ten
///   thousand times smaller must not vanish
template <class Scalar>
void check_not_vanishing(std::string_view where, Scalar largest) {
  if (largest > 0 && largest < Scalar(1e4) * std::sqrt((std::numeric_limits<Scalar>::min)()))
    throw DataError(text(where, ": magnitude too small: no entry has a larger modulus than ",
                         largest, ", whose squares vanish; rescale the data"));
}

/// Points: enough samples, at least one feature, finite, squarable.
/// \returns the largest modulus of an entry
template <class Scalar>
Scalar check_samples(std::string_view estimator, const ConstMatrixRef<Scalar>& X,
                     const Parallel& parallel, Index min_samples = 2) {
  if (X.rows() < min_samples)
    throw DataError(text(estimator, ": found ", X.rows(), X.rows() == 1 ? " sample" : " samples",
                         " (shape = (", X.rows(), ", ", X.cols(), ")), a minimum of ", min_samples,
                         " is required; samples are rows"));
  if (X.cols() < 1)
    throw DataError(text(estimator, ": found 0 features (shape=(", X.rows(),
                         ",0)), a minimum of 1 is required; features are columns"));
  const Scalar largest = largest_modulus<Scalar>(X, parallel);
  check_magnitude<Scalar>(estimator, X, largest);
  return largest;
}

/// The data given to `fit`.
template <class Scalar>
void check_training_samples(std::string_view estimator, const ConstMatrixRef<Scalar>& X,
                            const Parallel& parallel) {
  check_not_vanishing(estimator, check_samples<Scalar>(estimator, X, parallel));
}

inline void check_n_features(std::string_view where, Index given, Index n_features) {
  if (given != n_features)
    throw DimensionError(
        text(where, ": X has ", given, " features, expecting ", n_features, " as in fit"));
}

/// The data given to `transform`.
template <class Scalar>
void check_new_samples(std::string_view where, const ConstMatrixRef<Scalar>& X, Index n_features,
                       const Parallel& parallel) {
  check_n_features(where, X.cols(), n_features);
  check_magnitude<Scalar>(where, X, parallel);
}

/// Distances from new points (rows) to the training samples (columns).
template <class Scalar>
void check_new_distances(std::string_view where, const ConstMatrixRef<Scalar>& D, Index n_samples,
                         const Parallel& parallel) {
  if (D.cols() != n_samples)
    throw DimensionError(text(where, ": D has ", D.cols(), " columns, expecting ", n_samples,
                              " (one for each training point)"));
  check_magnitude<Scalar>(where, D, parallel);
  for (Index j = 0; j < D.cols(); ++j)
    for (Index i = 0; i < D.rows(); ++i)
      if (D(i, j) < 0) throw DataError(text(where, ": distances must be non-negative"));
}

/// Of a matrix that should be symmetric.
template <class Scalar>
struct DistanceExtremes {
  Scalar asymmetry = 0;  ///< largest modulus of a difference between mirror images
  Scalar lowest = 0;     ///< entry, or 0
  Scalar largest = 0;    ///< modulus; NaN when an entry is not finite

  /// At n entries and their mirror images.
  void look_at(Index n, const Scalar* here, const Scalar* there) {
    using namespace Eigen::internal;
    using Packet = typename Lanes<Scalar>::Packet;
    Packet least = pset1<Packet>(lowest), difference = pset1<Packet>(asymmetry);
    Index i = 0;
    for (; i + Lanes<Scalar>::packet_size <= n; i += Lanes<Scalar>::packet_size) {
      const Packet x = ploadu<Packet>(here + i), y = ploadu<Packet>(there + i);
      least = pmin(least, pmin(x, y));
      difference = pmax(difference, pabs(psub(x, y)));
    }
    lowest = predux_min(least);
    asymmetry = predux_max(difference);
    for (; i < n; ++i) {
      lowest = std::min({lowest, here[i], there[i]});
      asymmetry = std::max(asymmetry, std::abs(here[i] - there[i]));
    }
    largest =
        larger_or_nan(largest, larger_or_nan(largest_modulus(n, here), largest_modulus(n, there)));
  }
};

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

  // Tiles beside their mirror images, read once.
  constexpr Index tile = 64;
  using Extremes = DistanceExtremes<Scalar>;
  const Extremes found = parallel.reduce(
      n, tile, Extremes{},
      [&](const Parallel::Block& b) {
        Extremes e;
        Matrix<Scalar> mirrored(tile, tile);
        for (Index top = 0; top < b.end; top += tile) {
          const Index rows = std::min(tile, b.end - top);
          for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < b.size(); ++j) mirrored(i, j) = D(b.begin + j, top + i);
          for (Index j = 0; j < b.size(); ++j)
            e.look_at(rows, D.data() + top + (b.begin + j) * D.outerStride(),
                      mirrored.data() + tile * j);
        }
        return e;
      },
      [](const Extremes& a, const Extremes& b) {
        return Extremes{std::max(a.asymmetry, b.asymmetry), std::min(a.lowest, b.lowest),
                        larger_or_nan(a.largest, b.largest)};
      });
  check_magnitude<Scalar>(estimator, D, found.largest);
  check_not_vanishing(estimator, found.largest);
  if (found.lowest < 0)
    throw DataError(text(estimator, ": distances must be non-negative, got ", found.lowest));
  const Scalar tolerance =
      found.largest * std::max(Scalar(1e-10), 16 * std::numeric_limits<Scalar>::epsilon());
  for (Index i = 0; i < n; ++i)
    if (D(i, i) > tolerance)
      throw DataError(
          text(estimator, ": the diagonal of a distance matrix must be 0, got ", D(i, i)));
  if (found.asymmetry > tolerance) {
    Index row = 0, col = 0;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < j; ++i)
        if (std::abs(D(i, j) - D(j, i)) > std::abs(D(row, col) - D(col, row))) row = i, col = j;
    throw DataError(text(estimator, ": the distance matrix must be symmetric, but entries (", row,
                         ", ", col, ") and (", col, ", ", row, ") are ", D(row, col), " and ",
                         D(col, row), "; use (D + D^T) / 2 if that is what you mean"));
  }
}

}  // namespace unfurl::detail
