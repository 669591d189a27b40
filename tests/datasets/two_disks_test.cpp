#include "unfurl/datasets/two_disks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;

namespace {

TwoDisksOptions bridge(double length, double width, double share) {
  TwoDisksOptions options;
  options.bridge_length = length;
  options.bridge_width = width;
  options.bridge_share = share;
  return options;
}

auto count(const std::vector<int>& labels, int label) {
  return std::count(labels.begin(), labels.end(), label);
}

}  // namespace

TEST_CASE("every point lies in the part that its label names", "[two_disks]") {
  const Dataset<> data = two_disks(1000, bridge(0.8, 0.3, 0.1));
  REQUIRE(data.points.cols() == 2);
  REQUIRE(data.labels.size() == 1000);
  CHECK(test::same_bytes(data.points, data.coordinates));
  for (Index i = 0; i < 1000; ++i) {
    const double x = data.points(i, 0), y = data.points(i, 1);
    switch (data.labels[static_cast<std::size_t>(i)]) {
      case 0:
        CHECK(std::hypot(x + 1.4, y) <= 1 + 1e-12);
        break;
      case 1:
        CHECK(std::hypot(x - 1.4, y) <= 1 + 1e-12);
        break;
      case 2:
        CHECK((std::abs(x) <= 0.4 && std::abs(y) <= 0.15));
        break;
      default:
        FAIL("no such part");
    }
  }
}

TEST_CASE("the share of the bridge is exact and the disks have equally many", "[two_disks]") {
  const Dataset<> data = two_disks(1000);
  CHECK(count(data.labels, 0) == 490);
  CHECK(count(data.labels, 1) == 490);
  CHECK(count(data.labels, 2) == 20);
  CHECK(count(two_disks(49).labels, 2) == 0);
  CHECK(count(two_disks(50).labels, 2) == 1);
  CHECK(count(two_disks(1000, bridge(0.5, 0.1, 0)).labels, 2) == 0);
  CHECK(count(two_disks(1000, bridge(0.5, 0.1, 1)).labels, 2) == 1000);
}

TEST_CASE("a part is covered evenly", "[two_disks]") {
  // In the unit disk the squared radius is uniform on [0, 1] and the centre is the mean.
  const Dataset<> data = two_disks(8000, bridge(0.5, 0.1, 0.5));
  double squared_radius = 0, x_mean[3] = {}, y_mean[3] = {}, bridge_squares = 0;
  for (Index i = 0; i < 8000; ++i) {
    const int label = data.labels[static_cast<std::size_t>(i)];
    const double x = data.points(i, 0), y = data.points(i, 1);
    const double n_part = label == 2 ? 4000 : 2000;
    x_mean[label] += x / n_part;
    y_mean[label] += y / n_part;
    if (label == 0) squared_radius += ((x + 1.25) * (x + 1.25) + y * y) / n_part;
    if (label == 2) bridge_squares += x * x / n_part;
  }
  CHECK_THAT(squared_radius, WithinAbs(0.5, 4 * 0.289 / std::sqrt(2000)));
  CHECK_THAT(x_mean[0], WithinAbs(-1.25, 4 * 0.5 / std::sqrt(2000)));
  CHECK_THAT(x_mean[1], WithinAbs(1.25, 4 * 0.5 / std::sqrt(2000)));
  CHECK_THAT(x_mean[2], WithinAbs(0, 4 * 0.145 / std::sqrt(4000)));
  CHECK_THAT(y_mean[0], WithinAbs(0, 4 * 0.5 / std::sqrt(2000)));
  CHECK_THAT(y_mean[1], WithinAbs(0, 4 * 0.5 / std::sqrt(2000)));
  CHECK_THAT(y_mean[2], WithinAbs(0, 4 * 0.029 / std::sqrt(4000)));
  CHECK_THAT(bridge_squares, WithinAbs(0.25 / 12, 4 * 0.0187 / std::sqrt(4000)));
}

TEST_CASE("the disks of seed 3 do not change with the platform", "[two_disks]") {
  TwoDisksOptions options;
  options.seed = 3;
  const Dataset<> data = two_disks(100, options);
  Matrix<double> expected(4, 2), found(4, 2);
  expected << -0.38071560694967943, -0.354545341647851,  // left
      0.4816203353807401, 0.6070738989455658,            // right
      -0.19998111669579444, -0.048847493866416784,       // bridge
      -0.1445367639748294, -0.018061043231503215;
  found << data.points.topRows(2), data.points.row(49), data.points.row(99);
  CHECK(test::max_abs_diff(found, expected) < 1e-12);
  CHECK(data.labels[0] == 0);
  CHECK(data.labels[1] == 1);
  CHECK(data.labels[49] == 2);
  CHECK(data.labels[99] == 2);
}

TEST_CASE("a bridge that cannot be is refused", "[two_disks]") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  CHECK_NOTHROW(two_disks(10, bridge(0, 0, 0.5)));
  CHECK_THROWS_AS(two_disks(10, bridge(-0.1, 0.1, 0.02)), ParameterError);
  CHECK_THROWS_AS(two_disks(10, bridge(infinity, 0.1, 0.02)), ParameterError);
  CHECK_THROWS_AS(two_disks(10, bridge(nan, 0.1, 0.02)), ParameterError);
  CHECK_THROWS_AS(two_disks(10, bridge(0.5, -0.1, 0.02)), ParameterError);
  CHECK_THROWS_AS(two_disks(10, bridge(0.5, 2.1, 0.02)), ParameterError);
  CHECK_THROWS_AS(two_disks(10, bridge(0.5, nan, 0.02)), ParameterError);
  CHECK_THROWS_AS(two_disks(10, bridge(0.5, 0.1, -0.02)), ParameterError);
  CHECK_THROWS_AS(two_disks(10, bridge(0.5, 0.1, 1.02)), ParameterError);
  CHECK_THROWS_AS(two_disks(10, bridge(0.5, 0.1, nan)), ParameterError);
}
