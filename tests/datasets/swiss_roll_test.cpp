#include "unfurl/datasets/swiss_roll.hpp"

#include <cmath>
#include <limits>

#include "datasets/rolls.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"

using namespace unfurl;
using test::angle_on_roll;
using test::integrated_length;
using test::pi;
using test::same_bytes;

TEST_CASE("points lie on the roll where their coordinates say", "[swiss_roll]") {
  const Dataset<> roll = swiss_roll(300, 4);
  REQUIRE(roll.points.rows() == 300);
  REQUIRE(roll.points.cols() == 3);
  REQUIRE(roll.coordinates.rows() == 300);
  REQUIRE(roll.coordinates.cols() == 2);
  for (Index i = 0; i < 300; ++i) {
    const double t = angle_on_roll(roll.points, i);
    CHECK(t >= 1.5 * pi - 1e-12);
    CHECK(t <= 4.5 * pi + 1e-12);
    CHECK(std::abs(roll.points(i, 0) - t * std::cos(t)) < 1e-11);
    CHECK(std::abs(roll.points(i, 2) - t * std::sin(t)) < 1e-11);
    CHECK(roll.points(i, 1) == roll.coordinates(i, 1));
    CHECK(std::abs(roll.coordinates(i, 0) - integrated_length(1.5 * pi, t)) < 1e-4);
  }
  CHECK(roll.coordinates.col(1).minCoeff() >= 0);
  CHECK(roll.coordinates.col(1).maxCoeff() <= 21);
}

TEST_CASE("near points are as far apart as their coordinates: the sheet is not stretched",
          "[swiss_roll]") {
  const Dataset<> roll = swiss_roll(2000, 1);
  Index n_near = 0;
  for (Index i = 0; i < 200; ++i)
    for (Index j = 0; j < i; ++j) {
      const double sheet = (roll.coordinates.row(i) - roll.coordinates.row(j)).norm();
      const double space = (roll.points.row(i) - roll.points.row(j)).norm();
      CHECK(space <= sheet + 1e-12);
      if (sheet > 1) continue;
      ++n_near;
      CHECK(space > 0.99 * sheet);
    }
  CHECK(n_near > 20);
}

TEST_CASE("a seed gives the same roll, a longer one continues it, noise moves it", "[swiss_roll]") {
  const Dataset<> roll = swiss_roll(100, 7);
  CHECK(same_bytes(roll.points, swiss_roll(100, 7).points));
  CHECK_FALSE(same_bytes(roll.points, swiss_roll(100, 8).points));
  CHECK(same_bytes(roll.points, swiss_roll(250, 7).points.topRows(100)));

  const Dataset<> noisy = swiss_roll(2000, 7, 0.5);
  const Dataset<> clean = swiss_roll(2000, 7);
  CHECK(same_bytes(noisy.coordinates, clean.coordinates));
  const Matrix<double> moved = noisy.points - clean.points;
  CHECK(std::abs(moved.mean()) < 4 * 0.5 / std::sqrt(6000));
  CHECK(std::abs(moved.norm() / std::sqrt(6000) - 0.5) < 4 * 0.5 / std::sqrt(12000));

  const Dataset<float> single = swiss_roll<float>(100, 7);
  CHECK(same_bytes(single.points, roll.points.cast<float>().eval()));
}

TEST_CASE("the roll of seed 0 does not change with the platform", "[swiss_roll]") {
  // t and h of the first point by the published algorithm of Random (see random_test.cpp).
  Random random(0, 0);
  const double t = 1.5 * pi + 3 * pi * random.uniform(), h = 21 * random.uniform();
  const Dataset<> roll = swiss_roll(1);
  CHECK(std::abs(angle_on_roll(roll.points, 0) - t) < 1e-12);
  CHECK(std::abs(roll.points(0, 1) - h) < 1e-12);
}

TEST_CASE("a roll of no points is empty and bad parameters are refused", "[swiss_roll]") {
  CHECK(swiss_roll(0).points.rows() == 0);
  CHECK_THROWS_AS(swiss_roll(-1), ParameterError);
  CHECK_THROWS_AS(swiss_roll(10, 0, -0.1), ParameterError);
  CHECK_THROWS_AS(swiss_roll(10, 0, std::nan("")), ParameterError);
  CHECK_THROWS_AS(swiss_roll(10, 0, std::numeric_limits<double>::infinity()), ParameterError);
}
