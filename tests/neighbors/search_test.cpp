#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "neighbors/oracle.hpp"
#include "support/catch.hpp"
#include "unfurl/neighbors/auto_search.hpp"
#include "unfurl/neighbors/requirements.hpp"

using test::Found;
using test::Index;
using test::Matrix;
using unfurl::AutoSearch;
using unfurl::BoxTree;
using unfurl::BruteForce;
using unfurl::KdTree;

namespace {

template <class NeighborIndex, class S>
Found<S> ask_knn(const NeighborIndex& index, const S* query, Index k) {
  Found<S> found{std::vector<Index>(static_cast<std::size_t>(k), -7),
                 std::vector<S>(static_cast<std::size_t>(k))};
  index.knn(query, k, found.indices.data(), found.distances.data());
  return found;
}

template <class NeighborIndex, class S>
Found<S> ask_radius(const NeighborIndex& index, const S* query, S r) {
  Found<S> found{{1, 2, 3}, {S(4)}};  // to be replaced
  index.radius(query, r, found.indices, found.distances);
  return found;
}

/// Single and batched queries against the definition; the number of disagreements.
template <class S, class NeighborIndex>
Index disagreements(const NeighborIndex& index, const Matrix<S>& points, const Matrix<S>& queries,
                    Index k) {
  Index wrong = 0;
  std::vector<Index> indices(static_cast<std::size_t>(k * queries.cols()), -7);
  std::vector<S> distances(indices.size());
  constexpr bool batched = unfurl::detail::HasKnnBatch<NeighborIndex, S>::value;
  if constexpr (batched)
    index.knn_batch(queries.data(), queries.cols(), k, indices.data(), distances.data());
  for (Index q = 0; q < queries.cols(); ++q) {
    const S* query = queries.col(q).data();
    const Found<S> expected = test::oracle_knn(points, query, k);
    wrong += !(ask_knn(index, query, k) == expected);
    if constexpr (batched) {
      const auto from = static_cast<std::ptrdiff_t>(q * k);
      wrong +=
          !std::equal(expected.indices.begin(), expected.indices.end(), indices.begin() + from);
      wrong += !std::equal(expected.distances.begin(), expected.distances.end(),
                           distances.begin() + from);
    }
    // A radius that is exactly a distance: inclusive.
    const S r = expected.distances.back();
    wrong += !(ask_radius(index, query, r) == test::oracle_radius(points, query, r));
  }
  return wrong;
}

template <class S>
Index radius_batch_disagreements(const unfurl::BruteForceIndex<S>& index, const Matrix<S>& queries,
                                 S r) {
  std::vector<std::vector<Index>> indices(static_cast<std::size_t>(queries.cols()));
  std::vector<std::vector<S>> distances(indices.size());
  index.radius_batch(queries.data(), queries.cols(), r, indices.data(), distances.data());
  Index wrong = 0;
  for (std::size_t q = 0; q < indices.size(); ++q)
    wrong += !(Found<S>{indices[q], distances[q]} ==
               test::oracle_radius(index.points(), queries.col(static_cast<Index>(q)).data(), r));
  return wrong;
}

template <class S>
Matrix<S> every_other(const Matrix<S>& points, Index step) {
  Matrix<S> some(points.rows(), (points.cols() - 1) / step + 1);
  for (Index i = 0; i < some.cols(); ++i) some.col(i) = points.col(i * step);
  return some;
}

}  // namespace

TEMPLATE_TEST_CASE("Every search agrees with the definition to the bit on hard point sets",
                   "[neighbors][anchorG2][contract32]", float, double) {
  using S = TestType;
  for (const auto& set : test::hard_point_sets<S>()) {
    const Matrix<S>& points = set.points;
    const Index n = points.cols();
    const auto brute = BruteForce{}.build(points);
    const Matrix<S> some = every_other(points, std::max<Index>(1, n / 20));
    const auto check = [&](const auto& index) {
      CHECK(disagreements(index, points, points, std::min<Index>(7, n)) == 0);
      for (Index k : {Index{1}, n - 1, n}) {
        CAPTURE(set.name, k);
        CHECK(disagreements(index, points, some, k) == 0);
      }
    };
    check(brute);
    for (Index leaf_size : {Index{1}, Index{16}, Index{1000}}) {
      CAPTURE(leaf_size);
      check(KdTree{leaf_size}.build(points));
    }
    if (points.rows() <= BoxTree::most_features) check(BoxTree{}.build(points));
    CAPTURE(set.name);
    const S r =
        test::by_distance(points, points.col(0).data())[static_cast<std::size_t>(n / 3)].first;
    CHECK(radius_batch_disagreements(brute, points, r) == 0);
  }
}

