#pragma once

#include <cmath>
#include <cstdint>
#include <istream>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/check.hpp"
#include "unfurl/core/finite_places.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/run.hpp"
#include "unfurl/spectral/marchenko_pastur.hpp"
#include "unfurl/spectral/principal_axes.hpp"
#include "unfurl/spectral/symmetric_eigen.hpp"

namespace unfurl {

/// Options of PCA. Set fields by name; new ones may be added at any place.
struct PCAOptions {
  /// Dimension of the embedding, 1 to min(n_samples, n_features).
  Index n_components = 2;
  /// Divide each score by its standard deviation, so that all components weigh the same. A
  /// component without variance stays 0.
  bool whiten = false;
  /// `automatic` is exact and picks the cheapest path for the shape; see PCASolver.
  PCASolver solver = PCASolver::automatic;
  /// Randomized solver: vectors beyond n_components. More are more accurate and slower.
  Index n_oversamples = 10;
  /// Randomized solver: passes over the data. More are more accurate where the spectrum falls
  /// slowly.
  Index n_power_iterations = 4;
  /// In (0, 1]: take as many components as explain this fraction of the variance, instead of
  /// n_components. Needs all eigenvalues: not with `lanczos` or `randomized`.
  std::optional<double> variance_fraction = std::nullopt;
  /// Of the randomized solver and of the iterative ones' start vectors.
  std::uint64_t seed = 0;
  int n_threads = 0;                    ///< 0: all cores; the result is the same for any number
  ProgressFunction progress = nullptr;  ///< see Progress; stopping throws CancelledError
  std::size_t memory_limit = 0;         ///< bytes; 0: four fifths of the machine's memory
};

/// Principal component analysis: the k directions of largest variance, and the projections on them.
/// With the sample covariance S = Xc^T Xc / (n - 1) = V Lambda V^T the embedding is Xc V_k, the
/// closest k-dimensional affine picture of the data (Ky Fan; Pearson 1901).
///
/// Use it first: to look at data, to reduce to some tens of dimensions before another method, to
/// see by `spectrum_test` how many components stand out of noise.
///
/// `transform` projects new points on the same axes, exactly. transform(X_train) has the bytes of
/// embedding().
///
/// Time O(n p min(n, p)), or O(n p k) with `lanczos` and `randomized`. Peak of memory beside the
/// data, with m = min(n, p): n k + 9 m^2 numbers (2 m^2 above m = 1024), the embedding and the
/// smaller of scatter and Gram matrix with its partial sums; small data (n p m up to 2e7), which go
/// through the SVD, take n p (sizeof(Scalar) + 8) bytes instead of the m^2. A saved model holds
/// mean, components and variances, not the embedding.
///
/// Signs: in each component the loading of largest modulus is positive.
///
/// \see \ref page_pca, examples/pca.cpp
template <class Scalar = double>
class PCA {
  static_assert(is_scalar_v<Scalar>, "PCA<Scalar>: Scalar must be float or double");

 public:
  /// Not fitted yet. The options are checked by `fit`.
  explicit PCA(PCAOptions options = {}) : options_(std::move(options)) {}

  /// Finds the axes of largest variance and projects the samples on them.
  /// \param X n_samples x n_features.
  /// \throws ParameterError, DataError, SizeLimitError, CancelledError, ConvergenceError; the
  ///   estimator then stays as it was.
  PCA& fit(const ConstMatrixRef<Scalar>& X) &;

  /// `fit(X)`, and a copy of the embedding.
  Matrix<Scalar> fit_transform(const ConstMatrixRef<Scalar>& X) { return fit(X).embedding(); }

  /// The scores of new points, m x n_components.
  Matrix<Scalar> transform(const ConstMatrixRef<Scalar>& X) const;

  /// Back from scores to points: the closest points of the fitted plane.
  Matrix<Scalar> inverse_transform(const ConstMatrixRef<Scalar>& Y) const;

  /// n_samples x n_components. A loaded model does not have it.
  const Matrix<Scalar>& embedding() const;

  /// Of each feature over the training samples; it is taken off before the projection.
  const Vector<Scalar>& mean() const { return fitted("mean").mean; }
  /// n_components x n_features; the rows are orthonormal.
  const Matrix<Scalar>& components() const { return fitted("components").components; }
  /// Variance of each score (before whitening), divided by n_samples - 1.
  const Vector<Scalar>& explained_variance() const {
    return fitted("explained_variance").explained_variance;
  }
  /// As a fraction of the total variance; 0 for constant data.
  const Vector<Scalar>& explained_variance_ratio() const {
    return fitted("explained_variance_ratio").explained_variance_ratio;
  }
  /// Of the centred data.
  Vector<Scalar> singular_values() const { return singular_values_of(fitted("singular_values")); }
  /// Mean variance in the directions left out (Tipping and Bishop 1999); 0 when none is.
  Scalar noise_variance() const { return fitted("noise_variance").noise_variance; }

