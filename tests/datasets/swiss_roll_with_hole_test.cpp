#include "unfurl/datasets/swiss_roll_with_hole.hpp"

#include <algorithm>
#include <cmath>

#include "datasets/rolls.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"

using namespace unfurl;
using test::angle_on_roll;
using test::pi;

namespace {

bool in_middle(double value, double low, double high) { return value > low && value < high; }

}  // namespace

TEST_CASE("the hole is empty and the rest of the roll is not", "[swiss_roll_with_hole]") {
  const Index n = 9000;
  const Dataset<> roll = swiss_roll_with_hole(n, 4);
  Matrix<double> counts = Matrix<double>::Zero(3, 3);
  for (Index i = 0; i < n; ++i) {
    const double t = angle_on_roll(roll.points, i), h = roll.points(i, 1);
    const auto third = [](double part) { return std::min<Index>(2, static_cast<Index>(3 * part)); };
    counts(third((t - 1.5 * pi) / (3 * pi)), third(h / 21)) += 1;
    REQUIRE_FALSE((in_middle(t, 2.5 * pi + 1e-9, 3.5 * pi - 1e-9) && in_middle(h, 7, 14)));
    REQUIRE(std::abs(roll.points(i, 0) - t * std::cos(t)) < 1e-11);
    REQUIRE(roll.coordinates(i, 1) == h);
  }
  CHECK(counts(1, 1) == 0);
  counts(1, 1) = 1125;  // the other eighths
  CHECK((counts.array() - 1125).abs().maxCoeff() < 4 * std::sqrt(1125.0));
}

TEST_CASE("its points are those of the roll without a hole", "[swiss_roll_with_hole]") {
  const Dataset<> whole = swiss_roll(500, 3), holed = swiss_roll_with_hole(400, 3);
  Index at = 0;
  for (Index i = 0; i < 500 && at < 400; ++i) {
    if (!test::same_bytes(whole.points.row(i), holed.points.row(at))) {
      const double t = angle_on_roll(whole.points, i), h = whole.points(i, 1);
      REQUIRE(in_middle(t, 2.5 * pi - 1e-9, 3.5 * pi + 1e-9));
      REQUIRE(in_middle(h, 7 - 1e-9, 14 + 1e-9));
      continue;
    }
    REQUIRE(test::same_bytes(whole.coordinates.row(i), holed.coordinates.row(at)));
    ++at;
  }
  CHECK(at == 400);
}