TEMPLATE_TEST_CASE("queries outside the data are answered to the bit", "[neighbors][contract32]",
                   float, double) {
  using S = TestType;
  const Matrix<S> points = test::normal_points<S>(6, 700, 3);
  Matrix<S> queries(6, 40);
  for (Index i = 0; i < 40; ++i)
    queries.col(i) = points.col(i) * std::ldexp(S(1), static_cast<int>(i) - 5);
  const auto brute = BruteForce{}.build(points);
  CHECK(disagreements(brute, points, queries, 9) == 0);
  CHECK(disagreements(KdTree{}.build(points), points, queries, 9) == 0);
  CHECK(disagreements(BoxTree{}.build(points), points, queries, 9) == 0);
  CHECK(radius_batch_disagreements(brute, queries, S(2)) == 0);

  // One query so far out that the float filter gives up for the whole batch.
  queries.col(20).setConstant(std::is_same_v<S, float> ? S(1e17) : S(1e100));
  CHECK(disagreements(brute, points, queries, 9) == 0);
  CHECK(disagreements(KdTree{}.build(points), points, queries, 9) == 0);
  CHECK(disagreements(BoxTree{}.build(points), points, queries, 9) == 0);
}

TEMPLATE_TEST_CASE("thousands of points: blocked products, trees and the definition agree",
                   "[neighbors][contract32]", float, double) {
  using S = TestType;
  const Index d = GENERATE(2, 17, 50);
  const Matrix<S> points = test::normal_points<S>(d, 3000, 11);
  const Matrix<S> queries = points.leftCols(150);
  CAPTURE(d);
  CHECK(disagreements(BruteForce{}.build(points), points, queries, 15) == 0);
  CHECK(disagreements(KdTree{}.build(points), points, queries, 15) == 0);
  CHECK(disagreements(AutoSearch{}.build(points), points, queries, 15) == 0);
  if (d <= BoxTree::most_features)
    CHECK(disagreements(BoxTree{}.build(points), points, queries, 15) == 0);
}

TEMPLATE_TEST_CASE("distances of neighbours are the true ones", "[neighbors]", float, double) {
  using S = TestType;
  Matrix<S> points(2, 3);
  points << 0, 3, 0,  //
      0, 4, 1;
  for (const Found<S>& found : {ask_knn(KdTree{}.build(points), points.col(0).data(), 3),
                                ask_knn(BoxTree{}.build(points), points.col(0).data(), 3),
                                ask_knn(BruteForce{}.build(points), points.col(0).data(), 3)}) {
    CHECK(found.indices == std::vector<Index>{0, 2, 1});
    CHECK(found.distances == std::vector<S>{0, 1, 5});
  }
  // 5 is within 5, and is not within the number below it.
  CHECK(ask_radius(KdTree{}.build(points), points.col(0).data(), S(5)).indices.size() == 3);
  CHECK(ask_radius(KdTree{}.build(points), points.col(0).data(), std::nextafter(S(5), S(0)))
            .indices.size() == 2);
}

TEMPLATE_TEST_CASE("nearest_if finds the nearest accepted point within the bound", "[neighbors]",
                   float, double) {
  using S = TestType;
  for (const auto& set : test::hard_point_sets<S>()) {
    const Matrix<S>& points = set.points;
    const auto tree = KdTree{}.build(points);
    const auto brute = BruteForce{}.build(points);
    const auto choice = AutoSearch{}.build(points);
    std::optional<unfurl::BoxTreeIndex<S>> boxes;
    if (points.rows() <= BoxTree::most_features) boxes = BoxTree{}.build(points);
    const auto other_half = [](Index i) { return i % 2 == 1; };
    Index wrong = 0;
    for (Index q = 0; q < std::min<Index>(60, points.cols()); q += 2) {
      const S* query = points.col(q).data();
      std::pair<S, Index> expected(0, -1);
      for (const auto& candidate : test::by_distance(points, query))
        if (other_half(candidate.second)) {
          expected = candidate;
          break;
        }
      const auto check = [&](const auto& index) {
        Index found = -1;
        S distance = -1;
        // Inclusive at exactly the distance, nothing just below it.
        wrong += !index.nearest_if(query, other_half, expected.first, found, distance);
        wrong += found != expected.second || distance != expected.first;
        wrong +=
            !index.nearest_if(query, other_half, std::numeric_limits<S>::max(), found, distance);
        wrong += found != expected.second || distance != expected.first;
        if (expected.first > 0)
          wrong += index.nearest_if(query, other_half, std::nextafter(expected.first, S(0)), found,
                                    distance);
        wrong += index.nearest_if(
            query, [](Index) { return false; }, std::numeric_limits<S>::max(), found, distance);
      };
      check(tree);
      check(brute);
      check(choice);
      if (boxes) check(*boxes);
    }
    CAPTURE(set.name);
    CHECK(wrong == 0);
  }
}

