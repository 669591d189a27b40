#include "unfurl/datasets/spiral.hpp"

#include <cmath>

#include "datasets/rolls.hpp"
#include "support/catch.hpp"
#include "support/pi.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;
using test::integrated_length;
using test::pi;

namespace {

/// The spiral is (t cos t, t sin t), so t is the distance from the origin.
double angle_of(const Dataset<>& curve, Index i) { return curve.points.row(i).norm(); }

}  // namespace

TEST_CASE("points lie on the spiral where their arc length says", "[spiral]") {
  const Dataset<> curve = spiral(300, 4);
  REQUIRE(curve.points.cols() == 2);
  REQUIRE(curve.coordinates.cols() == 1);
  for (Index i = 0; i < 300; ++i) {
    const double t = angle_of(curve, i);
    CHECK(t >= pi - 1e-12);
    CHECK(t <= 5 * pi + 1e-12);
    CHECK_THAT(curve.points(i, 0), WithinAbs(t * std::cos(t), 1e-12));
    CHECK_THAT(curve.points(i, 1), WithinAbs(t * std::sin(t), 1e-12));
    CHECK_THAT(curve.coordinates(i, 0), WithinAbs(integrated_length(pi, t), 1e-4));
  }
}

TEST_CASE("the spiral is sampled evenly in angle, so densely at its inner end", "[spiral]") {
  const Index n = 4000;
  const Dataset<> curve = spiral(n, 1);
  const double length = integrated_length(pi, 5 * pi);
  double mean_angle = 0;
  Index n_inner = 0, n_outer = 0;
  for (Index i = 0; i < n; ++i) {
    mean_angle += angle_of(curve, i) / static_cast<double>(n);
    if (curve.coordinates(i, 0) < 0.1 * length) ++n_inner;
    if (curve.coordinates(i, 0) > 0.9 * length) ++n_outer;
  }
  CHECK_THAT(mean_angle, WithinAbs(3 * pi, 4 * 4 * pi / std::sqrt(12.0 * static_cast<double>(n))));
  CHECK(2 * n_inner > 5 * n_outer);
}

TEST_CASE("the spiral of seed 3 does not change with the platform", "[spiral]") {
  const Dataset<> clean = spiral(1, 3), noisy = spiral(1, 3, 0.5);
  CHECK_THAT(clean.points(0, 0), WithinAbs(-1.1346485850517671, 1e-12));
  CHECK_THAT(clean.points(0, 1), WithinAbs(14.17171096977187, 1e-12));
  CHECK_THAT(clean.coordinates(0, 0), WithinAbs(96.87659405655718, 1e-12));
  CHECK_THAT(noisy.points(0, 0), WithinAbs(-0.6500063272903627, 1e-12));
  CHECK_THAT(noisy.points(0, 1), WithinAbs(13.868089030318078, 1e-12));
}