  /// How many components stand out of noise, by random matrix theory.
  /// \param noise_variance of a single feature, where it is known.
  SpectrumTest spectrum_test(std::optional<double> noise_variance = std::nullopt) const;

  /// A `fit` or `load` has succeeded.
  bool is_fitted() const { return fitted_.has_value(); }
  /// Number of samples fitted on.
  Index n_samples() const { return fitted("n_samples").n_samples; }
  /// Number of columns that `fit` had and `transform` expects.
  Index n_features() const { return fitted("n_features").components.cols(); }
  /// As asked for, or as chosen by variance_fraction.
  Index n_components() const { return fitted("n_components").components.rows(); }
  /// As given; after `load` those that the stream holds.
  const PCAOptions& options() const { return options_; }
  /// What `fit` did: path, certificate, seconds a stage. Empty after `load`.
  const FitReport& report() const { return fitted("report").report; }

  /// Writes what `transform` needs. \throws IoError
  void save(std::ostream& out) const;

  /// Reads what `save` wrote.
  /// \throws FormatError when the stream does not hold a PCA<Scalar>; IoError when it fails.
  static PCA load(std::istream& in);

 private:
  struct Fitted {
    Index n_samples = 0;
    Vector<Scalar> mean;
    Matrix<Scalar> components;
    Vector<Scalar> explained_variance, explained_variance_ratio;
    Scalar noise_variance = 0;
    double total_variance = 0;
    bool whiten = false, has_embedding = false;
    Matrix<Scalar> embedding;
    Vector<double> spectrum;  // all variances, where they were computed
    Matrix<Scalar> scatter;   // else what they can be computed from, while it is small
    FitReport report;

    Vector<Scalar> whitening() const {
      Vector<Scalar> factors = explained_variance;
      for (Scalar& x : factors) x = x > 0 ? 1 / std::sqrt(x) : Scalar(0);
      return factors;
    }
  };

  static Vector<Scalar> singular_values_of(const Fitted& f) {
    Vector<Scalar> values = f.explained_variance;
    for (Scalar& x : values) x = std::sqrt(x * static_cast<Scalar>(f.n_samples - 1));
    return values;
  }

  const Fitted& fitted(const char* member) const {
    detail::require_fitted(is_fitted(), "PCA", member);
    return *fitted_;
  }

  void check_options(Index n, Index p) const {
    const Index most = std::min(n, p);
    const std::string rule =
        detail::text("it must be between 1 and min(n_samples, n_features)=", most);
    detail::check_range<Index>("PCA", "n_components", options_.n_components, 1,
                               options_.variance_fraction ? options_.n_components : most, rule);
    detail::check_range<Index>("PCA", "n_oversamples", options_.n_oversamples, 0, 1000000);
    detail::check_range<Index>("PCA", "n_power_iterations", options_.n_power_iterations, 0, 1000);
    detail::check_range<int>("PCA", "solver", static_cast<int>(options_.solver), 0, 3);
    if (!options_.variance_fraction) return;
    const double fraction = *options_.variance_fraction;
    if (!(fraction > 0 && fraction <= 1))
      throw ParameterError(
          detail::text("PCA: variance_fraction must be in (0, 1], got ", fraction));
    if (options_.solver == PCASolver::lanczos || options_.solver == PCASolver::randomized)
      throw ParameterError(
          "PCA: variance_fraction needs all eigenvalues; use solver automatic or full");
  }

  Index components_for(const Vector<double>& squared_values, double total) const {
    double sum = 0;
    Index k = 0;
    while (k < squared_values.size() && sum < *options_.variance_fraction * total * (1 - 1e-12))
      sum += squared_values(k++);
    return std::max<Index>(k, 1);
  }

  /// From the scores themselves: their norms are accurate to second order in an error of the axes.
  static void set_variances(Fitted& f, double total) {
    const double degrees = static_cast<double>(f.n_samples - 1);
    const Index k = f.components.rows();
    const Index left_out = std::min(f.n_samples, f.components.cols()) - k;
    f.explained_variance.resize(k);
    f.total_variance = total / degrees;
    double rest = f.total_variance;
    for (Index j = 0; j < k; ++j) {
      const double squares =
          detail::sum_in_double(f.n_samples, [x = f.embedding.data() + f.n_samples * j](Index i) {
            return static_cast<double>(x[i]) * static_cast<double>(x[i]);
          });
      f.explained_variance(j) = static_cast<Scalar>(squares / degrees);
      rest -= static_cast<double>(f.explained_variance(j));
    }
    f.noise_variance =
        left_out > 0 ? static_cast<Scalar>(std::max(0.0, rest) / static_cast<double>(left_out)) : 0;
    set_ratio(f);
  }

