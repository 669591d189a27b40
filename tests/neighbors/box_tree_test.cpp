#include "unfurl/neighbors/box_tree.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "neighbors/oracle.hpp"
#include "support/catch.hpp"
#include "unfurl/neighbors/knn.hpp"

using test::Index;
using test::Matrix;
using unfurl::BoxTree;
using unfurl::Parallel;
using unfurl::detail::Boxes;
using unfurl::detail::LaneSearch;
using unfurl::detail::SpatialOrder;

namespace {

/// Points of a set in the order in which boxes are put around them.
template <class S>
Matrix<S> in_order(const Matrix<S>& points) {
  Matrix<S> ordered(points.rows(), points.cols());
  Index to = 0;
  for (const Index i : SpatialOrder<S>(points, Parallel(1)).take())
    ordered.col(to++) = points.col(i);
  return ordered;
}

std::vector<Index> counting(Index n) {
  std::vector<Index> names(static_cast<std::size_t>(n));
  std::iota(names.begin(), names.end(), Index{0});
  return names;
}

}  // namespace

TEST_CASE("Runs of points in spatial order are close together, for any number of threads",
          "[neighbors]") {
  const Index n = GENERATE(1, 7, 8, 9, 100, 20000);
  const Matrix<double> points = test::normal_points<double>(3, n);
  const std::vector<Index> order = SpatialOrder<double>(points, Parallel(1)).take();
  for (int n_threads : {2, 3, 8})
    CHECK(SpatialOrder<double>(points, Parallel(n_threads)).take() == order);
  std::vector<Index> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == counting(n));
  if (n < 20000) return;
  for (const Index run : {8, 64, 512}) {
    double extent = 0;
    for (Index begin = 0; begin + run <= n; begin += run) {
      Matrix<double> some(3, run);
      for (Index i = 0; i < run; ++i)
        some.col(i) = points.col(order[static_cast<std::size_t>(begin + i)]);
      extent += (some.rowwise().maxCoeff() - some.rowwise().minCoeff()).norm();
    }
    extent /= static_cast<double>(n / run);
    CAPTURE(run,
            extent);  // a cube of as many points, where they are densest, has 4.3 (run / n)^1/3
    CHECK(extent < 14 * std::cbrt(static_cast<double>(run) / static_cast<double>(n)));
  }
}

TEST_CASE("A box holds what is below it", "[neighbors]") {
  const Index n = GENERATE(1, 8, 65, 700);
  const Matrix<double> points = in_order(test::normal_points<double>(4, n));
  const Boxes<double> boxes(points);
  CHECK(boxes.n_leaves() == (n + 7) / 8);
  const auto inside = [&](const double* low, const double* high, const double* in_low,
                          const double* in_high) {
    bool all = true;
    for (Index i = 0; i < 4; ++i) all = all && low[i] <= in_low[i] && in_high[i] <= high[i];
    return all;
  };
  Index below = n, outside = 0;
  for (Index level = 0; level < boxes.n_levels(); ++level) {
    Index node = 0, seen = 0;
    for (; seen < below; ++node) {
      const auto [begin, end] = boxes.children(level, node);
      CHECK(begin == seen);
      for (; seen < end; ++seen)
        outside += level == 0 ? !inside(boxes.low(level, node), boxes.high(level, node),
                                        points.col(seen).data(), points.col(seen).data())
                              : !inside(boxes.low(level, node), boxes.high(level, node),
                                        boxes.low(level - 1, seen), boxes.high(level - 1, seen));
    }
    below = node;
  }
  CHECK(below == 1);
  CHECK(outside == 0);
}

