#include "unfurl/datasets/s_curve.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "support/pi.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;
using test::pi;

TEST_CASE("points lie on the S where their coordinates say", "[s_curve]") {
  const Dataset<> sheet = s_curve(300, 4);
  REQUIRE(sheet.points.cols() == 3);
  REQUIRE(sheet.coordinates.cols() == 2);
  for (Index i = 0; i < 300; ++i) {
    const double x = sheet.points(i, 0), z = sheet.points(i, 2), s = sheet.coordinates(i, 0);
    // The upper arc is about (0, 1), the lower one about (0, -1); they meet at the origin.
    CHECK_THAT(std::hypot(x, std::abs(z) - 1), WithinAbs(1, 1e-12));
    CHECK((s < 1.5 * pi ? z >= 0 : z <= 0));
    CHECK_THAT(x, WithinAbs(std::cos(s), 1e-12));
    CHECK(sheet.points(i, 1) == sheet.coordinates(i, 1));
  }
  CHECK(sheet.coordinates.minCoeff() >= 0);
  CHECK(sheet.coordinates.col(0).maxCoeff() <= 3 * pi);
  CHECK(sheet.coordinates.col(1).maxCoeff() <= 2);
  CHECK_THAT(sheet.coordinates.col(0).mean(), WithinAbs(1.5 * pi, 4 * 3 * pi / std::sqrt(3600.0)));
}

TEST_CASE("near points are as far apart as their coordinates: the S is not stretched",
          "[s_curve]") {
  const Dataset<> sheet = s_curve(300, 1);
  Index n_near = 0;
  for (Index i = 0; i < 300; ++i)
    for (Index j = 0; j < i; ++j) {
      const double along = (sheet.coordinates.row(i) - sheet.coordinates.row(j)).norm();
      const double space = (sheet.points.row(i) - sheet.points.row(j)).norm();
      CHECK(space <= along + 1e-12);
      if (along > 0.4) continue;
      ++n_near;
      CHECK(space > 0.99 * along);
    }
  CHECK(n_near > 100);
}

TEST_CASE("the S of seed 3 does not change with the platform", "[s_curve]") {
  const Dataset<> sheet = s_curve(1, 3);
  CHECK_THAT(sheet.points(0, 0), WithinAbs(-0.4373227725011409, 1e-12));
  CHECK_THAT(sheet.points(0, 1), WithinAbs(1.8767304082938663, 1e-12));
  CHECK_THAT(sheet.points(0, 2), WithinAbs(-1.8993046161629081, 1e-12));
  CHECK_THAT(sheet.coordinates(0, 0), WithinAbs(8.306601147563764, 1e-12));
}
