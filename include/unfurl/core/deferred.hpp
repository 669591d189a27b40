#pragma once

#include "unfurl/core/types.hpp"

/// The numerical functions of the spectral layer work in double and are templates all the same,
/// \code
///   template <class Real = double>
///   Matrix<Real> product(const ConstDense<Real>& A, const ConstDense<Real>& B);
/// \endcode
/// because a program compiles only those templates that it uses. Real is not deduced from
/// parameters of the types below, so any expression converts to them.
namespace unfurl::detail {

template <class Real>
struct NotDeduced {
  using Dense = Matrix<Real>;
  using ConstDense = ConstMatrixRef<Real>;
  using Column = Vector<Real>;
};

template <class Real>
using Dense = typename NotDeduced<Real>::Dense;

template <class Real>
using ConstDense = typename NotDeduced<Real>::ConstDense;

template <class Real>
using Column = typename NotDeduced<Real>::Column;

}  // namespace unfurl::detail
