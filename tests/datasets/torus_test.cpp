#include "unfurl/datasets/torus.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;
using test::pi;

namespace {

TorusOptions radii(double major_radius, double minor_radius) {
  TorusOptions options;
  options.major_radius = major_radius;
  options.minor_radius = minor_radius;
  return options;
}

}  // namespace

TEST_CASE("the flat torus is the product of two regular polygons", "[torus]") {
  const Dataset<> grid = flat_torus(12, 9);
  REQUIRE(grid.points.rows() == 108);
  REQUIRE(grid.points.cols() == 4);
  REQUIRE(grid.coordinates.cols() == 2);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 9; ++j) {
      const Index at = i * 9 + j;
      const double a = grid.coordinates(at, 0), b = grid.coordinates(at, 1);
      CHECK_THAT(a, WithinAbs(pi / 6 * static_cast<double>(i), 1e-12));
      CHECK_THAT(b, WithinAbs(2 * pi / 9 * static_cast<double>(j), 1e-12));
      CHECK_THAT(grid.points(at, 0), WithinAbs(std::cos(a), 1e-12));
      CHECK_THAT(grid.points(at, 1), WithinAbs(std::sin(a), 1e-12));
      CHECK_THAT(grid.points(at, 2), WithinAbs(std::cos(b), 1e-12));
      CHECK_THAT(grid.points(at, 3), WithinAbs(std::sin(b), 1e-12));
    }
  // Every point has the same distances to all others.
  const Matrix<double> distances = test::pairwise_distances(grid.points);
  for (Index at = 1; at < 108; ++at)
    CHECK_THAT(distances.col(at).sum(), WithinAbs(distances.col(0).sum(), 1e-10));
}

TEST_CASE("a flat torus without rows or columns is empty", "[torus]") {
  CHECK(flat_torus(0, 5).points.rows() == 0);
  CHECK(flat_torus(5, 0).points.cols() == 4);
  CHECK(flat_torus<float>(2, 3).points.rows() == 6);
  CHECK_THROWS_AS(flat_torus(-1, 5), ParameterError);
  CHECK_THROWS_AS(flat_torus(5, -1), ParameterError);
}

TEST_CASE("points lie on the ring where their angles say", "[torus]") {
  const Dataset<> ring = torus(300, radii(3, 0.5));
  REQUIRE(ring.points.cols() == 3);
  REQUIRE(ring.coordinates.cols() == 2);
  for (Index i = 0; i < 300; ++i) {
    const double a = ring.coordinates(i, 0), b = ring.coordinates(i, 1);
    const double from_axis = std::hypot(ring.points(i, 0), ring.points(i, 1));
    CHECK_THAT(std::hypot(from_axis - 3, ring.points(i, 2)), WithinAbs(0.5, 1e-12));
    CHECK_THAT(ring.points(i, 0), WithinAbs(from_axis * std::cos(a), 1e-12));
    CHECK_THAT(ring.points(i, 1), WithinAbs(from_axis * std::sin(a), 1e-12));
    CHECK_THAT(from_axis, WithinAbs(3 + 0.5 * std::cos(b), 1e-12));
    CHECK_THAT(ring.points(i, 2), WithinAbs(0.5 * std::sin(b), 1e-12));
  }
  CHECK(ring.coordinates.minCoeff() >= 0);
  CHECK(ring.coordinates.maxCoeff() < 2 * pi);
}

TEST_CASE("points cover the ring by area, so its outer side has more", "[torus]") {
  // The density of b is (R + r cos b) / (2 pi R): its cosine has mean r / (2 R).
  const Index n = 20000;
  const Dataset<> ring = torus(n, radii(2, 1));
  const double bound = 4 * std::sqrt(0.5 / static_cast<double>(n));
  CHECK_THAT(ring.coordinates.col(1).array().cos().mean(), WithinAbs(0.25, bound));
  CHECK_THAT(ring.coordinates.col(1).array().sin().mean(), WithinAbs(0, bound));
  CHECK_THAT(ring.coordinates.col(0).array().cos().mean(), WithinAbs(0, bound));
}

TEST_CASE("the ring of seed 3 does not change with the platform", "[torus]") {
  TorusOptions options;
  options.seed = 3;
  const Dataset<> ring = torus(3, options);
  // The angle of the second point took two trials.
  CHECK(test::max_abs_diff(
            ring.points,
            (Matrix<double>(3, 3) << 2.149932390013584, -1.984679332555573, -0.3776553734485058,
             -2.353691882773131, 1.859581888986653, 0.026391137941452675, 2.747896742084392,
             -1.0945147770677492, 0.2872561535628846)
                .finished()) < 1e-12);
}

TEST_CASE("radii that make no ring are refused", "[torus]") {
  CHECK_THROWS_AS(torus(10, radii(1, 1)), ParameterError);
  CHECK_THROWS_AS(torus(10, radii(1, 2)), ParameterError);
  CHECK_THROWS_AS(torus(10, radii(1, 0)), ParameterError);
  CHECK_THROWS_AS(torus(10, radii(-2, -1)), ParameterError);
  CHECK_THROWS_AS(torus(10, radii(1, std::nan(""))), ParameterError);
  CHECK_THROWS_AS(torus(10, radii(std::nan(""), 1)), ParameterError);
  CHECK_THROWS_AS(torus(10, radii(std::numeric_limits<double>::infinity(), 1)), ParameterError);
}