TEMPLATE_TEST_CASE("an index survives its source: copied, moved, assigned", "[neighbors]", KdTree,
                   BruteForce, BoxTree, AutoSearch) {
  const Matrix<double> points = test::normal_points<double>(5, 400);
  const Found<double> expected = test::oracle_knn(points, points.col(9).data(), 6);
  using Built = unfurl::NeighborIndexOf<TestType, double>;
  auto first = std::make_unique<Built>(TestType{}.build(points));
  Built copy = *first;
  Built moved = std::move(*first);
  first.reset();
  CHECK(ask_knn(copy, points.col(9).data(), 6) == expected);
  CHECK(ask_knn(moved, points.col(9).data(), 6) == expected);
  Built assigned = TestType{}.build(Matrix<double>(points.leftCols(3)));
  CHECK(assigned.size() == 3);
  assigned = copy;
  CHECK(assigned.size() == 400);
  CHECK(assigned.dimension() == 5);
  CHECK(ask_knn(assigned, points.col(9).data(), 6) == expected);
  assigned = std::move(copy);
  CHECK(ask_knn(assigned, points.col(9).data(), 6) == expected);
  CHECK(assigned.points() == points);
  CHECK(std::equal(assigned.point(9), assigned.point(9) + 5, points.col(9).data()));
}

TEMPLATE_TEST_CASE("the order of visits is a permutation in which near points follow each other",
                   "[neighbors]", KdTree, BoxTree, AutoSearch) {
  const Matrix<double> points = test::normal_points<double>(3, 2000);
  const auto index = TestType{}.build(points);
  std::vector<int> visits(2000, 0);
  double path = 0, as_given = 0;
  for (Index step = 0; step < 2000; ++step) {
    const Index i = index.visit_order(step);
    ++visits[static_cast<std::size_t>(i)];
    if (step == 0) continue;
    path += (points.col(i) - points.col(index.visit_order(step - 1))).norm();
    as_given += (points.col(step) - points.col(step - 1)).norm();
  }
  CHECK(std::count(visits.begin(), visits.end(), 1) == 2000);
  CHECK(path < as_given / 3);
}

TEMPLATE_TEST_CASE("searches refuse what they cannot answer",
                   "[neighbors][contract3][contract6][contract7][contract30]", KdTree, BruteForce,
                   BoxTree, AutoSearch) {
  const TestType search{};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Matrix<double> points = test::normal_points<double>(3, 20);

  CHECK_THROWS_AS(search.build(Matrix<double>(0, 20)), unfurl::DataError);
  CHECK_THROWS_AS(search.build(Matrix<double>(3, 0)), unfurl::DataError);

  const auto index = search.build(points);
  CHECK_THROWS_AS(ask_knn(index, points.data(), 0), unfurl::ParameterError);
  CHECK_THROWS_AS(ask_knn(index, points.data(), 21), unfurl::ParameterError);
  Matrix<double> query = points.col(0);
  query(1) = nan;
  CHECK_THROWS_AS(ask_knn(index, query.data(), 2), unfurl::DataError);
  query(1) = 1e200;
  CHECK_THROWS_AS(ask_knn(index, query.data(), 2), unfurl::DataError);

  points(2, 7) = nan;
  CHECK_THROWS_WITH(search.build(points),
                    Catch::Matchers::Matches(".*NaN at \\(row 7, column 2\\).*"));
  points(2, 7) = -std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(search.build(points), Catch::Matchers::Matches(".*Inf at \\(row 7.*"));
  points(2, 7) = 1e200;
  CHECK_THROWS_WITH(search.build(points), Catch::Matchers::Matches(".*magnitude too large.*"));
}

TEST_CASE("KdTree checks its leaf size", "[neighbors][contract9]") {
  const Matrix<double> points = test::normal_points<double>(3, 20);
  CHECK_THROWS_AS(KdTree{0}.build(points), unfurl::ParameterError);
  CHECK_THROWS_AS(KdTree{-1}.build(points), unfurl::ParameterError);
}