  static void set_ratio(Fitted& f) {
    f.explained_variance_ratio = f.explained_variance;
    for (Scalar& ratio : f.explained_variance_ratio)
      ratio = f.total_variance > 0
                  ? static_cast<Scalar>(static_cast<double>(ratio) / f.total_variance)
                  : Scalar(0);
  }

  static void keep_spectrum(Fitted& f, detail::PrincipalAxes<Scalar>&& found, FitReport& report) {
    constexpr Index small = 2048;
    if (found.squared_values.size() == std::min(f.n_samples, f.components.cols()))
      f.spectrum = found.squared_values;
    else if (found.scatter.rows() > 0 && found.scatter.rows() <= small)
      f.scatter = std::move(found.scatter);
    for (double& value : f.spectrum) value /= static_cast<double>(f.n_samples - 1);
    EigenPairs<double> for_report{found.squared_values.head(f.components.rows()), {}, found.info};
    report_spectrum(for_report, report);
  }

  PCAOptions options_;
  std::optional<Fitted> fitted_;
};

template <class Scalar>
auto PCA<Scalar>::fit(const ConstMatrixRef<Scalar>& X) & -> PCA& {
  Run run("PCA", options_);
  run.stage("checks");
  detail::check_training_samples<Scalar>(run.name(), X, run.parallel());
  check_options(X.rows(), X.cols());

  run.stage("mean");
  Fitted fitted;
  fitted.n_samples = X.rows();
  fitted.mean = column_means<Scalar>(X, run.parallel());
  const CenteredRows<Scalar> Xc(X, fitted.mean, run.parallel());
  const double total = Xc.squared_norm();

  detail::AxesOptions wanted;
  wanted.k = options_.variance_fraction ? std::min(X.rows(), X.cols()) : options_.n_components;
  wanted.solver = options_.solver;
  wanted.n_oversamples = options_.n_oversamples;
  wanted.n_power_iterations = options_.n_power_iterations;
  wanted.all_values = options_.variance_fraction.has_value();
  wanted.seed = options_.seed;
  wanted.bytes_later =
      sizeof(Scalar) * static_cast<double>(X.rows()) * static_cast<double>(wanted.k);
  detail::PrincipalAxes<Scalar> found = detail::principal_axes(Xc, wanted, run);
  const Index k = options_.variance_fraction ? components_for(found.squared_values, total)
                                             : options_.n_components;
  Matrix<Scalar> axes = detail::columns(found.axes, 0, k);
  fix_signs(axes);
  fitted.components = detail::transposed(axes);

  run.stage("projection");
  fitted.embedding = Xc.times(axes);
  set_variances(fitted, total);
  keep_spectrum(fitted, std::move(found), run.report());
  if (options_.whiten) detail::scale_columns(fitted.embedding, fitted.whitening());
  fitted.has_embedding = true;
  fitted.whiten = options_.whiten;
  fitted.report = run.finish();
  fitted_ = std::move(fitted);
  return *this;
}

template <class Scalar>
Matrix<Scalar> PCA<Scalar>::transform(const ConstMatrixRef<Scalar>& X) const {
  const Fitted& f = fitted("transform");
  const Parallel parallel(options_.n_threads);
  detail::check_n_features("PCA::transform", X.cols(), n_features());
  Matrix<Scalar> Y =
      CenteredRows<Scalar>(X, f.mean, parallel).times(detail::transposed(f.components));
  if (f.whiten) detail::scale_columns(Y, f.whitening());
  // An entry that is not finite makes every score of its row so, one that is too large shows: only
  // then X is looked through.
  const Scalar ordinary = Scalar(1e-6) * std::sqrt((std::numeric_limits<Scalar>::max)());
  if (!(detail::largest_modulus(Y.size(), Y.data()) < ordinary))
    detail::check_new_samples<Scalar>("PCA::transform", X, n_features(), parallel);
  return detail::finite_places<Scalar>("PCA::transform", std::move(Y));
}

template <class Scalar>
Matrix<Scalar> PCA<Scalar>::inverse_transform(const ConstMatrixRef<Scalar>& Y) const {
  const Fitted& f = fitted("inverse_transform");
  const Parallel parallel(options_.n_threads);
  if (Y.cols() != f.components.rows())
    throw DimensionError(detail::text("PCA::inverse_transform: Y has ", Y.cols(),
                                      " components, expecting ", f.components.rows()));
  detail::check_finite<Scalar>("PCA::inverse_transform", Y, parallel);
  Matrix<Scalar> scale = f.components;
  if (f.whiten) scale = f.explained_variance.cwiseSqrt().asDiagonal() * scale;
  Matrix<Scalar> X = detail::row_product<Scalar>(
      Y.rows(), scale, parallel,
      [&](Index begin, auto rows) { rows = Y.middleRows(begin, rows.rows()); });
  X.rowwise() += f.mean.transpose();
  return detail::finite_places<Scalar>("PCA::inverse_transform", std::move(X));
}

template <class Scalar>
const Matrix<Scalar>& PCA<Scalar>::embedding() const {
  const Fitted& f = fitted("embedding");
  if (!f.has_embedding)
    throw NotFittedError(
        "PCA::embedding: a loaded model does not keep the training embedding; call "
        "transform(X)");
  return f.embedding;
}

template <class Scalar>
SpectrumTest PCA<Scalar>::spectrum_test(std::optional<double> noise_variance) const {
  const Fitted& f = fitted("spectrum_test");
  if (noise_variance && !(*noise_variance >= 0 && std::isfinite(*noise_variance)))
    throw ParameterError(detail::text(
        "PCA::spectrum_test: noise_variance must be finite and at least 0, got ", *noise_variance));
  const double degrees = static_cast<double>(f.n_samples - 1);
  Vector<double> spectrum = f.spectrum;
  if (spectrum.size() == 0 && f.scatter.size() > 0) {
    const Matrix<double> covariance = f.scatter.template cast<double>() / degrees;
    spectrum = detail::symmetric_eigen<double>(covariance, 0, 0).values.reverse().cwiseMax(0.0);
  }
  if (spectrum.size() == 0) spectrum = f.explained_variance.template cast<double>();
  return unfurl::spectrum_test(spectrum, f.n_samples - 1, n_features(), noise_variance,
                               f.total_variance);
}

template <class Scalar>
void PCA<Scalar>::save(std::ostream& out) const {
  const Fitted& f = fitted("save");
  detail::ArchiveWriter archive;
  archive.count(f.n_samples);
  archive.flag(f.whiten);
  archive.matrix(f.mean);
  archive.matrix(f.components);
  archive.matrix(f.explained_variance);
  archive.number(f.noise_variance);
  archive.number(f.total_variance);
  archive.matrix(f.spectrum);
  archive.write_to(out, "PCA", sizeof(Scalar));
}

template <class Scalar>
auto PCA<Scalar>::load(std::istream& in) -> PCA {
  detail::ArchiveReader archive(in, "PCA", sizeof(Scalar));
  Fitted f;
  f.n_samples = archive.count();
  f.whiten = archive.flag();
  f.mean = archive.template vector<Scalar>();
  f.components = archive.template matrix<Scalar>();
  f.explained_variance = archive.template vector<Scalar>();
  f.noise_variance = archive.template number<Scalar>();
  f.total_variance = archive.template number<double>();
  f.spectrum = archive.template vector<double>();
  archive.finish();
  const Index k = f.components.rows(), p = f.components.cols();
  archive.require(f.n_samples >= 2 && p >= 1 && k >= 1 && k <= std::min(f.n_samples, p) &&
                      f.mean.size() == p && f.explained_variance.size() == k,
                  "the shapes disagree");
  archive.require(f.mean.allFinite() && f.components.allFinite() &&
                      f.explained_variance.allFinite() && f.spectrum.allFinite() &&
                      std::isfinite(f.noise_variance) && std::isfinite(f.total_variance),
                  "a value is NaN or Inf");
  archive.require((f.explained_variance.array() >= 0).all() && (f.spectrum.array() >= 0).all() &&
                      f.noise_variance >= 0 && f.total_variance >= 0,
                  "a variance is negative");
  set_ratio(f);
  archive.require(f.explained_variance_ratio.allFinite() && singular_values_of(f).allFinite(),
                  "a variance is too large");
  PCAOptions options;
  options.n_components = k;
  options.whiten = f.whiten;
  PCA pca(options);
  pca.fitted_ = std::move(f);
  return pca;
}

#ifdef UNFURL_COMPILED
extern template class PCA<float>;
extern template class PCA<double>;
#endif

}  // namespace unfurl
