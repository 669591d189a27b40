#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/spectral/certify.hpp"
#include "unfurl/spectral/pairs_beside.hpp"
#include "unfurl/spectral/row_product.hpp"
#include "unfurl/spectral/symmetric_eigen.hpp"

/// From a matrix of inner products to coordinates, and new points among them.
namespace unfurl::detail {

/// Sets eigenvalues that are zero up to rounding, and the columns that belong to them, to exactly
/// 0.
template <class Scalar>
void drop_zero_eigenvalues(Vector<Scalar>& eigenvalues, Matrix<Scalar>& columns) {
  const Scalar tiny = std::is_same_v<Scalar, double> ? Scalar(1e-12) : Scalar(2e-7);
  const Scalar largest = eigenvalues.size() > 0 ? eigenvalues.maxCoeff() : Scalar(0);
  for (Index j = 0; j < eigenvalues.size(); ++j) {
    if (eigenvalues(j) > tiny * largest) continue;
    eigenvalues(j) = 0;
    columns.col(j).setZero();
  }
}

template <class Scalar>
struct Scaling {
  Matrix<Scalar> coordinates;  // V sqrt(Lambda)
  Vector<Scalar> eigenvalues;  // never negative
  double negative_mass = 0;
};

/// A few columns of a Cholesky factor with pivots leave nothing of B but rounding: it has no
/// negative eigenvalue beyond that. (Points in few dimensions; costs next to nothing where it does
/// not hold.)
template <class Real>
bool is_semidefinite_of_low_rank(const Matrix<Real>& B) {
  constexpr Index most = 32;
  const Index n = B.rows();
  Vector<Real> left = B.diagonal();
  const Real enough = Real(1e-13) * left.maxCoeff();
  std::vector<Vector<Real>> factor;
  for (;;) {
    Index pivot = 0;
    const Real largest = left.maxCoeff(&pivot);
    if (!(largest > enough)) break;
    if (static_cast<Index>(factor.size()) == most) return false;
    Vector<Real> column = B.col(pivot);
    for (const Vector<Real>& earlier : factor)
      add_multiple(n, -earlier(pivot), earlier.data(), column.data());
    scale(n, 1 / std::sqrt(largest), column.data());
    for (Index i = 0; i < n; ++i) left(i) -= column(i) * column(i);
    factor.push_back(std::move(column));
  }
  for (Index j = 0; j < n; ++j) {  // what is left may be negative, or beside a diagonal of 0
    Vector<Real> rest = B.col(j);
    for (const Vector<Real>& column : factor)
      add_multiple(n, -column(j), column.data(), rest.data());
    if (!(largest_modulus(n, rest.data()) <= 10 * enough)) return false;
  }
  return true;
}

/// Sum of |negative eigenvalues| over the sum of all moduli: of B, or of a random sample of its
/// points where they are many. Such a sample tells a little less than there is (500 of 2000 points
/// on a Swiss roll 13 %, of 1500 in a Gaussian cloud 11 %, in their graphs' geodesics) and was
/// nearer than stochastic Lanczos quadrature, which also takes eight passes over B.
/// \param B a matrix or CenteredSquares: B(i, j) gives an entry
template <class InnerProducts>
double negative_mass(const InnerProducts& B, std::uint64_t seed, Run& run) {
  constexpr Index most = 600, sampled = 500;
  const Index n = B.rows(), m = n > most ? sampled : n;
  std::vector<Index> samples(static_cast<std::size_t>(n));
  std::iota(samples.begin(), samples.end(), Index{0});
  if (m < n) {
    samples = Random(seed, 1000).sample(n, m);
    run.report().notes.push_back(text("negative mass from ", m, " random samples"));
  }
  Matrix<double> part(m, m);
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < m; ++i)
      part(i, j) = static_cast<double>(
          B(samples[static_cast<std::size_t>(i)], samples[static_cast<std::size_t>(j)]));
  if (m < n) {  // about the mean of the sample
    part.rowwise() -= part.colwise().mean().eval();
    part.colwise() -= part.rowwise().mean().eval();
  }
  if (is_semidefinite_of_low_rank(part)) return 0;
  const Vector<double> values = symmetric_eigen<double>(part, 0, 0).values;
  double negative = 0, moduli = 0;
  for (Index i = 0; i < m; ++i) {
    negative += std::max(0.0, -values(i));
    moduli += std::abs(values(i));
  }
  return moduli > 0 ? negative / moduli : 0;
}

/// How accurate a solver is asked to be, or an operator can be.
template <class T, class = void>
inline constexpr bool has_tolerance_v = false;
template <class T>
inline constexpr bool
    has_tolerance_v<T, std::enable_if_t<std::is_convertible_v<decltype(T::tolerance), double>>> =
        true;

