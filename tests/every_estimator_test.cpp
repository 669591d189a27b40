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

template <class E>
void check_default() {
  STATIC_REQUIRE(std::is_default_constructible_v<E>);
  const E estimator;
  CHECK_FALSE(estimator.is_fitted());
  const auto& options = estimator.options();
  CHECK(options.n_components == 2);
  CHECK(options.seed == 0);
  CHECK(options.n_threads == 0);
  CHECK(options.memory_limit == 0);
  CHECK_FALSE(options.progress);
}

template <class... Kinds>
void check_defaults(std::tuple<Kinds...>*) {
  (check_default<Kinds>(), ...);
}

}  // namespace

TEMPLATE_TEST_CASE("what is made by default is empty and has the documented options",
                   "[every_estimator][contract10]", float, double) {
  constexpr typename EveryEstimator<TestType>::types* list = nullptr;
  check_defaults(list);
}

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
