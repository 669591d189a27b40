#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "unfurl/core/deferred.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {

/// The limit law of the eigenvalues of the sample covariance of pure noise: n samples of p
/// independent features of variance `noise`, with p / n -> gamma (Marchenko and Pastur 1967). For
/// gamma > 1 the law has a mass 1 - 1 / gamma at zero; `cdf` and `quantile` speak of the other,
/// positive eigenvalues.
class MarchenkoPastur {
 public:
  /// gamma, features over samples, above 0; noise, the variance of a feature.
  explicit MarchenkoPastur(double gamma, double noise = 1) : gamma_(gamma), noise_(noise) {
    // The positive part for gamma > 1 is the law of 1 / gamma, stretched by gamma.
    const double root = std::sqrt(std::min(gamma, 1 / gamma));
    const double stretch = noise * std::max(gamma, 1.0);
    lower_ = stretch * (1 - root) * (1 - root);
    upper_ = stretch * (1 + root) * (1 + root);
    // u = middle - radius cos(theta) makes the density smooth up to both edges, so Simpson's rule
    // converges fast.
    cumulative_.assign(steps + 1, 0.0);
    const double h = pi / steps;
    for (std::size_t i = 0; i < steps; ++i) {
      const double at = h * static_cast<double>(i);
      cumulative_[i + 1] =
          cumulative_[i] + h / 6 * (weight(at) + 4 * weight(at + h / 2) + weight(at + h));
    }
    for (double& value : cumulative_) value /= cumulative_.back();
  }

  /// Features over samples.
  double gamma() const { return gamma_; }
  /// The variance of a feature.
  double noise() const { return noise_; }
  /// The lower edge of the positive part, noise (1 - sqrt(gamma))^2.
  double lower() const { return lower_; }
  /// The upper edge, noise (1 + sqrt(gamma))^2.
  double upper() const { return upper_; }
  /// The share of eigenvalues that are 0: 1 - 1 / gamma where gamma is above 1, else none.
  double mass_at_zero() const { return gamma_ > 1 ? 1 - 1 / gamma_ : 0; }

  /// Density of the positive part (integrates to 1).
  double density(double u) const {
    if (u <= lower_ || u >= upper_ || u <= 0) return 0;
    const double share = std::min(gamma_, 1.0);
    return std::sqrt((upper_ - u) * (u - lower_)) / (2 * pi * noise_ * share * u);
  }

  /// The share of the positive eigenvalues up to u.
  double cdf(double u) const {
    if (u <= lower_) return 0;
    if (u >= upper_) return 1;
    const double middle = (lower_ + upper_) / 2, radius = (upper_ - lower_) / 2;
    const double position = std::acos((middle - u) / radius) / pi * steps;
    const std::size_t i = std::min(static_cast<std::size_t>(position), std::size_t{steps - 1});
    const double part = position - static_cast<double>(i);
    return cumulative_[i] + part * (cumulative_[i + 1] - cumulative_[i]);
  }

  /// The value that a share q, 0 to 1, of the positive eigenvalues stays below.
  double quantile(double q) const {
    const auto above = std::lower_bound(cumulative_.begin() + 1, cumulative_.end() - 1, q);
    const double next = *above, before = *(above - 1);
    const double part = next > before ? std::clamp((q - before) / (next - before), 0.0, 1.0) : 0;
    const double theta = pi / steps * (static_cast<double>(above - cumulative_.begin()) - 1 + part);
    return (lower_ + upper_) / 2 - (upper_ - lower_) / 2 * std::cos(theta);
  }

 private:
  static constexpr std::size_t steps = 2048;
  static constexpr double pi = 3.14159265358979323846;

  /// Density times du / dtheta, up to a constant factor.
  double weight(double theta) const {
    const double middle = (lower_ + upper_) / 2, radius = (upper_ - lower_) / 2;
    const double s = std::sin(theta), u = middle - radius * std::cos(theta);
    // gamma = 1: u vanishes with sin^2 at theta = 0, where the quotient tends to 2 / radius.
    return u > 1e-14 * upper_ ? s * s / u : 2 / radius;
  }

  double gamma_, noise_, lower_ = 0, upper_ = 0;
  std::vector<double> cumulative_;
};