TEMPLATE_TEST_CASE("Queries that search together find what each would alone", "[neighbors]", float,
                   double) {
  using S = TestType;
  const Index d = GENERATE(1, 3, 7), n = GENERATE(9, 500), k = GENERATE(1, 8);
  const Matrix<S> points = in_order(test::normal_points<S>(d, n));
  const Boxes<S> boxes(points);
  LaneSearch<S> search(boxes, k);
  const Matrix<S> queries = test::normal_points<S>(d, LaneSearch<S>::lanes, 5);
  std::vector<Index> indices(static_cast<std::size_t>(k));
  std::vector<S> distances(indices.size());
  Index wrong = 0, undecided = 0;
  for (Index count = 1; count <= queries.cols(); ++count) {
    search.find(queries.data(), count);
    for (Index lane = 0; lane < count; ++lane) {
      undecided += !search.write(lane, queries.col(lane).data(), counting(n), indices.data(),
                                 distances.data());
      wrong += !(test::Found<S>{indices, distances} ==
                 test::oracle_knn(points, queries.col(lane).data(), k));
    }
  }
  CAPTURE(d, n, k);
  CHECK(wrong == 0);
  CHECK(undecided == 0);
}

TEST_CASE("Queries that search together say when there is a choice or too little", "[neighbors]") {
  Matrix<double> points(1, 4);
  points << -1, 0, 1, 3;
  const Boxes<double> boxes(points);
  const double query = 0;
  std::vector<Index> indices(3);
  std::vector<double> distances(3);
  const auto decided = [&](Index k) {
    LaneSearch<double> search(boxes, k);
    search.find(&query, 1);
    return search.write(0, &query, {5, 6, 4, 3}, indices.data(), distances.data());
  };
  CHECK(decided(1));
  CHECK(indices[0] == 6);
  CHECK_FALSE(decided(2));  // which of the two at distance 1
  CHECK(decided(3));
  CHECK(indices == std::vector<Index>{6, 4, 5});  // ties by name
  CHECK(distances == std::vector<double>{0, 1, 1});
}

#ifdef __SSE2__
TEST_CASE("Duplicates are found where denormal numbers are taken for 0", "[neighbors]") {
  Matrix<double> points = test::normal_points<double>(2, 400);
  for (Index i = 0; i < 9; ++i) points.col(40 * i + 7) = points.col(200);
  const auto index = BoxTree{}.build(points);
  const Index k = 9;
  std::vector<Index> indices(static_cast<std::size_t>(k * points.cols()));
  std::vector<double> distances(indices.size());
  const unsigned mode = _mm_getcsr();
  _mm_setcsr(mode | 0x8040);  // as a library that was compiled with -ffast-math may leave it
  index.knn_batch(points.data(), points.cols(), k, indices.data(), distances.data());
  _mm_setcsr(mode);
  Index wrong = 0;
  for (Index q = 0; q < points.cols(); ++q) {
    const auto expected = test::oracle_knn(points, points.col(q).data(), k);
    wrong += !std::equal(expected.indices.begin(), expected.indices.end(), indices.begin() + q * k);
  }
  CHECK(wrong == 0);
}
#endif

TEST_CASE("Other queries are asked in an order in which near ones follow each other",
          "[neighbors]") {
  const Matrix<double> points = test::normal_points<double>(3, 2000);
  const Matrix<double> queries = test::normal_points<double>(3, 3000, 9);
  const auto index = BoxTree{}.build(points);
  const Parallel parallel(2);
  const std::vector<Index> order = index.query_order(queries.data(), queries.cols(), parallel);
  std::vector<Index> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  CHECK(sorted == counting(3000));
  double path = 0, as_given = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    path += (queries.col(order[i]) - queries.col(order[i - 1])).norm();
    as_given +=
        (queries.col(static_cast<Index>(i)) - queries.col(static_cast<Index>(i) - 1)).norm();
  }
  CHECK(path < as_given / 3);
  const auto list = unfurl::knn_query(index, queries, 5, parallel);
  Index wrong = 0;
  for (Index q = 0; q < queries.cols(); q += 50)
    wrong += !(test::entry(list, q) == test::oracle_knn(points, queries.col(q).data(), 5));
  CHECK(wrong == 0);
}

TEST_CASE("A box tree takes few features only, and says what takes more", "[neighbors]") {
  CHECK_THROWS_AS(BoxTree{}.build(test::normal_points<double>(8, 20)), unfurl::ParameterError);
  CHECK_THROWS_WITH(BoxTree{}.build(test::normal_points<double>(8, 20)),
                    "BoxTree: n_features must be in [1, 7], got 8 (KdTree takes more)");
}