/// The k leading coordinates of points with inner products B.
/// \param given what the solver is called with: B as a matrix or an operator
/// \param B the same as an operator
/// \throws NumericalError when one of the k eigenvalues is significantly negative.
template <class Scalar, class Given, class Solver>
Scaling<Scalar> classical_scaling(const Given& given, const SymmetricOperator& B, Index k,
                                  const Solver& solver, std::uint64_t seed, Run& run) {
  Solver ready = configured(solver, run, seed);
  if constexpr (has_tolerance_v<Solver> && has_tolerance_v<Given>)
    if (!(ready.tolerance > 0)) ready.tolerance = Given::tolerance;
  EigenPairs<double> pairs = ready(given, k, Which::largest).template cast<double>();
  // What is known of vectors that were rounded to float is known to float only.
  constexpr bool narrow = std::is_same_v<typename Given::Scalar, float>;
  const double scale = pairs.values.size() > 0 ? pairs.values.cwiseAbs().maxCoeff() : 0;
  if constexpr (narrow) {
    EigenPairs<float> rounded = pairs.cast<float>();
    certify(run.name(), B, rounded, k, Which::largest, scale);
    pairs.info = rounded.info;
  } else {
    certify(run.name(), B, pairs, k, Which::largest, scale);
  }
  report_spectrum(pairs, run.report());
  const double negative = std::is_same_v<Scalar, double> ? -1e-5 : -5e-3;
  const double largest = pairs.values.cwiseAbs().maxCoeff();
  const Index usable = (pairs.values.array() >= negative * largest).count();
  if (usable < k || (largest > 0 && pairs.values(0) <= 0))
    throw NumericalError(text(run.name(), ": only ", (pairs.values.array() > 0).count(), " of ", k,
                              " requested eigenvalues are positive (eigenvalue ", usable + 1,
                              " is ", pairs.values(std::min(usable, k - 1)),
                              "): these dissimilarities have no picture in ", k,
                              " dimensions; ask for fewer n_components"));
  Scaling<Scalar> scaling;
  scaling.negative_mass = negative_mass(given, seed, run);
  scaling.eigenvalues = pairs.values.template cast<Scalar>();
  scaling.coordinates = pairs.vectors.template cast<Scalar>();
  drop_zero_eigenvalues(scaling.eigenvalues, scaling.coordinates);
  scaling.coordinates *= scaling.eigenvalues.cwiseSqrt().asDiagonal();
  return scaling;
}

/// Reference points over twice their eigenvalues: v_jk / (2 sqrt(lambda_k)).
template <class Scalar>
Matrix<Scalar> placement(Matrix<Scalar> reference, const Vector<Scalar>& eigenvalues) {
  for (Index k = 0; k < reference.cols(); ++k)
    reference.col(k) *= eigenvalues(k) > 0 ? Scalar(0.5) / eigenvalues(k) : Scalar(0);
  return reference;
}

/// Points placed by their distances D (m x n) to reference points (Gower 1968):
/// y_k = sum_j v_jk (mean_i d^2(x_i, x_j) - d^2(x, x_j)) / (2 sqrt(lambda_k)). Terms that are
/// constant in j drop out because v_k is orthogonal to the constant vector.
template <class Scalar, class Stored>
Matrix<Scalar> place_by_distances(const Matrix<Stored>& D, const Matrix<Scalar>& reference,
                                  const Vector<Scalar>& eigenvalues,
                                  const Vector<double>& mean_squares, const Parallel& parallel) {
  const Matrix<Scalar> W = placement(reference, eigenvalues);
  return row_product<Scalar>(D.rows(), W, parallel, [&](Index begin, auto rows) {
    rows = (mean_squares.transpose().replicate(rows.rows(), 1).array() -
            D.middleRows(begin, rows.rows()).template cast<double>().array().square())
               .template cast<Scalar>();
  });
}

constexpr Index most_stress_pairs = 200000;

/// Of the pairs that a stress is taken from, and their two lengths.
inline double stress_bytes(Index n) {
  return 32 * std::min(static_cast<double>(most_stress_pairs),
                       static_cast<double>(n) * static_cast<double>(n - 1) / 2);
}

/// All pairs of n samples while they are few, else seeded random pairs.
inline std::vector<std::pair<Index, Index>> sample_pairs(Index n, std::uint64_t seed) {
  constexpr Index most = most_stress_pairs;
  std::vector<std::pair<Index, Index>> pairs;
  pairs.reserve(static_cast<std::size_t>(std::min(most, n * (n - 1) / 2)));
  if (n * (n - 1) / 2 <= most) {
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < i; ++j) pairs.emplace_back(i, j);
  } else {
    Random random(seed, 3);
    for (Index pair = 0; pair < most; ++pair) {
      const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
      const auto j = static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1)));
      pairs.emplace_back(i, j < i ? j : j + 1);
    }
  }
  return pairs;
}

/// |x_i - x_j| of each pair. A feature at a time, whose values lie next to each other.
template <class Scalar>
Vector<double> pair_lengths(const ConstMatrixRef<Scalar>& X,
                            const std::vector<std::pair<Index, Index>>& pairs,
                            const Parallel& parallel) {
  Vector<double> lengths = Vector<double>::Zero(static_cast<Index>(pairs.size()));
  parallel.for_blocks(lengths.size(), 8192, [&](const Parallel::Block& b) {
    for (Index c = 0; c < X.cols(); ++c)
      for (Index p = b.begin; p < b.end; ++p) {
        const auto [i, j] = pairs[static_cast<std::size_t>(p)];
        const double gap = static_cast<double>(X(i, c)) - static_cast<double>(X(j, c));
        lengths(p) += gap * gap;
      }
    for (Index p = b.begin; p < b.end; ++p) lengths(p) = std::sqrt(lengths(p));
  });
  return lengths;
}

/// Kruskal's stress-1 between distances and those of an embedding.
inline double stress_1(const Vector<double>& wanted, const Vector<double>& drawn) {
  double misfit = 0, total = 0;
  for (Index p = 0; p < wanted.size(); ++p) {
    misfit += (wanted(p) - drawn(p)) * (wanted(p) - drawn(p));
    total += wanted(p) * wanted(p);
  }
  return total > 0 ? std::sqrt(misfit / total) : 0;
}

}  // namespace unfurl::detail