/// Which principal components stand out of noise: the answer of random matrix theory.
struct SpectrumTest {
  double gamma = 0;               ///< features over degrees of freedom, p / (n - 1)
  double noise_variance = 0;      ///< of each feature
  std::string noise_source = "";  ///< where that value comes from
  double lower_edge = 0;          ///< Marchenko–Pastur: noise alone stays between the edges,
  double upper_edge = 0;          ///< noise (1 -+ sqrt(gamma))^2
  /// A true variance above noise (1 + sqrt(gamma)) shows in the sample, one below does not (Baik,
  /// Ben Arous and Péché 2005).
  double bbp_threshold = 0;
  Index n_above_edge = 0;  ///< eigenvalues above upper_edge
  /// Noise alone exceeds this with probability 1 % (Tracy–Widom law, finite n: Johnstone 2001).
  double significance_threshold = 0;
  Index n_significant = 0;  ///< eigenvalues above significance_threshold
  /// For each eigenvalue above the edge: the true variance it comes from, free of the bias by
  /// noise, and the expected cosine between the sample's and the true direction.
  Vector<double> spikes = {};
  /// Of each spike: 1 for a direction that is found exactly, 0 for one that is lost in noise.
  Vector<double> cosines = {};
  /// For a scree plot: the sample's eigenvalues, descending, and those that noise alone would show.
  Vector<double> eigenvalues = {};
  /// As many as `eigenvalues`, descending: quantiles of the law of noise.
  Vector<double> noise_eigenvalues = {};
};

/// Tells signal from noise in a spectrum; PCA::spectrum_test calls it.
/// \param eigenvalues of the sample covariance (divided by n - 1), descending; either all min(n -
/// 1,
///   p) positive ones or the first few of them.
/// \param n_degrees n - 1 for centred data.
/// \param p number of features.
/// \param noise_variance empty: the median eigenvalue over the median of the law (Gavish and Donoho
///   2014), where all are given; else the mean of those not given, from `total_variance`.
/// \param total_variance the sum of all eigenvalues; used where not all are given.
template <class Real = double>
SpectrumTest spectrum_test(const detail::Column<Real>& eigenvalues, Index n_degrees, Index p,
                           std::optional<double> noise_variance = std::nullopt,
                           double total_variance = 0) {
  SpectrumTest test;
  const double n = static_cast<double>(n_degrees), features = static_cast<double>(p);
  test.gamma = features / n;
  const Index n_positive = std::min(n_degrees, p);
  const Index n_given = std::min(n_positive, eigenvalues.size());
  test.eigenvalues = eigenvalues.head(n_given);
  const MarchenkoPastur unit(test.gamma);
  if (noise_variance) {
    test.noise_variance = *noise_variance;
    test.noise_source = "given";
  } else if (n_given == n_positive) {
    const double middle = n_given % 2 == 1
                              ? eigenvalues(n_given / 2)
                              : (eigenvalues(n_given / 2 - 1) + eigenvalues(n_given / 2)) / 2;
    test.noise_variance = middle / unit.quantile(0.5);
    test.noise_source = "median eigenvalue over the median of the Marchenko-Pastur law";
  } else {
    // The positive eigenvalues of noise average noise * max(1, gamma).
    test.noise_variance = std::max(0.0, total_variance - test.eigenvalues.sum()) /
                          static_cast<double>(n_positive - n_given) / std::max(1.0, test.gamma);
    test.noise_source = "mean of the eigenvalues that were not computed";
  }
  const double noise = test.noise_variance, root = std::sqrt(test.gamma);
  test.lower_edge = noise * (1 - root) * (1 - root);
  test.upper_edge = noise * (1 + root) * (1 + root);
  test.bbp_threshold = noise * (1 + root);

  constexpr double tracy_widom_99 = 2.0234;  // quantile of the real (beta = 1) law
  const double a = std::sqrt(n), b = std::sqrt(features);
  const double centre = (a + b) * (a + b), spread = (a + b) * std::cbrt(1 / a + 1 / b);
  test.significance_threshold = noise * (centre + tracy_widom_99 * spread) / n;

  test.n_above_edge = (test.eigenvalues.array() > test.upper_edge).count();
  test.n_significant = (test.eigenvalues.array() > test.significance_threshold).count();
  if (!(noise > 0)) {  // without noise every positive eigenvalue is exact
    test.spikes = test.eigenvalues.head(test.n_above_edge);
    test.cosines = Vector<double>::Ones(test.n_above_edge);
  } else {
    test.spikes.resize(test.n_above_edge);
    test.cosines.resize(test.n_above_edge);
    for (Index i = 0; i < test.n_above_edge; ++i) {
      // lambda = noise (1 + theta)(1 + gamma / theta) solved for theta >= sqrt(gamma).
      const double x = test.eigenvalues(i) / noise - 1 - test.gamma;
      const double theta = (x + std::sqrt(std::max(0.0, x * x - 4 * test.gamma))) / 2;
      test.spikes(i) = noise * (1 + theta);
      test.cosines(i) =
          std::sqrt(std::max(0.0, 1 - test.gamma / (theta * theta)) / (1 + test.gamma / theta));
    }
  }
  test.noise_eigenvalues.resize(n_given);
  for (Index i = 0; i < n_given; ++i)
    test.noise_eigenvalues(i) =
        noise * unit.quantile(1 - (static_cast<double>(i) + 0.5) / static_cast<double>(n_positive));
  return test;
}

}  // namespace unfurl
