#pragma once

#include <Eigen/SparseCholesky>
#include <cmath>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// A - sigma I = L D L^T of a symmetric sparse matrix in double, with the fill-reducing ordering
/// found once and used for every shift. (A template so that programs without sparse problems do not
/// compile it.)
template <class Real>
class ShiftedFactor {
 public:
  explicit ShiftedFactor(const SparseMatrix<Real>& A) : shifted_(with_diagonal(A)) {
    ldlt_.analyzePattern(shifted_);
  }

  /// Entries and multiplications of L foreseen by the symbolic analysis.
  double fill() const { return ldlt_.fill(); }
  double flops() const { return ldlt_.flops(); }

  /// \returns false when a pivot vanishes or the factor is not finite: move the shift.
  bool factorize(Real sigma) {
    for (Index j = 0; j < shifted_.cols(); ++j) shifted_.coeffRef(j, j) -= sigma - sigma_;
    sigma_ = sigma;
    ldlt_.factorize(shifted_);
    // Eigen reports success on NaN too.
    return ldlt_.info() == Eigen::Success && ldlt_.vectorD().allFinite();
  }

  /// Number of eigenvalues of A below sigma (Sylvester's law of inertia).
  Index n_below() const { return (ldlt_.vectorD().array() < 0).count(); }

  void solve(const Real* b, Real* x) const {
    const Index n = shifted_.rows();
    Eigen::Map<Vector<Real>>(x, n) = ldlt_.solve(Eigen::Map<const Vector<Real>>(b, n));
  }

  Index rows() const { return shifted_.rows(); }

 private:
  struct Factor : Eigen::SimplicialLDLT<SparseMatrix<Real>> {
    double fill() const { return this->m_nonZerosPerCol.template cast<double>().sum(); }
    double flops() const {
      return this->m_nonZerosPerCol.template cast<double>().array().square().sum();
    }
  };

  /// The pattern must hold the whole diagonal, so that a shift changes values only.
  static SparseMatrix<Real> with_diagonal(const SparseMatrix<Real>& A) {
    SparseMatrix<Real> identity(A.rows(), A.cols());
    identity.setIdentity();
    return A + Real(0) * identity;
  }

  SparseMatrix<Real> shifted_;
  Real sigma_ = 0;
  Factor ldlt_;
};

}  // namespace unfurl::detail
