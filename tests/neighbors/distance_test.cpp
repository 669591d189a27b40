#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "neighbors/oracle.hpp"
#include "support/catch.hpp"
#include "unfurl/neighbors/candidates.hpp"
#include "unfurl/neighbors/collectors.hpp"
#include "unfurl/neighbors/distance_filter.hpp"

using test::Index;
using test::Matrix;
using unfurl::detail::DistanceFilter;
using unfurl::detail::squared_distance;

TEMPLATE_TEST_CASE("squared_distance is accurate for every dimension and symmetric", "[neighbors]",
                   float, double) {
  using S = TestType;
  for (Index d = 1; d <= 70; ++d) {
    const Matrix<S> p = test::normal_points<S>(d, 2, static_cast<std::uint64_t>(d));
    long double exact = 0;
    for (Index i = 0; i < d; ++i) {
      const long double t = static_cast<long double>(p(i, 0)) - static_cast<long double>(p(i, 1));
      exact += t * t;
    }
    CAPTURE(d);
    const S computed = squared_distance(p.col(0).data(), p.col(1).data(), d);
    const auto error =
        std::abs(static_cast<double>(static_cast<long double>(computed) / exact - 1));
    CHECK(error <= static_cast<double>(d + 3) / 2 * std::numeric_limits<S>::epsilon());
    CHECK(computed == squared_distance(p.col(1).data(), p.col(0).data(), d));
    CHECK(squared_distance(p.col(0).data(), p.col(0).data(), d) == 0);
  }
}

TEMPLATE_TEST_CASE("squared_distance is the same whether the dimension is a constant or not",
                   "[neighbors][contract32]", float, double) {
  using S = TestType;
  const Matrix<S> p = test::normal_points<S>(20, 200);
  volatile Index hidden = 19;
  for (Index i = 1; i < p.cols(); ++i) {
    CHECK(squared_distance(p.col(0).data(), p.col(i).data(), 3) ==
          squared_distance(p.col(0).data(), p.col(i).data(), hidden - 16));
    CHECK(squared_distance(p.col(0).data(), p.col(i).data(), 19) ==
          squared_distance(p.col(0).data(), p.col(i).data(), hidden));
  }
}

TEMPLATE_TEST_CASE("generous_square is above the square, also of 0 and of underflowing distances",
                   "[neighbors]", float, double) {
  using S = TestType;
  const S least = std::numeric_limits<S>::denorm_min();
  for (S distance :
       {S(0), least, std::sqrt(std::numeric_limits<S>::min()), S(1e-10), S(1), S(1e10)})
    for (Index d : {1, 1000}) {
      const S bound = unfurl::detail::generous_square(distance, d);
      CAPTURE(distance, d);
      CHECK(bound > distance * distance);
      CHECK(std::sqrt(std::nextafter(distance * distance, S(1e30))) < std::sqrt(bound));
      CHECK(bound <= S(1.01) * distance * distance + std::numeric_limits<S>::min());
    }
}

TEMPLATE_TEST_CASE("the float filter never rules out a point within the distance",
                   "[neighbors][contract32]", float, double) {
  using S = TestType;
  for (const auto& set : test::hard_point_sets<S>()) {
    const Matrix<S>& points = set.points;
    const DistanceFilter filter(points);
    REQUIRE(filter.usable());
    // Queries in the data, beside them and outside.
    Matrix<S> queries = points;
    if (set.name != "identical") queries.rightCols(1) *= S(3);
    const auto prepared = filter.prepare(queries.data(), queries.cols());
    REQUIRE(prepared.usable);
    Matrix<float> values;
    filter.evaluate(prepared, 0, points.cols(), values);
    Index ruled_out = 0, wrong = 0;
    for (Index q = 0; q < queries.cols(); ++q) {
      const auto sorted = test::by_distance(points, queries.col(q).data());
      // The bound at each distance in turn must let every nearer point pass.
      for (std::size_t rank : {std::size_t{0}, sorted.size() / 20, sorted.size() / 2}) {
        const float bound =
            filter.largest_value(static_cast<double>(sorted[rank].first),
                                 prepared.squared_norms[static_cast<std::size_t>(q)]);
        for (const auto& [distance, index] : sorted) {
          const bool out = values(index, q) > bound;
          ruled_out += out;
          wrong += out && distance <= sorted[rank].first;
        }
      }
    }
    CAPTURE(set.name, ruled_out);
    CHECK(wrong == 0);
    if (set.name == "20 features" || set.name == "one far outlier" || set.name == "tiny" ||
        set.name == "huge")
      CHECK(ruled_out > queries.cols() * points.cols());  // it does filter
  }
}

