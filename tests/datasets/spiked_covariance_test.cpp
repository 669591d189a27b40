#include "unfurl/datasets/spiked_covariance.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;

TEST_CASE("the covariance is that of signal and noise", "[spiked_covariance]") {
  SpikedCovarianceOptions options;
  options.n_features = 5;
  options.spikes = {9, 4};
  options.noise = 0.5;
  const Index n = 20000;
  const Dataset<> data = spiked_covariance(n, options);
  REQUIRE(data.points.cols() == 5);
  REQUIRE(data.coordinates.cols() == 2);
  const Matrix<double> covariance = data.points.transpose() * data.points / static_cast<double>(n);
  Eigen::VectorXd expected(5);
  expected << 9.25, 4.25, 0.25, 0.25, 0.25;
  const double tolerance = 4 / std::sqrt(static_cast<double>(n));
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 5; ++j) {
      CAPTURE(i, j);
      const double wanted = i == j ? expected(i) : 0;
      CHECK(std::abs(covariance(i, j) - wanted) <
            tolerance * std::sqrt(2 * expected(i) * expected(j)));
    }
  const Matrix<double> noise = data.points.leftCols(2) - data.coordinates;
  CHECK(std::abs(noise.norm() / std::sqrt(2.0 * static_cast<double>(n)) - 0.5) < tolerance);
}

TEST_CASE("a spike above the threshold stands out, one below does not", "[spiked_covariance]") {
  SpikedCovarianceOptions options;
  options.n_features = 100;
  const Index n = 400;  // gamma = 1 / 4: threshold 1 / 2, edge of the noise 2.25
  const auto largest = [&](double spike) {
    options.spikes = {spike};
    const Matrix<double> X = spiked_covariance(n, options).points;
    const Matrix<double> S = X.transpose() * X / static_cast<double>(n);
    return test::DenseEigen(S).eigenvalues()(99);
  };
  CHECK(std::abs(largest(0.1) - 2.25) < 0.3);
  // (1 + spike)(1 + gamma / spike)
  CHECK(std::abs(largest(4) - 5 * (1 + 0.25 / 4)) < 4 * 5 * std::sqrt(2.0 / 400));
}

TEST_CASE("noise alone and signal alone can be had", "[spiked_covariance]") {
  SpikedCovarianceOptions options;
  options.noise = 0;
  const Dataset<> signal = spiked_covariance(20, options);
  CHECK(test::same_bytes(signal.points.leftCols(2), signal.coordinates));
  CHECK(signal.points.rightCols(98).cwiseAbs().maxCoeff() == 0);
  options.spikes = {};
  options.noise = 1;
  const Dataset<> noise = spiked_covariance(20, options);
  CHECK(noise.coordinates.cols() == 0);
  CHECK(noise.points.cwiseAbs().minCoeff() > 0);
}

TEST_CASE("the points of seed 0 do not change with the platform", "[spiked_covariance]") {
  Random signal(0, 0), noise(0, 1);
  const Dataset<> data = spiked_covariance(1);
  const double first = 2 * signal.normal(), second = std::sqrt(2.0) * signal.normal();
  CHECK(std::abs(data.coordinates(0, 0) - first) < 1e-15);
  CHECK(std::abs(data.coordinates(0, 1) - second) < 1e-15);
  CHECK(std::abs(data.points(0, 0) - first - noise.normal()) < 1e-14);
  CHECK(std::abs(data.points(0, 1) - second - noise.normal()) < 1e-14);
}

TEST_CASE("spikes and dimensions that cannot be are refused", "[spiked_covariance]") {
  SpikedCovarianceOptions options;
  options.n_features = 1;  // two spikes
  CHECK_THROWS_AS(spiked_covariance(5, options), ParameterError);
  options.n_features = 0;
  options.spikes = {};
  CHECK_THROWS_AS(spiked_covariance(5, options), ParameterError);
  options = {};
  for (const double bad : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    options.spikes = {1, bad};
    CHECK_THROWS_AS(spiked_covariance(5, options), ParameterError);
  }
}
