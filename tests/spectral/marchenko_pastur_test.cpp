#include "unfurl/spectral/marchenko_pastur.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/pca.hpp"

using namespace unfurl;

namespace {

/// n samples of p features N(0, 1), the first of variance 1 + beta: the spike model of the lecture.
Matrix<double> spiked(Index n, Index p, double beta, std::uint64_t seed) {
  Matrix<double> X = test::gaussian<double>(n, p, seed);
  X.col(0) *= std::sqrt(1 + beta);
  return X;
}

PCA<> fitted(const Matrix<double>& X) {
  PCAOptions options;
  options.n_components = 1;
  PCA<> pca(options);
  pca.fit(X);
  return pca;
}

}  // namespace

TEST_CASE("the law integrates to one with mean 1 and second moment 1 + gamma",
          "[marchenko_pastur]") {
  for (const double gamma : {0.05, 0.5, 1.0, 2.0, 10.0})
    for (const double noise : {1.0, 3.0}) {
      CAPTURE(gamma, noise);
      const MarchenkoPastur law(gamma, noise);
      const double root = std::sqrt(gamma);
      CHECK(std::abs(law.lower() - noise * (1 - root) * (1 - root)) < 1e-12 * law.upper());
      CHECK(std::abs(law.upper() - noise * (1 + root) * (1 + root)) < 1e-12 * law.upper());
      // Midpoint rule in the quantile: exact moments of the positive part.
      const int n = 20000;
      double mean = 0, second = 0;
      for (int i = 0; i < n; ++i) {
        const double u = law.quantile((i + 0.5) / n);
        mean += u / n;
        second += u * u / n;
      }
      const double share = 1 - law.mass_at_zero();
      CHECK(std::abs(mean * share - noise) < 1e-4 * noise * (1 + gamma));
      CHECK(std::abs(second * share - noise * noise * (1 + gamma)) <
            3e-4 * noise * noise * (1 + gamma) * (1 + gamma));
      for (const double q : {0.01, 0.3, 0.5, 0.9, 0.999})
        CHECK(std::abs(law.cdf(law.quantile(q)) - q) < 1e-9);
      // The density is the derivative of the distribution function.
      const double u = law.quantile(0.4), h = 0.01 * u;
      CHECK(std::abs((law.cdf(u + h) - law.cdf(u - h)) / (2 * h) - law.density(u)) <
            1e-3 * law.density(u));
    }
}

TEST_CASE("eigenvalues of noise follow the law", "[marchenko_pastur][anchorH1][anchorH2]") {
  // p = 500, n = 1000.
  const Matrix<double> X = test::gaussian<double>(1000, 500, 1);
  const Eigen::MatrixXd S = X.transpose() * X / 1000;
  const Eigen::VectorXd values = test::dense_eigenvalues(S);
  const MarchenkoPastur law(0.5);
  CHECK(std::abs(law.lower() - .085786) < 1e-6);
  CHECK(std::abs(law.upper() - 2.914214) < 1e-6);
  CHECK(std::abs(values(0) - law.lower()) < 0.02);
  CHECK(values(499) > 2.78);
  CHECK(values(499) < 3.02);
  double distance = 0;
  for (Index i = 0; i < 500; ++i)
    distance =
        std::max(distance, std::abs(law.cdf(values(i)) - (static_cast<double>(i) + 0.5) / 500));
  CHECK(distance < 0.01);
  CHECK(std::abs(values.mean() - 1) < 0.01);
  CHECK(std::abs(values.squaredNorm() / 500 - 1.5) < 0.015);
}

