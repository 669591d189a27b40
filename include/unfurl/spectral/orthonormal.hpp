#pragma once

#include <cstdint>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/products.hpp"

namespace unfurl::detail {

/// Turns columns [from, to) of W, given orthonormal columns before them, into orthonormal ones too:
/// Gram–Schmidt, each column orthogonalised twice, which is orthogonal to rounding ("twice is
/// enough", Giraud et al. 2005). A column that depends on those before it is replaced by a random
/// direction. \returns the coefficients R with W = Q R, zero on the diagonal for replaced columns.
inline Matrix<double> orthonormalise(Matrix<double>& W, Index from, Index to) {
  Matrix<double> R = Matrix<double>::Zero(to, to);
  for (Index j = from; j < to; ++j) {
    const DenseRef before = W.leftCols(j);
    Matrix<double> w = W.col(j);
    const double negligible = 1e-14 * w.norm();
    for (int pass = 0; pass < 2; ++pass) {
      const Matrix<double> along = inner_product(before, w);
      w -= product(before, along);
      R.col(j).head(j) += along;
    }
    double length = w.norm();
    R(j, j) = length > negligible ? length : 0;
    for (std::uint64_t attempt = 0; !(length > negligible); ++attempt) {
      w = Random(attempt, static_cast<std::uint64_t>(j)).normal_matrix<double>(W.rows(), 1);
      for (int pass = 0; pass < 3; ++pass) project_out(before, w);
      length = w.norm();
    }
    W.col(j) = w / length;
  }
  return R;
}

inline Matrix<double> orthonormalise(Matrix<double>& W) { return orthonormalise(W, 0, W.cols()); }

/// Orthonormal columns that span those of W.
template <class Scalar>
Matrix<Scalar> orthonormal(const Matrix<Scalar>& W) {
  Matrix<double> Q = W.template cast<double>();
  orthonormalise(Q);
  return Q.template cast<Scalar>();
}

}  // namespace unfurl::detail
