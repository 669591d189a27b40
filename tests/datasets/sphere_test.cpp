#include "unfurl/datasets/sphere.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;
using test::pi;

namespace {

/// Largest entry of (mean of x x^T) - I / 3, which the uniform law on the sphere makes zero.
double anisotropy(const Matrix<double>& points) {
  const Matrix<double> second = points.transpose() * points / static_cast<double>(points.rows());
  return test::max_abs_diff(second, (Matrix<double>::Identity(3, 3) / 3).eval());
}

}  // namespace

TEST_CASE("points lie on the sphere where their longitude and latitude say", "[sphere]") {
  const bool random = GENERATE(true, false);
  const Dataset<> data = random ? sphere(300, 4) : fibonacci_sphere(300);
  REQUIRE(data.points.cols() == 3);
  REQUIRE(data.coordinates.cols() == 2);
  for (Index i = 0; i < 300; ++i) {
    const double longitude = data.coordinates(i, 0), latitude = data.coordinates(i, 1);
    CHECK(longitude >= -pi);
    CHECK(longitude < pi);
    CHECK(std::abs(latitude) <= pi / 2);
    CHECK_THAT(data.points.row(i).norm(), WithinAbs(1, 1e-12));
    CHECK_THAT(data.points(i, 0), WithinAbs(std::cos(latitude) * std::cos(longitude), 1e-12));
    CHECK_THAT(data.points(i, 1), WithinAbs(std::cos(latitude) * std::sin(longitude), 1e-12));
    CHECK_THAT(data.points(i, 2), WithinAbs(std::sin(latitude), 1e-12));
  }
}

TEST_CASE("random points cover the sphere evenly, without gathering at the poles", "[sphere]") {
  const Index n = 10000;
  const Matrix<double> points = sphere(n, 2).points;
  CHECK(points.colwise().mean().norm() < 4 / std::sqrt(static_cast<double>(n)));
  CHECK(anisotropy(points) < 4 * 0.3 / std::sqrt(static_cast<double>(n)));
}

TEST_CASE("the lattice covers the sphere far more evenly than chance", "[sphere]") {
  const Index n = 1000;
  const Matrix<double> points = fibonacci_sphere(n).points;
  CHECK(points.colwise().mean().norm() < 1e-3);
  CHECK(anisotropy(points) < 1e-3);
  Matrix<double> distances = test::pairwise_distances(points);
  distances.diagonal().setConstant(std::numeric_limits<double>::infinity());
  // The hexagonal packing of n points on an area of 4 pi has distance sqrt(8 pi / (sqrt(3) n)).
  const double hexagonal = std::sqrt(8 * pi / (std::sqrt(3.0) * static_cast<double>(n)));
  CHECK(distances.colwise().minCoeff().minCoeff() > 0.75 * hexagonal);
  CHECK(distances.colwise().minCoeff().maxCoeff() < 1.1 * hexagonal);
  CHECK_THAT(points(0, 2), WithinAbs(0.999, 1e-12));
  CHECK_THAT(points(n - 1, 2), WithinAbs(-0.999, 1e-12));
}

TEST_CASE("the sphere of seed 3 does not change with the platform", "[sphere]") {
  const Dataset<> data = sphere(1, 3);
  CHECK_THAT(data.points(0, 0), WithinAbs(-0.3534169594038273, 1e-12));
  CHECK_THAT(data.points(0, 1), WithinAbs(0.32625181069018455, 1e-12));
  CHECK_THAT(data.points(0, 2), WithinAbs(0.8767304082938663, 1e-12));
  CHECK_THAT(data.coordinates(0, 0), WithinAbs(2.39614144478605, 1e-12));
  CHECK_THAT(data.coordinates(0, 1), WithinAbs(1.0690217608110315, 1e-12));
}
