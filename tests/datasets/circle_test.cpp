#include "unfurl/datasets/circle.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;
using test::pi;

namespace {

Dataset<> warped(Index n, double warp) {
  CircleOptions options;
  options.warp = warp;
  return circle(n, options);
}

/// From point i to the next.
double step(const Dataset<>& curve, Index i) {
  return (curve.points.row(i) - curve.points.row((i + 1) % curve.points.rows())).norm();
}

}  // namespace

TEST_CASE("points lie on the unit circle where their angle says", "[circle]") {
  const double warp = GENERATE(0.0, 0.12, -0.15);
  const Dataset<> curve = warped(101, warp);
  REQUIRE(curve.points.cols() == 2);
  REQUIRE(curve.coordinates.cols() == 1);
  double before = -1;
  for (Index i = 0; i < 101; ++i) {
    const double angle = curve.coordinates(i, 0);
    CHECK_THAT(curve.points.row(i).norm(), WithinAbs(1, 1e-12));
    CHECK_THAT(curve.points(i, 0), WithinAbs(std::cos(angle), 1e-12));
    CHECK_THAT(curve.points(i, 1), WithinAbs(std::sin(angle), 1e-12));
    CHECK(angle > before);
    before = angle;
  }
  CHECK(curve.coordinates(0, 0) == 0);
  CHECK(before < 2 * pi);
}

TEST_CASE("the circle is a regular polygon unless it is warped", "[circle]") {
  const Dataset<> even = circle(360);
  for (Index i = 0; i < 360; ++i)
    CHECK_THAT(step(even, i), WithinAbs(2 * std::sin(pi / 360), 1e-12));
  CHECK(test::max_abs_diff(circle(4).points,
                           (Matrix<double>(4, 2) << 1, 0, 0, 1, -1, 0, 0, -1).finished()) < 1e-12);

  const Dataset<> uneven = warped(3600, 0.12);
  const double even_step = 2 * pi / 3600;
  CHECK_THAT(step(uneven, 0) / even_step, WithinAbs(1 + 2 * pi * 0.12, 1e-4));
  CHECK_THAT(step(uneven, 1800) / even_step, WithinAbs(1 - 2 * pi * 0.12, 1e-4));
}

TEST_CASE("the noise of seed 3 does not change with the platform", "[circle]") {
  CircleOptions options;
  options.noise = 0.1;
  options.seed = 3;
  const Dataset<> noisy = circle(5, options);
  CHECK_THAT(noisy.points(0, 0), WithinAbs(1.0969284515522808, 1e-12));
  CHECK_THAT(noisy.points(0, 1), WithinAbs(-0.06072438789075843, 1e-12));
}

TEST_CASE("a warp that would make points pass each other is refused", "[circle]") {
  CHECK_NOTHROW(warped(10, 0.159));
  CHECK_NOTHROW(warped(10, -0.159));
  CHECK_THROWS_AS(warped(10, 0.16), ParameterError);
  CHECK_THROWS_AS(warped(10, -0.16), ParameterError);
  CHECK_THROWS_AS(warped(10, std::nan("")), ParameterError);
  CHECK_THROWS_AS(warped(10, std::numeric_limits<double>::infinity()), ParameterError);
}