TEMPLATE_TEST_CASE("the float filter tells how far away a point is at most",
                   "[neighbors][contract32]", float, double) {
  using S = TestType;
  for (const auto& set : test::hard_point_sets<S>()) {
    const Matrix<S>& points = set.points;
    const DistanceFilter filter(points);
    const auto prepared = filter.prepare(points.data(), points.cols());
    REQUIRE(prepared.usable);
    Matrix<float> values;
    filter.evaluate(prepared, 0, points.cols(), values);
    Index too_small = 0;
    double loosest = 0;
    for (Index q = 0; q < points.cols(); ++q)
      for (const auto& [distance, index] : test::by_distance(points, points.col(q).data())) {
        const double most = filter.largest_distance(
            values(index, q), prepared.squared_norms[static_cast<std::size_t>(q)]);
        too_small += static_cast<double>(distance) > most;
        if (distance > 0) loosest = std::max(loosest, most / static_cast<double>(distance));
      }
    CAPTURE(set.name, loosest);
    CHECK(too_small == 0);
    if (set.name == "20 features") CHECK(loosest < 1.01);
  }
}

TEST_CASE("Candidates measures few points more than are wanted, and all that tie", "[neighbors]") {
  const Index n = 5000, k = GENERATE(1, 10, 90);
  const bool duplicates = GENERATE(false, true);
  Matrix<double> points = test::normal_points<double>(20, n);
  if (duplicates)
    for (Index i = 0; i < n; ++i) points.col(i) = points.col(i % 7).eval();
  const DistanceFilter filter(points);
  const auto prepared = filter.prepare(points.data(), 1);
  Matrix<float> values;
  filter.evaluate(prepared, 0, n, values);
  unfurl::detail::NearestK<double> nearest(k);
  unfurl::detail::Candidates candidates(filter, prepared.squared_norms[0], k, nearest.limit());
  std::vector<Index> measured;
  const auto measure = [&](Index i) {
    measured.push_back(i);
    nearest.offer(std::sqrt(squared_distance(points.data(), points.col(i).data(), 20)), i);
    return nearest.limit();
  };
  candidates.look_through(0, values.data(), 1000, measure);
  candidates.look_through(1000, values.data() + 1000, n - 1000, measure);
  candidates.finish(measure);
  std::vector<Index> indices(static_cast<std::size_t>(k));
  std::vector<double> distances(static_cast<std::size_t>(k));
  REQUIRE(nearest.complete());
  nearest.write(indices.data(), distances.data());
  const auto sorted = test::by_distance(points, points.data());
  for (std::size_t i = 0; i < indices.size(); ++i) CHECK(indices[i] == sorted[i].second);
  std::sort(measured.begin(), measured.end());
  CHECK(std::unique(measured.begin(), measured.end()) == measured.end());  // each at most once
  if (!duplicates) CHECK(static_cast<Index>(measured.size()) <= k + 2);
}

TEST_CASE("the float filter says when a query is too far out for float squares", "[neighbors]") {
  const Matrix<double> points = test::normal_points<double>(3, 50);
  const DistanceFilter filter(points);
  const Matrix<double> far = Matrix<double>::Constant(3, 1, 1e100);
  CHECK_FALSE(filter.prepare(far.data(), 1).usable);
  CHECK(filter.prepare(points.data(), 1).usable);
  CHECK(filter.largest_value(1e300, 1) == std::numeric_limits<float>::infinity());
}
