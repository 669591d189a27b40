#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/report.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/spectral/eigen_pairs.hpp"
#include "unfurl/spectral/operators.hpp"

namespace unfurl {

/// Checks what any solver, also a user's own, has returned: shape, finiteness, order, orthonormal
/// vectors and residuals |A v - lambda v|. Multiplicities cannot be seen from the pairs; that part
/// of the certificate is `info.complete`, the solver's word.
/// \param estimator begins the text of an error.
/// \param op the operator A.
/// \param pairs what the solver returned; `info.max_residual` is set.
/// \param k number of pairs asked for.
/// \param which end of the spectrum.
/// \param scale |A|, to which residuals are relative.
/// \throws ConvergenceError when the pairs are not eigenpairs.
template <class Scalar>
void certify(std::string_view estimator, const SymmetricOperator& op, EigenPairs<Scalar>& pairs,
             Index k, Which which, double scale) {
  const Index n = op.rows();
  const auto refuse = [&](std::string_view why, double residual) {
    throw ConvergenceError(
        detail::text(estimator, ": the eigensolver's result is not usable: ", why), k,
        std::min(k, pairs.values.size()), 0, residual);
  };
  const double infinity = std::numeric_limits<double>::infinity();
  if (pairs.values.size() != k || pairs.vectors.cols() != k || pairs.vectors.rows() != n)
    refuse(detail::text("asked for ", k, " pairs of length ", n, ", got ", pairs.values.size(),
                        " values and vectors of shape (", pairs.vectors.rows(), ", ",
                        pairs.vectors.cols(), ")"),
           infinity);
  if (!detail::all_finite(k, pairs.values.data()) ||
      !detail::all_finite(n * k, pairs.vectors.data()))
    refuse("it contains NaN or Inf", infinity);
  const double slack = (std::is_same_v<Scalar, double> ? 1e-10 : 1e-4) * std::max(scale, 1e-300);
  for (Index j = 1; j < k; ++j) {
    const double step =
        static_cast<double>(pairs.values(j)) - static_cast<double>(pairs.values(j - 1));
    if ((which == Which::largest ? step : -step) > slack)
      refuse("eigenvalues out of order", infinity);
  }

  const Matrix<double> V = detail::converted<double>(pairs.vectors);
  const Matrix<double> inner = detail::inner_product(V, V);
  double departure = 0;
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < k; ++i)
      if (const double off = std::abs(inner(i, j) - (i == j ? 1 : 0)); !(off <= departure))
        departure = off;  // NaN too
  const double tolerance = std::is_same_v<Scalar, double> ? 1e-7 : 2e-3;
  if (!(departure <= tolerance))
    refuse(detail::text("vectors orthonormal only to ", departure), departure);
  // Relative before squares are taken, which may overflow.
  const double unit = scale > 0 ? scale : 1;
  const Matrix<double> image = apply(op, V);
  pairs.info.max_residual = 0;
  for (Index j = 0; j < k; ++j) {
    const double value = static_cast<double>(pairs.values(j));
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      const double part = (image(i, j) - value * V(i, j)) / unit;
      sum += part * part;
    }
    if (!(std::sqrt(sum) <= pairs.info.max_residual)) pairs.info.max_residual = std::sqrt(sum);
  }
  if (!(pairs.info.max_residual <= tolerance))
    refuse(detail::text("residual ", pairs.info.max_residual), pairs.info.max_residual);
}

/// Writes the solver's path, the certificate and the eigengap into the report.
template <class Scalar>
void report_spectrum(const EigenPairs<Scalar>& pairs, FitReport& report) {
  const SolveInfo& info = pairs.info;
  report.solver = info.path;
  report.max_residual = info.max_residual;
  report.certified = info.complete;
  report.certificate =
      info.complete ? info.evidence
                    : "not certified: " + (info.evidence.empty()
                                               ? "the solver does not tell whether eigenvalues are "
                                                 "missing"
                                               : info.evidence);
  const Index k = pairs.values.size();
  if (k > 0 && std::isfinite(info.next_value)) {
    const double largest = std::max<double>(std::abs(info.next_value),
                                            detail::largest_modulus(k, pairs.values.data()));
    report.eigengap =
        largest > 0 ? std::abs(static_cast<double>(pairs.values(k - 1)) - info.next_value) / largest
                    : 0;
  }
}

#ifdef UNFURL_COMPILED
UNFURL_TEMPLATE void certify<double>(std::string_view, const SymmetricOperator&,
                                     EigenPairs<double>&, Index, Which, double);
#endif

}  // namespace unfurl
