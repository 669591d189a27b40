#include "unfurl/neighbors/nn_descent.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "neighbors/oracle.hpp"
#include "support/catch.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/neighbors/knn.hpp"

using test::Index;
using test::Matrix;
using unfurl::BruteForce;
using unfurl::NeighborList;
using unfurl::NnDescent;
using unfurl::Parallel;

namespace {

constexpr Index many = 9000;  // more than are searched exactly

template <class S>
Matrix<S> clusters(Index d, Index n = many, std::uint64_t seed = 2) {
  Matrix<S> points = test::normal_points<S>(d, n, seed);
  const Matrix<S> centers = 4 * test::normal_points<S>(d, 30, 3);
  for (Index i = 0; i < n; ++i) points.col(i) += centers.col(i % 30);
  return points;
}

template <class S>
std::vector<test::PointSet<S>> large_point_sets() {
  std::vector<test::PointSet<S>> sets;
  sets.push_back({"clusters", clusters<S>(20)});
  sets.push_back({"swiss roll", unfurl::swiss_roll(many).points.transpose().cast<S>()});
  sets.push_back({"every point three times", clusters<S>(12, many / 3).replicate(1, 3)});
  sets.push_back({"identical", Matrix<S>::Constant(3, many, S(0.1))});
  Matrix<S> far =
      clusters<S>(10) * S(1e-3);  // where products of floats keep nothing unless centred
  for (Index i = 0; i < many; ++i) far.col(i).array() += S(i % 3 * 100);
  sets.push_back({"far tight clusters", far});
  Matrix<S> lattice(3, many);  // ties everywhere
  for (Index i = 0; i < many; ++i) lattice.col(i) << S(i % 21), S(i / 21 % 21), S(i / 441);
  sets.push_back({"lattice", lattice});
  sets.push_back({"huge", clusters<S>(8) * S(1e12)});
  return sets;
}

template <class S>
double recall(const NeighborList<S>& found, const NeighborList<S>& expected) {
  Index hits = 0;
  for (Index i = 0; i < found.size(); ++i)
    for (Index e = 0; e < found.count(i); ++e)
      hits += found.distances(i)[e] <= expected.distances(i)[expected.count(i) - 1];
  return static_cast<double>(hits) / static_cast<double>(found.total());
}

/// Entries that a neighbour list must not have: the point itself, twice the same, wrong distances,
/// wrong order.
template <class S>
Index faults(const NeighborList<S>& list, const Matrix<S>& points, const Matrix<S>& queries,
             bool self) {
  Index wrong = 0;
  for (Index i = 0; i < list.size(); ++i) {
    const int* const indices = list.indices(i);
    const S* const distances = list.distances(i);
    wrong += std::set<int>(indices, indices + list.count(i)).size() !=
             static_cast<std::size_t>(list.count(i));
    for (Index e = 0; e < list.count(i); ++e) {
      wrong += self && indices[e] == i;
      wrong +=
          distances[e] != std::sqrt(unfurl::detail::squared_distance(
                              queries.col(i).data(), points.col(indices[e]).data(), points.rows()));
      wrong += e > 0 && !(std::make_pair(distances[e - 1], indices[e - 1]) <
                          std::make_pair(distances[e], indices[e]));
    }
  }
  return wrong;
}

}  // namespace

TEMPLATE_TEST_CASE("NnDescent finds the share of neighbours it was asked for", "[neighbors]", float,
                   double) {
  using S = TestType;
  for (const auto& set : large_point_sets<S>()) {
    CAPTURE(set.name);
    const auto index = NnDescent{0.98}.build(set.points, 10);
    const NeighborList<S> found = unfurl::knn_self(index, 10);
    const NeighborList<S> expected = unfurl::knn_self(BruteForce{}.build(set.points), 10);
    CHECK_FALSE(index.is_exact());
    CHECK(index.measured_recall() >= 0.98);
    // The sample's error: a thousand lists of ten.
    CHECK(std::abs(recall(found, expected) - index.measured_recall()) < 0.01);
    CHECK(faults(found, set.points, set.points, true) == 0);
    CHECK(index.note().find("approximate") != std::string::npos);
    CHECK(index.note().find(unfurl::detail::text(index.measured_recall())) != std::string::npos);
    CHECK(index.points() == set.points);
  }
}

TEMPLATE_TEST_CASE("NnDescent finds the neighbours of new points", "[neighbors]", float, double) {
  using S = TestType;
  const Matrix<S> all = clusters<S>(15, many + 500);
  const Matrix<S> points = all.leftCols(many), queries = all.rightCols(500);
  const auto index = NnDescent{0.97}.build(points, 8);
  REQUIRE_FALSE(index.is_exact());
  CHECK(index.measured_query_recall() >= 0.97);
  const auto exact = BruteForce{}.build(points);
  for (Index k : {1, 8}) {
    const auto found = unfurl::knn_query(index, queries, k);
    CHECK(faults(found, points, queries, false) == 0);
    CHECK(recall(found, unfurl::knn_query(exact, queries, k)) >= 0.95);
  }
  // A point of the set finds itself.
  CHECK(unfurl::knn_query(index, Matrix<S>(points.col(77)), 3).indices(0)[0] == 77);

  // What the lists do not hold is searched exactly.
  CHECK(test::same_lists(unfurl::knn_query(index, queries, 20),
                         unfurl::knn_query(exact, queries, 20)));
  CHECK(test::same_lists(unfurl::knn_self(index, 20), unfurl::knn_self(exact, 20)));
  CHECK(test::same_lists(unfurl::radius_query(index, queries, S(4)),
                         unfurl::radius_query(exact, queries, S(4))));
  CHECK(unfurl::radius_query(exact, queries, S(4)).total() > 500);
  const auto rare = [](Index i) { return i % 1000 == 7; };
  for (Index q = 0; q < 20; ++q) {
    Index a = -1, b = -2;
    S distance_a = -1, distance_b = -2;
    const S bound = std::numeric_limits<S>::max();
    CHECK(index.nearest_if(queries.col(q).data(), rare, bound, a, distance_a));
    CHECK(exact.nearest_if(queries.col(q).data(), rare, bound, b, distance_b));
    CHECK(a == b);
    CHECK(distance_a == distance_b);
  }
}

