#include "unfurl/datasets/trefoil.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "support/catch.hpp"
#include "support/pi.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;
using test::pi;

namespace {

std::complex<double> in_plane(const Dataset<>& knot, Index i) {
  return {knot.points(i, 0), knot.points(i, 1)};
}

}  // namespace

TEST_CASE("points lie on the trefoil where their parameter says", "[trefoil]") {
  const Dataset<> knot = trefoil(240);
  REQUIRE(knot.points.cols() == 3);
  REQUIRE(knot.coordinates.cols() == 1);
  const std::complex<double> i_unit(0, 1);
  for (Index i = 0; i < 240; ++i) {
    const double t = knot.coordinates(i, 0);
    CHECK_THAT(t, WithinAbs(2 * pi * static_cast<double>(i) / 240, 1e-12));
    const std::complex<double> expected =
        i_unit * (std::polar(1.0, -t) - 2.0 * std::polar(1.0, 2 * t));
    CHECK(std::abs(in_plane(knot, i) - expected) < 1e-12);
    // The squared distance from the axis is 5 - 4 cos 3t, and the height is -sin 3t.
    const double cosine = (5 - std::norm(in_plane(knot, i))) / 4, sine = knot.points(i, 2);
    CHECK_THAT(cosine * cosine + sine * sine, WithinAbs(1, 1e-12));
  }
}

TEST_CASE("the trefoil closes after two turns about its axis and does not meet itself",
          "[trefoil]") {
  const Index n = 400;
  const Dataset<> knot = trefoil(n);
  double turns = 0;
  for (Index i = 0; i < n; ++i) {
    const Index next = (i + 1) % n;
    turns += std::arg(in_plane(knot, next) / in_plane(knot, i)) / (2 * pi);
    CHECK((knot.points.row(next) - knot.points.row(i)).norm() < 0.1);
    for (Index j = 0; j < i; ++j) {
      const Index along = std::min(i - j, n - i + j);
      if (along > 20) CHECK((knot.points.row(i) - knot.points.row(j)).norm() > 1);
    }
  }
  CHECK_THAT(std::abs(turns), WithinAbs(2, 1e-12));
}

TEST_CASE("the noise on the trefoil of seed 3 does not change with the platform", "[trefoil]") {
  const Dataset<> noisy = trefoil(5, 3, 0.1);
  CHECK_THAT(noisy.points(0, 0), WithinAbs(0.0969284515522809, 1e-12));
  CHECK_THAT(noisy.points(0, 1), WithinAbs(-1.0607243878907584, 1e-12));
  CHECK_THAT(noisy.points(0, 2), WithinAbs(0.05348553257622518, 1e-12));
}
