#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

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
  Vector<Scalar> values;
  Matrix<Scalar> vectors;
  SolveInfo info = {};
};

/// Turns each column so that its entry of largest modulus is positive; among entries that nearly
/// tie for the largest the first decides, so symmetric data do not flip by rounding.
template <class Derived>
void fix_signs(Eigen::MatrixBase<Derived>& columns) {
  using Scalar = typename Derived::Scalar;
  const Scalar near_tie = 1 - std::sqrt(std::numeric_limits<Scalar>::epsilon());
  for (Index j = 0; j < columns.cols(); ++j) {
    const Scalar largest = columns.rows() > 0 ? columns.col(j).cwiseAbs().maxCoeff() : Scalar(0);
    for (Index i = 0; i < columns.rows(); ++i) {
      if (std::abs(columns(i, j)) < near_tie * largest) continue;
      if (columns(i, j) < 0) columns.col(j) *= Scalar(-1);
      break;
    }
  }
}

namespace detail {

/// The positions of the k values at the wanted end, best first; equal values by position.
template <class Values>
std::vector<Index> order_by(const Values& values, Index k, Which which) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return which == Which::largest ? values(a) > values(b) : values(a) < values(b);
  });
  order.resize(static_cast<std::size_t>(k));
  return order;
}

}  // namespace detail
}  // namespace unfurl