TEST_CASE("NnDescent gives the same bytes for any number of threads", "[neighbors]") {
  const Matrix<double> points = clusters<double>(25);
  const Matrix<double> queries = clusters<double>(25, 200, 9);
  const Parallel one(1);
  const auto first = NnDescent{}.build(points, 12, one);
  REQUIRE_FALSE(first.is_exact());
  const auto lists = unfurl::knn_self(first, 12, one);
  const auto answers = unfurl::knn_query(first, queries, 12, one);
  for (int n_threads : {2, 3}) {
    const Parallel parallel(n_threads);
    const auto index = NnDescent{}.build(points, 12, parallel);
    CHECK(test::same_lists(lists, unfurl::knn_self(index, 12, parallel)));
    CHECK(test::same_lists(answers, unfurl::knn_query(index, queries, 12, parallel)));
    CHECK(index.note() == first.note());
  }
  CHECK(test::same_lists(lists, unfurl::knn(points.transpose(), 12, NnDescent{}, Parallel(2))));
}

TEST_CASE("NnDescent depends on its seed and on the recall asked for", "[neighbors]") {
  const Matrix<double> points = clusters<double>(25);
  const auto modest = NnDescent{0.5}.build(points, 12);
  const auto lists = unfurl::knn_self(modest, 12);
  CHECK_FALSE(test::same_lists(lists, unfurl::knn_self(NnDescent{0.5, 1}.build(points, 12), 12)));
  const auto better = NnDescent{0.5 * (1 + modest.measured_recall())}.build(points, 12);
  CHECK(better.measured_recall() > modest.measured_recall());
}

TEST_CASE("NnDescent is exact and says so where approximation does not pay", "[neighbors]") {
  const auto check = [](const Matrix<double>& points, const NnDescent& search, Index k) {
    const auto index = search.build(points, k);
    CHECK(index.is_exact());
    CHECK(index.measured_recall() == 1);
    CHECK(index.measured_query_recall() == 1);
    CHECK(index.note().find("exact neighbours instead") == 0);
    CHECK(test::same_lists(unfurl::knn_self(index, k),
                           unfurl::knn_self(BruteForce{}.build(points), k)));
  };
  check(clusters<double>(5, 300), NnDescent{}, 10);   // few points
  check(clusters<double>(5, 300), NnDescent{}, 299);  // all the others
  check(test::normal_points<double>(4, 2), NnDescent{}, 1);
  check(clusters<double>(5), NnDescent{1}, 5);   // a recall of 1
  check(clusters<double>(5), NnDescent{}, 200);  // long lists for the number of points
  check(test::normal_points<double>(40, many), NnDescent{0.999}, 10);  // nothing to hold on to
}

TEST_CASE("NnDescent refuses what the other searches refuse", "[neighbors]") {
  const Matrix<double> points = clusters<double>(6);
  for (double recall : {0.0, -1.0, 1.5, std::nan("")})
    CHECK_THROWS_AS(NnDescent{recall}.build(points), unfurl::ParameterError);
  CHECK_THROWS_AS(NnDescent{}.build(Matrix<double>(3, 0)), unfurl::DataError);
  Matrix<double> bad = points;
  bad(2, 5) = std::nan("");
  CHECK_THROWS_AS(NnDescent{}.build(bad), unfurl::DataError);

  const auto index = NnDescent{0.9}.build(points, 5);
  REQUIRE_FALSE(index.is_exact());
  for (Index k : {Index{0}, many, many + 1})
    CHECK_THROWS_AS(unfurl::knn_self(index, k), unfurl::ParameterError);
  CHECK_THROWS_AS(unfurl::knn_query(index, points, many + 1), unfurl::ParameterError);
  CHECK_THROWS_AS(unfurl::knn_query(index, Matrix<double>(Matrix<double>::Zero(5, 1)), 2),
                  unfurl::DimensionError);
  std::vector<Index> indices(5);
  std::vector<double> distances(5);
  const Matrix<double> nowhere = Matrix<double>::Constant(6, 1, std::nan(""));
  CHECK_THROWS_AS(index.knn(nowhere.data(), 5, indices.data(), distances.data()),
                  unfurl::DataError);
}

TEST_CASE("building an NnDescent index can be cancelled", "[neighbors]") {
  Parallel parallel(2);
  std::atomic<int> calls{0};
  parallel.on_progress([&](double) {
    if (++calls == 2) throw std::runtime_error("enough");
  });
  CHECK_THROWS_WITH(NnDescent{}.build(clusters<double>(60, 30000), 15, parallel), "enough");
  CHECK(calls == 2);
}
