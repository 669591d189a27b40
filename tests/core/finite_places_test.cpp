#include "unfurl/core/finite_places.hpp"

#include <limits>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;

TEMPLATE_TEST_CASE("places of new points are finite or an error", "[finite_places][contract65]",
                   float, double) {
  using Limits = std::numeric_limits<TestType>;
  Matrix<TestType> Y = test::gaussian<TestType>(5, 3);
  Y(1, 1) = Limits::max();
  Y(2, 1) = Limits::lowest();
  CHECK(test::same_bytes(detail::finite_places<TestType>("E::transform", Y), Y));
  CHECK(detail::finite_places<TestType>("E::transform", Matrix<TestType>(0, 3)).rows() == 0);
  for (const TestType bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    Y(4, 2) = bad;
    CHECK_THROWS_AS(detail::finite_places<TestType>("E::transform", Y), NumericalError);
  }
}
