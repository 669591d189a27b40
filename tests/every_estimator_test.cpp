#include "unfurl/every_estimator.hpp"

#include <tuple>
#include <type_traits>

#include "support/catch.hpp"
#include "unfurl/any_estimator.hpp"

using namespace unfurl;

namespace {

template <class Scalar, class... Kinds>
constexpr bool can_hold_all(std::tuple<Kinds...>*) {
  return ((is_estimator_v<Kinds> && std::is_convertible_v<Kinds, AnyEstimator<Scalar>>)&&...);
}

template <class E, class... Kinds>
constexpr int times_listed(std::tuple<Kinds...>*) {
  return (0 + ... + (std::is_same_v<E, Kinds> ? 1 : 0));
}

}  // namespace

// Nothing is instantiated but the signatures; loading is tested in any_estimator_test.cpp.
TEMPLATE_TEST_CASE("the list has every estimator once, and AnyEstimator holds them",
                   "[every_estimator][contract17]", float, double) {
  using List = typename EveryEstimator<TestType>::types;
  constexpr List* list = nullptr;
  STATIC_REQUIRE(std::tuple_size_v<List> == 7);
  STATIC_REQUIRE(can_hold_all<TestType>(list));
  STATIC_REQUIRE(times_listed<PCA<TestType>>(list) == 1);
  STATIC_REQUIRE(times_listed<ClassicalMDS<TestType>>(list) == 1);
  STATIC_REQUIRE(times_listed<Isomap<TestType>>(list) == 1);
  STATIC_REQUIRE(times_listed<LLE<TestType>>(list) == 1);
  STATIC_REQUIRE(times_listed<LaplacianEigenmap<TestType>>(list) == 1);
  STATIC_REQUIRE(times_listed<DiffusionMap<TestType>>(list) == 1);
  STATIC_REQUIRE(times_listed<TSNE<TestType>>(list) == 1);
  STATIC_REQUIRE(detail::knows_every_estimator<TestType>);
}
