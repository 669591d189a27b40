#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

/// Which end of the spectrum, algebraically. `largest` gives values descending, `smallest`
/// ascending.
enum class Which { largest, smallest };

/// How eigenpairs were found and what is known of them.
struct SolveInfo {
  std::string path = "";  ///< e.g. "Lanczos, 41 products"
  bool complete = false;  ///< no eigenvalue at the wanted end was missed, multiplicities included
  std::string evidence = "";  ///< what shows completeness, or why it is not known
  double max_residual = 0;    ///< largest |A v - lambda v| relative to |A|; set by certify
  /// The first eigenvalue beyond the wanted ones; NaN where it was not computed.
  double next_value = std::numeric_limits<double>::quiet_NaN();
};

/// k eigenvalues with orthonormal eigenvectors in the columns of `vectors`.
template <class Scalar>
struct EigenPairs {
  Vector<Scalar> values;   ///< descending for Which::largest, ascending for Which::smallest
  Matrix<Scalar> vectors;  ///< n x k, orthonormal columns in the order of the values
  SolveInfo info = {};     ///< how they were found

  /// The same pairs in another precision.
  template <class Other>
  EigenPairs<Other> cast() const {
    if constexpr (std::is_same_v<Scalar, Other>)
      return *this;
    else
      return {detail::converted<Other>(values), detail::converted<Other>(vectors), info};
  }
};

/// +1 or -1 for each column: the sign that makes its entry of largest modulus positive. Among
/// entries that nearly tie for the largest the first decides, so symmetric data do not flip by
/// rounding.
template <class Derived>
Vector<typename Derived::Scalar> column_signs(const Eigen::MatrixBase<Derived>& columns) {
  using Scalar = typename Derived::Scalar;
  const Scalar near_tie = 1 - std::sqrt(std::numeric_limits<Scalar>::epsilon());
  Vector<Scalar> signs = Vector<Scalar>::Ones(columns.cols());
  for (Index j = 0; j < columns.cols(); ++j) {
    if (columns.rows() == 0) continue;
    Scalar largest = 0;
    for (Index i = 0; i < columns.rows(); ++i) largest = std::max(largest, std::abs(columns(i, j)));
    const Scalar enough = near_tie * largest;
    Index i = 0;
    while (i + 1 < columns.rows() && !(std::abs(columns(i, j)) >= enough)) ++i;
    if (columns(i, j) < 0) signs(j) = Scalar(-1);
  }
  return signs;
}

/// Turns each column to the sign of `column_signs`.
template <class Scalar>
void fix_signs(Matrix<Scalar>& columns) {
  const Vector<Scalar> signs = column_signs(columns);
  for (Index j = 0; j < columns.cols(); ++j)
    for (Index i = 0; i < columns.rows(); ++i) columns(i, j) *= signs(j);
}

}  // namespace unfurl