TEST_CASE("a spike above the threshold stands out and is debiased",
          "[marchenko_pastur][anchorH3]") {
  // beta = 1.5 > sqrt(0.5): lambda -> 3.3333, cos^2 -> 0.58333; mean over seeds.
  double lambda = 0, cosine = 0, expected_cosine = 0, spike = 0;
  constexpr int seeds = 10;
  for (int seed = 0; seed < seeds; ++seed) {
    const PCA<> pca = fitted(spiked(1000, 500, 1.5, 100 + static_cast<std::uint64_t>(seed)));
    const SpectrumTest test = pca.spectrum_test();
    CHECK(test.n_significant == 1);
    CHECK(test.n_above_edge >= 1);
    CHECK(std::abs(test.noise_variance - 1) < 0.03);
    CHECK(std::abs(test.bbp_threshold - (1 + std::sqrt(0.5))) < 0.06);
    CHECK(std::abs(test.eigenvalues(0) - 3.3333) < 0.4);
    const double squared = std::pow(pca.components()(0, 0), 2);
    CHECK(squared > 0.45);
    CHECK(squared < 0.72);
    lambda += test.eigenvalues(0) / seeds;
    cosine += squared / seeds;
    expected_cosine += test.cosines(0) * test.cosines(0) / seeds;
    spike += test.spikes(0) / seeds;
  }
  CHECK(std::abs(lambda - 3.3333) < 0.1);
  CHECK(std::abs(cosine - 0.58333) < 0.04);
  CHECK(std::abs(expected_cosine - 0.58333) < 0.04);
  CHECK(std::abs(spike - 2.5) < 0.12);  // the raw eigenvalue is off by 0.83
}

TEST_CASE("a spike below the threshold does not show", "[marchenko_pastur][anchorH4]") {
  const PCA<> pca = fitted(spiked(1000, 500, 0.5, 5));
  const SpectrumTest test = pca.spectrum_test();
  CHECK(test.eigenvalues(0) < 3.03);
  CHECK(std::pow(pca.components()(0, 0), 2) < 0.25);
  CHECK(test.n_significant == 0);
}

TEST_CASE("more features than samples", "[marchenko_pastur]") {
  const PCA<> pca = fitted(spiked(300, 900, 40, 6));
  const SpectrumTest test = pca.spectrum_test();
  CHECK(std::abs(test.gamma - 900.0 / 299) < 1e-12);
  CHECK(std::abs(test.noise_variance - 1) < 0.05);
  CHECK(test.n_significant == 1);
  CHECK(std::abs(test.spikes(0) - 41) < 12);
  CHECK(test.eigenvalues.size() == 299);
  const PCA<> noise = fitted(test::gaussian<double>(300, 900, 7));
  CHECK(noise.spectrum_test().n_significant == 0);
}

TEST_CASE("the noise level may be given, or comes from what was not computed",
          "[marchenko_pastur]") {
  const Matrix<double> X = 2 * spiked(2000, 100, 10, 8);
  const PCA<> pca = fitted(X);
  const SpectrumTest given = pca.spectrum_test(4.0);
  CHECK(given.noise_variance == 4);
  CHECK(given.noise_source == "given");
  CHECK(std::abs(given.spikes(0) - 44) < 6);
  CHECK_THROWS_AS(pca.spectrum_test(-1.0), ParameterError);
  CHECK_THROWS_AS(pca.spectrum_test(std::nan("")), ParameterError);
  PCAOptions options;
  options.n_components = 3;
  options.solver = PCASolver::lanczos;
  PCA<> partial(options);
  partial.fit(X);
  const SpectrumTest rest = partial.spectrum_test();
  CHECK(rest.noise_source.find("not computed") != std::string::npos);
  CHECK(std::abs(rest.noise_variance - 4) < 0.15);
  CHECK(rest.n_significant == 1);
}

TEST_CASE("the series of a scree plot", "[marchenko_pastur]") {
  const SpectrumTest test = fitted(test::gaussian<double>(600, 200, 9)).spectrum_test();
  REQUIRE(test.noise_eigenvalues.size() == test.eigenvalues.size());
  REQUIRE(test.eigenvalues.size() == 200);
  for (Index i = 1; i < 200; ++i) {
    CHECK(test.eigenvalues(i) <= test.eigenvalues(i - 1));
    CHECK(test.noise_eigenvalues(i) <= test.noise_eigenvalues(i - 1));
  }
  // Pure noise: the two series lie on each other.
  CHECK((test.eigenvalues - test.noise_eigenvalues).cwiseAbs().maxCoeff() < 0.1);
}

TEST_CASE("data without noise", "[marchenko_pastur]") {
  Matrix<double> X = Matrix<double>::Zero(30, 5);
  X.col(2).setLinSpaced(0, 1);
  const SpectrumTest test = fitted(X).spectrum_test();
  CHECK(test.noise_variance < 1e-20);
  CHECK(test.n_above_edge >= 1);
  CHECK(test.spikes.allFinite());
  CHECK(test.cosines.allFinite());
  const SpectrumTest nothing = fitted(Matrix<double>::Ones(10, 4)).spectrum_test();
  CHECK(nothing.n_significant == 0);
}
