#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/spectral/auto_solver.hpp"
#include "unfurl/spectral/centered_rows.hpp"
#include "unfurl/spectral/certify.hpp"
#include "unfurl/spectral/orthonormal.hpp"
#include "unfurl/spectral/small_svd.hpp"
#include "unfurl/spectral/solver_memory.hpp"

namespace unfurl {

/// How the principal axes are found.
enum class PCASolver {
  /// The cheapest exact one for the shape at hand.
  automatic,
  /// All singular values: without squaring the data while the smaller side is at most 256, else
  /// from
  /// all eigenvalues of the smaller of scatter and Gram matrix.
  full,
  /// Products with the data alone: nothing of size p x p or n x n is formed.
  lanczos,
  /// Approximate, for when a few per cent will do (Halko, Martinsson and Tropp 2011).
  randomized
};

namespace detail {

struct AxesOptions {
  Index k = 0;
  PCASolver solver = PCASolver::automatic;
  Index n_oversamples = 10;
  Index n_power_iterations = 4;
  bool all_values = false;  ///< every singular value is wanted, not just the first k
  std::uint64_t seed = 0;
  double bytes_later = 0;  ///< that the caller will take when the axes are known
};

/// The k leading right singular vectors of the centred data.
template <class Scalar>
struct PrincipalAxes {
  Matrix<Scalar> axes;            // p x k, orthonormal
  Vector<double> squared_values;  // squared singular values: all of them, or the first k
  Matrix<Scalar> scatter;         // Xc^T Xc or Xc Xc^T where it was formed, else empty
  SolveInfo info;
};

/// Xc = Q R, R = U S V^T: all singular values to full relative accuracy.
template <class Scalar>
PrincipalAxes<Scalar> axes_by_svd(const CenteredRows<Scalar>& Xc, const AxesOptions& options,
                                  Run& run) {
  const Index n = Xc.n(), p = Xc.p(), k = options.k;
  const double size = static_cast<double>(n) * static_cast<double>(p);
  const double side = static_cast<double>(std::min(n, p));
  run.foresee("the centred data", (8 + sizeof(Scalar)) * size, 32 * side * side,
              options.bytes_later);
  run.stage("singular values");
  const Matrix<Scalar> centred = Xc.materialise();
  Matrix<double> Q(std::max(n, p), std::min(n, p));
  for (Index j = 0; j < p; ++j)
    for (Index i = 0; i < n; ++i) (n < p ? Q(j, i) : Q(i, j)) = static_cast<double>(centred(i, j));
  const SmallSVD<double> svd = small_svd(orthonormalise(Q));
  Matrix<double> axes = columns(svd.V, 0, k);
  if (n < p) {  // Xc^T = Q R = (Q U) S V^T
    Matrix<double> U = columns(svd.US, 0, k);
    orthonormalise(U);
    axes = product(Q, U);
  }

  PrincipalAxes<Scalar> result;
  result.axes = converted<Scalar>(axes);
  result.squared_values = svd.singular_values;
  for (double& value : result.squared_values) value *= value;
  result.info.path = text("SVD of ", n, " x ", p);
  result.info.complete = true;
  result.info.evidence = "all singular values were computed";
  if (k < result.squared_values.size()) result.info.next_value = result.squared_values(k);
  return result;
}

/// Eigenvalues of a matrix of inner products, rid of rounding errors below 0.
template <class Real>
Vector<Real> squared_values_of(Vector<Real> eigenvalues) {
  for (Real& value : eigenvalues) value = std::max(value, Real(0));
  return eigenvalues;
}

/// Vectors of the n x n side become axes: orthonormal also where the singular value is zero.
template <class Scalar>
Matrix<Scalar> axes_from_scores(const CenteredRows<Scalar>& Xc, const Matrix<Scalar>& U) {
  return orthonormal(Xc.transposed_times(U));
}

/// Eigenpairs of the smaller of Xc^T Xc and Xc Xc^T.
template <class Scalar>
PrincipalAxes<Scalar> axes_by_products(const CenteredRows<Scalar>& Xc, const AxesOptions& options,
                                       Run& run) {
  const bool of_features = Xc.p() <= Xc.n();
  const Index side = std::min(Xc.n(), Xc.p());
  const double matrix = sizeof(Scalar) * static_cast<double>(side) * static_cast<double>(side);
  AutoSolver solver;
  const Index n_pairs = options.all_values ? side : options.k;
  const bool densely = side <= solver.dense_up_to || 4 * n_pairs > side;
  run.foresee(of_features ? "the scatter matrix" : "the Gram matrix", matrix,
              densely ? dense_solver_bytes(side, n_pairs)
                      : block_lanczos_bytes(side, n_pairs, run.parallel().n_threads()),
              std::max(Xc.inner_products_bytes(of_features), matrix + options.bytes_later));
  run.stage(of_features ? "covariance" : "inner products");
  PrincipalAxes<Scalar> result;
  result.scatter = of_features ? Xc.scatter() : Xc.gram();

  run.stage("eigenpairs", true);
  const Index k = n_pairs;
  solver.seed = options.seed;
  solver.parallel = &run.parallel();
  EigenPairs<Scalar> pairs = solver(result.scatter, k, Which::largest);
  certify(run.name(), DenseOperator<Scalar>(result.scatter, run.parallel()), pairs, k,
          Which::largest, largest_modulus(k, pairs.values.data()));
  result.squared_values = squared_values_of(converted<double>(pairs.values));
  const Matrix<Scalar> leading = columns(pairs.vectors, 0, options.k);
  result.axes = of_features ? leading : axes_from_scores(Xc, leading);
  result.info = pairs.info;
  result.info.path =
      text(of_features ? "covariance " : "Gram matrix ", side, " x ", side, ", ", pairs.info.path);
  if (options.k < k) result.info.next_value = result.squared_values(options.k);
  return result;
}

template <class Scalar>
PrincipalAxes<Scalar> axes_by_lanczos(const CenteredRows<Scalar>& Xc, const AxesOptions& options,
                                      Run& run) {
  const bool of_features = Xc.p() <= Xc.n();
  run.foresee("the Krylov space", 0, block_lanczos_bytes(std::min(Xc.n(), Xc.p()), options.k),
              options.bytes_later);
  run.stage("eigenpairs", true);
  const CenteredProduct<Scalar> op(Xc, of_features);
  LanczosSolver solver;
  solver.seed = options.seed;
  EigenPairs<double> pairs = solver(op, options.k, Which::largest);
  certify(run.name(), op, pairs, options.k, Which::largest,
          largest_modulus(options.k, pairs.values.data()));
  PrincipalAxes<Scalar> result;
  result.squared_values = squared_values_of(pairs.values);
  const Matrix<Scalar> vectors = converted<Scalar>(pairs.vectors);
  result.axes = of_features ? vectors : axes_from_scores(Xc, vectors);
  result.info = pairs.info;
  result.info.path += " on the data";
  return result;
}

/// Halko, Martinsson and Tropp (2011), algorithms 4.4 and 5.1: the range of Xc^T found by products
/// with a random matrix and normalised power iterations.
template <class Scalar>
PrincipalAxes<Scalar> axes_by_random_projection(const CenteredRows<Scalar>& Xc,
                                                const AxesOptions& options, Run& run) {
  const Index width = std::min({Xc.n(), Xc.p(), options.k + options.n_oversamples});
  constexpr double size = sizeof(Scalar);
  run.foresee("the projections", 0,
              static_cast<double>(width) * ((8 + size) * static_cast<double>(Xc.n()) +
                                            4.2 * size * static_cast<double>(Xc.p())),
              options.bytes_later);
  run.stage("random projection", true);
  Matrix<Scalar> V = Random(options.seed, 1).normal_matrix<Scalar>(Xc.p(), width);
  for (Index i = 0; i <= options.n_power_iterations; ++i)
    V = orthonormal(Xc.transposed_times(Xc.times(V)));
  const Matrix<double> scores = converted<double>(Xc.times(V));
  const EigenPairs<double> pairs =
      solve_densely(inner_product(scores, scores), options.k, Which::largest);
  PrincipalAxes<Scalar> result;
  result.squared_values = squared_values_of(pairs.values);
  result.axes = converted<Scalar>(product(converted<double>(V), pairs.vectors));
  result.info.path = text("randomized, ", options.n_power_iterations, " power iterations, ",
                          options.n_oversamples, " extra vectors");
  result.info.evidence = "a randomized projection is an approximation";
  return result;
}

/// PCASolver::automatic: small data go through the SVD, which does not square the condition number.
/// Then comes the smaller of scatter and Gram matrix, formed once at the speed of matrix products
/// and exact, until squaring costs more than the passes over the data that Lanczos needs.
template <class Scalar>
PrincipalAxes<Scalar> principal_axes(const CenteredRows<Scalar>& Xc, AxesOptions options,
                                     Run& run) {
  const Index side = std::min(Xc.n(), Xc.p());
  const double work =
      static_cast<double>(Xc.n()) * static_cast<double>(Xc.p()) * static_cast<double>(side);
  const bool automatic = options.solver == PCASolver::automatic;
  if (side <= 256 && (options.solver == PCASolver::full || (automatic && work <= 2e7)))
    return axes_by_svd(Xc, options, run);
  if (options.solver == PCASolver::randomized) return axes_by_random_projection(Xc, options, run);
  if (options.solver == PCASolver::lanczos ||
      (automatic && !options.all_values && side > 4000 + 60 * options.k))
    return axes_by_lanczos(Xc, options, run);
  options.all_values = options.all_values || options.solver == PCASolver::full;
  return axes_by_products(Xc, options, run);
}

}  // namespace detail
}  // namespace unfurl
