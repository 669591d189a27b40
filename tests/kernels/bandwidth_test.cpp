#include "unfurl/kernels/bandwidth.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/kernels/radial.hpp"

using namespace unfurl;

namespace {

template <class Scalar>
Bandwidth<Scalar> slope_rule(const Matrix<Scalar>& X, int n_threads = 2) {
  return slope_bandwidth<Scalar>(
      X.rows(), [&](Index i, Index j) { return (X.row(i) - X.row(j)).squaredNorm(); },
      Parallel(n_threads));
}

/// n random points on a circle in R^3.
Matrix<double> circle(Index n, double radius) {
  Random random(3);
  Matrix<double> X(n, 3);
  for (Index i = 0; i < n; ++i) {
    const double angle = random.uniform(0, 6.283185307179586);
    X.row(i) << radius * std::cos(angle), radius * std::sin(angle), 0.0;
  }
  return X;
}

/// n random points of the flat torus in R^4: a surface without boundary.
Matrix<double> flat_torus(Index n) {
  Random random(4);
  Matrix<double> X(n, 4);
  for (Index i = 0; i < n; ++i) {
    const double a = random.uniform(0, 6.283185307179586), b = random.uniform(0, 6.283185307179586);
    X.row(i) << std::cos(a), std::sin(a), std::cos(b), std::sin(b);
  }
  return X;
}

struct FixedKernel {
  double operator()(double squared_distance) const { return 1 / (1 + squared_distance); }
};
struct ShapedKernel {
  double exponent = 1, scale = 0;
  double bandwidth() const { return scale; }
  ShapedKernel with_bandwidth(double length) const { return {exponent, length}; }
  double operator()(double squared_distance) const {
    return std::exp(-std::pow(squared_distance / (scale * scale), exponent));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("The median rule takes the median", "[kernels][bandwidth]", float, double) {
  using S = TestType;
  CHECK(median_bandwidth<S>({3, 1, 2}).value == S(2));
  CHECK(median_bandwidth<S>({4, 1, 3, 2}).value == S(2.5));
  CHECK(median_bandwidth<S>({5}).value == S(5));
  CHECK(median_bandwidth<S>({1, 2}, "because").source == "because");
}

TEST_CASE("The median rule looks past duplicates and says so", "[kernels][bandwidth][contract34]") {
  const auto mostly_zero = median_bandwidth<double>({0, 0, 0, 0, 2, 3, 4});
  CHECK(mostly_zero.value == 3);
  CHECK(mostly_zero.source.find("positive") != std::string::npos);
  const auto all_zero = median_bandwidth<double>({0, 0, 0});
  CHECK(all_zero.value == 0);
  CHECK(all_zero.source.find("every distance is 0") != std::string::npos);
  CHECK(median_bandwidth<double>(std::vector<double>()).value == 0);
}

TEST_CASE("The slope rule finds the dimension of flat sets", "[kernels][bandwidth]") {
  Random random(6);
  Matrix<double> X = Matrix<double>::Zero(1500, 3);
  for (Index i = 0; i < X.rows(); ++i) X(i, 0) = random.uniform();
  const auto segment = slope_rule(X);
  for (Index i = 0; i < X.rows(); ++i) X(i, 1) = random.uniform();
  const auto square = slope_rule(X);
  CHECK(std::abs(segment.dimension - 1) < 0.15);
  CHECK(std::abs(square.dimension - 2) < 0.3);
  // Between the spacing of the points and the size of the set.
  CHECK((segment.value > 1.0 / 1500 && segment.value < 0.3));
  CHECK((square.value > 1.0 / 40 && square.value < 0.3));
}

TEST_CASE("The slope rule meets its closed form on a circle and a torus", "[kernels][bandwidth]") {
  // On the unit circle S / n² -> exp(-z) I0(z), z = 2 / ε: the slope z (1 - I1(z) / I0(z)) is
  // largest at z = 1.7025. On the torus, a product of circles, it is twice as large.
  const auto curve = slope_rule(circle(1500, 1));
  const auto surface = slope_rule(flat_torus(1500));
  CHECK(std::abs(curve.dimension - 1.21778) < 0.01);
  CHECK(std::abs(surface.dimension - 2 * 1.21778) < 0.03);
  CHECK(std::abs(2 / (2 * curve.value * curve.value) - 1.7025) < 0.4);
}

TEST_CASE("The slope rule is the maximum of the slope by definition", "[kernels][bandwidth]") {
  Matrix<double> X = test::gaussian<double>(120, 2, 5);
  X.bottomRows(60).rowwise() = X.row(0);  // duplicates add to S at every scale
  const auto log_sum = [&](double epsilon) {
    double sum = 0;
    for (Index i = 0; i < X.rows(); ++i)
      for (Index j = 0; j < X.rows(); ++j)
        sum += std::exp(-(X.row(i) - X.row(j)).squaredNorm() / epsilon);
    return std::log(sum);
  };
  double best = 0, best_epsilon = 0;
  for (double step = -16; step <= 8; step += 0.25) {
    const double epsilon = std::exp2(step), h = 1e-4;
    const double slope =
        (log_sum(epsilon * std::exp(h)) - log_sum(epsilon * std::exp(-h))) / (2 * h);
    if (slope > best) best = slope, best_epsilon = epsilon;
  }
  const auto found = slope_rule(X);
  CHECK(std::abs(found.dimension - 2 * best) < 1e-3);
  CHECK(std::abs(std::log2(2 * found.value * found.value / best_epsilon)) < 0.26);
}

TEST_CASE("The slope rule scales with the data", "[kernels][bandwidth]") {
  const auto unit = slope_rule(circle(300, 1));
  for (const double scale : {0x1p-40, 0x1p-3, 0x1p60}) {
    const auto scaled = slope_rule(circle(300, scale));
    CHECK(std::abs(scaled.value / (unit.value * scale) - 1) < 1e-12);
    CHECK(std::abs(scaled.dimension - unit.dimension) < 1e-9);
  }
  const auto single = slope_rule<float>(circle(300, 1).cast<float>());
  CHECK(std::abs(static_cast<double>(single.value) - unit.value) < 1e-6);
}

TEST_CASE("The slope rule is the same for any number of threads",
          "[kernels][bandwidth][contract56]") {
  const Matrix<double> X = test::gaussian<double>(300, 3, 9);
  const auto one = slope_rule(X, 1);
  for (const int threads : {2, 3, 8}) {
    const auto many = slope_rule(X, threads);
    CHECK(many.value == one.value);
    CHECK(many.dimension == one.dimension);
  }
}

TEST_CASE("The slope rule has no scale for identical points", "[kernels][bandwidth][contract34]") {
  const auto found = slope_rule<double>(Matrix<double>::Constant(20, 2, 1.5));
  CHECK(found.value == 0);
  CHECK(found.source.find("every distance is 0") != std::string::npos);
  CHECK(slope_rule<double>(Matrix<double>(0, 2)).value == 0);
  Matrix<double> duplicates = test::gaussian<double>(60, 2, 2);
  duplicates.bottomRows(30) = duplicates.topRows(30);
  CHECK(slope_rule(duplicates).value > 0.1);
}

TEST_CASE("A kernel is scaled by the option, else by itself, else by the data",
          "[kernels][bandwidth]") {
  int asked = 0;
  const auto rule = [&] {
    ++asked;
    return Bandwidth<double>{3, "data", 0};
  };
  const auto by_option =
      scale_kernel<double>("E", GaussianKernel<double>(2), std::optional<double>(5), rule);
  CHECK(by_option.kernel.bandwidth() == 5);
  CHECK(by_option.bandwidth.value == 5);
  const auto by_itself = scale_kernel<double>("E", GaussianKernel<double>(2), std::nullopt, rule);
  CHECK(by_itself.kernel.bandwidth() == 2);
  CHECK(by_itself.bandwidth.value == 2);
  CHECK(asked == 0);
  const auto by_data = scale_kernel<double>("E", GaussianKernel<double>(), std::nullopt, rule);
  CHECK(by_data.kernel.bandwidth() == 3);
  CHECK(by_data.bandwidth.source == "data");
  CHECK(asked == 1);

  const auto shaped = scale_kernel<double>("E", ShapedKernel{0.5, 0}, std::nullopt, rule);
  CHECK(shaped.kernel.scale == 3);
  CHECK(shaped.kernel.exponent == 0.5);
  const auto fixed = scale_kernel<double>("E", FixedKernel{}, std::nullopt, rule);
  CHECK(fixed.bandwidth.value == 0);
  CHECK(asked == 2);
}

TEST_CASE("A bandwidth that cannot be used is refused", "[kernels][bandwidth][contract9]") {
  const auto rule = [] { return Bandwidth<double>{0, "every distance is 0", 0}; };
  const auto scale = [&](auto kernel, std::optional<double> requested) {
    return scale_kernel<double>("E", kernel, requested, rule);
  };
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL})
    CHECK_THROWS_AS(scale(GaussianKernel<double>(), bad), ParameterError);
  CHECK_THROWS_AS(scale(FixedKernel{}, 1.0), ParameterError);
  try {
    scale(GaussianKernel<double>(), std::nullopt);
    FAIL("a scale of zero was accepted");
  } catch (const NumericalError& error) {
    const std::string message = error.what();
    CHECK(message.find("E: kernel scale is zero") == 0);
    CHECK(message.find("every distance is 0") != std::string::npos);
  }
}
