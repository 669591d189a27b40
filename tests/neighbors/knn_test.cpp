#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "neighbors/oracle.hpp"
#include "support/catch.hpp"
#include "unfurl/neighbors/knn.hpp"

using test::Found;
using test::Index;
using test::Matrix;
using unfurl::AutoSearch;
using unfurl::BruteForce;
using unfurl::KdTree;
using unfurl::NeighborList;
using unfurl::Parallel;

namespace {

/// The chessboard distance: a user's own search with nothing but the required members.
template <class S>
struct ChessboardIndex {
  Matrix<S> points;
  Index size() const { return points.cols(); }
  Index dimension() const { return points.rows(); }
  std::vector<std::pair<S, Index>> sorted(const S* query) const {
    std::vector<std::pair<S, Index>> all;
    for (Index i = 0; i < size(); ++i) {
      S distance = 0;
      for (Index f = 0; f < dimension(); ++f)
        distance = std::max(distance, std::abs(points(f, i) - query[f]));
      all.emplace_back(distance, i);
    }
    std::sort(all.begin(), all.end());
    return all;
  }
  void knn(const S* query, Index k, Index* indices, S* distances) const {
    const auto all = sorted(query);
    for (Index j = 0; j < k; ++j) {
      distances[j] = all[static_cast<std::size_t>(j)].first;
      indices[j] = all[static_cast<std::size_t>(j)].second;
    }
  }
  void radius(const S* query, S r, std::vector<Index>& indices, std::vector<S>& distances) const {
    indices.clear();
    distances.clear();
    for (const auto& [distance, index] : sorted(query))
      if (distance <= r) {
        indices.push_back(index);
        distances.push_back(distance);
      }
  }
};
struct Chessboard {
  template <class S>
  ChessboardIndex<S> build(Matrix<S> points) const {
    return {std::move(points)};
  }
};

enum class Fault { none, negative, nan, index, short_count, descending };

struct FaultyIndex : ChessboardIndex<double> {
  Fault fault;
  FaultyIndex(Matrix<double> p, Fault f) : ChessboardIndex<double>{std::move(p)}, fault(f) {}
  void knn(const double* query, Index k, Index* indices, double* distances) const {
    std::vector<Index> i(static_cast<std::size_t>(k));
    std::vector<double> d(i.size());
    ChessboardIndex<double>::knn(query, k, i.data(), d.data());
    if (fault == Fault::negative) d[0] = -1;
    if (fault == Fault::nan) d.back() = std::numeric_limits<double>::quiet_NaN();
    if (fault == Fault::index) i.back() = size();
    if (fault == Fault::descending) std::swap(d.front(), d.back());
    const Index count = fault == Fault::short_count ? k - 1 : k;
    std::copy_n(i.begin(), count, indices);
    std::copy_n(d.begin(), count, distances);
  }
  void radius(const double* query, double r, std::vector<Index>& indices,
              std::vector<double>& distances) const {
    ChessboardIndex<double>::radius(query, r, indices, distances);
    if (fault == Fault::negative) distances[0] = -1;
    if (fault == Fault::nan) distances[0] = std::numeric_limits<double>::quiet_NaN();
    if (fault == Fault::index) indices[0] = -1;
    if (fault == Fault::short_count) distances.pop_back();
    if (fault == Fault::descending) std::swap(distances.front(), distances.back());
  }
};
struct Faulty {
  Fault fault;
  FaultyIndex build(Matrix<double> points) const { return {std::move(points), fault}; }
};

struct NotASearch {};
struct NoRadius {
  struct Built {
    Index size() const { return 0; }
    Index dimension() const { return 0; }
    void knn(const double*, Index, Index*, double*) const {}
  };
  Built build(Matrix<double>) const { return {}; }
};

}  // namespace

TEST_CASE("the trait tells searches from other things", "[neighbors]") {
  STATIC_REQUIRE(unfurl::is_neighbor_search_v<KdTree, double>);
  STATIC_REQUIRE(unfurl::is_neighbor_search_v<BruteForce, float>);
  STATIC_REQUIRE(unfurl::is_neighbor_search_v<AutoSearch, double>);
  STATIC_REQUIRE(unfurl::is_neighbor_search_v<Chessboard, float>);
  STATIC_REQUIRE(unfurl::is_neighbor_search_v<Faulty, double>);
  STATIC_REQUIRE_FALSE(unfurl::is_neighbor_search_v<NotASearch, double>);
  STATIC_REQUIRE_FALSE(unfurl::is_neighbor_search_v<NoRadius, double>);
  STATIC_REQUIRE_FALSE(unfurl::is_neighbor_search_v<int, double>);
}

TEMPLATE_TEST_CASE("knn leaves a point out of its own list by index",
                   "[neighbors][contract31][contract32]", float, double) {
  using S = TestType;
  for (const auto& set : test::hard_point_sets<S>()) {
    const Index n = set.points.cols();
    const Matrix<S> X = set.points.transpose();
    for (Index k : {std::min<Index>(5, n - 1), std::min<Index>(350, n - 1)}) {
      const NeighborList<S> lists[] = {unfurl::knn(X, k, KdTree{}), unfurl::knn(X, k, BruteForce{}),
                                       unfurl::knn(X, k)};
      for (const NeighborList<S>& list : lists) {
        REQUIRE(list.size() == n);
        Index wrong = 0;
        for (Index i = 0; i < n; ++i)
          wrong += !(test::entry(list, i) ==
                     test::oracle_knn(set.points, set.points.col(i).data(), k, i));
        CAPTURE(set.name, k);
        CHECK(wrong == 0);
      }
    }
  }
}

TEMPLATE_TEST_CASE("radius_neighbors finds the other points at most r away",
                   "[neighbors][contract31]", float, double) {
  using S = TestType;
  Matrix<S> grid(25, 2);
  for (Index i = 0; i < 25; ++i) grid.row(i) << S(i % 5), S(i / 5);
  const Matrix<S> points = grid.transpose();
  for (S r : {S(0.5), S(1), std::sqrt(S(2)), S(2)}) {
    const NeighborList<S> lists[] = {unfurl::radius_neighbors(grid, r, KdTree{}),
                                     unfurl::radius_neighbors(grid, r, BruteForce{}),
                                     unfurl::radius_neighbors(grid, r)};
    for (const NeighborList<S>& list : lists) {
      CAPTURE(r);
      for (Index i = 0; i < 25; ++i)
        CHECK(test::entry(list, i) == test::oracle_radius(points, points.col(i).data(), r, i));
    }
  }
  CHECK(unfurl::radius_neighbors(grid, S(1), KdTree{}).count(12) == 4);
  CHECK(unfurl::radius_neighbors(grid, S(0.5)).total() == 0);
  const Matrix<S> same = Matrix<S>::Zero(6, 2);  // duplicates are neighbours at distance 0
  CHECK(unfurl::radius_neighbors(same, S(1e-3)).total() == 30);
}

TEMPLATE_TEST_CASE("queries of new points leave nothing out", "[neighbors]", float, double) {
  using S = TestType;
  const Matrix<S> points = test::normal_points<S>(4, 500), queries = points.leftCols(170);
  const auto check = [&](const auto& index) {
    const NeighborList<S> nearest = unfurl::knn_query(index, queries, 6);
    const NeighborList<S> within = unfurl::radius_query(index, queries, S(0.8));
    Index wrong = 0;
    for (Index i = 0; i < queries.cols(); ++i) {
      wrong += !(test::entry(nearest, i) == test::oracle_knn(points, queries.col(i).data(), 6));
      wrong +=
          !(test::entry(within, i) == test::oracle_radius(points, queries.col(i).data(), S(0.8)));
    }
    CHECK(wrong == 0);
    CHECK(nearest.indices(3)[0] == 3);
    CHECK(unfurl::knn_query(index, queries, 500).total() == 500 * 170);
    CHECK(unfurl::knn_query(index, Matrix<S>(4, 0), 6).size() == 0);
    CHECK(unfurl::radius_query(index, Matrix<S>(4, 0), S(1)).size() == 0);
  };
  check(KdTree{}.build(points));
  check(BruteForce{}.build(points));
  check(AutoSearch{}.build(points));
}

TEMPLATE_TEST_CASE("the lists have the same bytes for every number of threads",
                   "[neighbors][contract56]", KdTree, BruteForce, AutoSearch, Chessboard) {
  const Matrix<double> X = test::normal_points<double>(7, 1000, 3).transpose();
  const NeighborList<double> knn = unfurl::knn(X, 9, TestType{}, Parallel(1));
  const NeighborList<double> radius = unfurl::radius_neighbors(X, 1.5, TestType{}, Parallel(1));
  REQUIRE(radius.total() > 1000);
  for (int threads : {2, 3, 8}) {
    CAPTURE(threads);
    CHECK(test::same_lists(knn, unfurl::knn(X, 9, TestType{}, Parallel(threads))));
    CHECK(
        test::same_lists(radius, unfurl::radius_neighbors(X, 1.5, TestType{}, Parallel(threads))));
  }
}

TEMPLATE_TEST_CASE("an index knows its points, or is given them", "[neighbors]", KdTree, BruteForce,
                   AutoSearch) {
  const Matrix<double> points = test::normal_points<double>(3, 400);
  const auto index = TestType{}.build(points);
  CHECK(test::same_lists(unfurl::knn_self(index, 5), unfurl::knn_self(index, points, 5)));
  CHECK(test::same_lists(unfurl::radius_self(index, 0.5), unfurl::radius_self(index, points, 0.5)));
  CHECK_FALSE(test::same_lists(unfurl::knn_self(index, 5),
                               unfurl::knn(points.transpose(), 5, Chessboard{})));
  // Points that cannot be those of the index.
  const Matrix<double> fewer = points.leftCols(399), flatter = points.topRows(2);
  for (const Matrix<double>& other : {fewer, flatter}) {
    CHECK_THROWS_AS(unfurl::knn_self(index, other, 5), unfurl::DimensionError);
    CHECK_THROWS_AS(unfurl::radius_self(index, other, 0.5), unfurl::DimensionError);
  }
}

TEST_CASE("knn takes any layout of X", "[neighbors][contract12]") {
  const Eigen::MatrixXd X = test::normal_points<double>(4, 60).transpose();
  const NeighborList<double> expected = unfurl::knn(X, 3);
  const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> rows = X;
  CHECK(test::same_lists(expected, unfurl::knn(rows, 3)));
  Eigen::MatrixXd wide = Eigen::MatrixXd::Zero(100, 9);
  wide.block(5, 2, 60, 4) = X;
  CHECK(test::same_lists(expected, unfurl::knn(wide.block(5, 2, 60, 4), 3)));
  CHECK(test::same_lists(expected,
                         unfurl::knn(Eigen::Map<const Eigen::MatrixXd>(X.data(), 60, 4), 3)));
  CHECK(test::same_lists(expected, unfurl::knn(X * 1.0, 3)));
}

TEST_CASE("a user's own search serves knn and radius_neighbors", "[neighbors]") {
  Eigen::MatrixXf X(4, 2);
  X << 0, 0,  //
      3, 3,   // chessboard 3, Euclidean 4.2
      0, 4,   // chessboard 4, Euclidean 4
      9, 9;
  const NeighborList<float> list = unfurl::knn(X, 2, Chessboard{});
  CHECK(test::entry(list, 0) == Found<float>{{1, 2}, {3, 4}});
  CHECK(test::entry(list, 3) == Found<float>{{1, 0}, {6, 9}});
  const NeighborList<float> within = unfurl::radius_neighbors(X, 4.0f, Chessboard{});
  CHECK(test::entry(within, 0) == Found<float>{{1, 2}, {3, 4}});
  CHECK(within.count(3) == 0);
}

TEST_CASE("what a search returns is checked", "[neighbors][contract25]") {
  const Eigen::MatrixXd X = test::normal_points<double>(2, 30).transpose();
  CHECK(unfurl::knn(X, 4, Faulty{Fault::none}).total() == 120);
  for (Fault fault :
       {Fault::negative, Fault::nan, Fault::index, Fault::short_count, Fault::descending}) {
    CAPTURE(static_cast<int>(fault));
    CHECK_THROWS_AS(unfurl::knn(X, 4, Faulty{fault}), unfurl::DataError);
    CHECK_THROWS_AS(unfurl::radius_neighbors(X, 50.0, Faulty{fault}), unfurl::DataError);
  }
  // Also where every distance is 0, so that nothing but the missing index tells.
  CHECK_THROWS_AS(unfurl::knn(Eigen::MatrixXd::Zero(9, 2), 4, Faulty{Fault::short_count}),
                  unfurl::DataError);
  CHECK_THROWS_WITH(unfurl::knn(X, 4, Faulty{Fault::negative}),
                    Catch::Matchers::Matches("knn: .*All distances.*metric"));
}

TEST_CASE("an index too large for the list is refused before anything is allocated",
          "[neighbors][contract58]") {
  struct Huge : ChessboardIndex<double> {
    Index size() const { return Index{1} << 31; }
    Index dimension() const { return 2; }
    const double* point(Index) const { return nullptr; }
  };
  const Huge huge{};
  CHECK_THROWS_AS(unfurl::knn_self(huge, 3), unfurl::SizeLimitError);
  CHECK_THROWS_AS(unfurl::radius_self(huge, 0.1), unfurl::SizeLimitError);
  CHECK_THROWS_AS(unfurl::knn_query(huge, Matrix<double>(2, 1), 3), unfurl::SizeLimitError);
  CHECK_THROWS_AS(unfurl::radius_query(huge, Matrix<double>(2, 1), 0.1), unfurl::SizeLimitError);
}

TEST_CASE("an exception of a user's search reaches the caller", "[neighbors][contract53]") {
  struct Thrower : ChessboardIndex<double> {
    explicit Thrower(Matrix<double> p) : ChessboardIndex<double>{std::move(p)} {}
    void knn(const double*, Index, Index*, double*) const { throw std::string("mine"); }
  };
  struct Throwing {
    Thrower build(Matrix<double> p) const { return Thrower(std::move(p)); }
  };
  const Eigen::MatrixXd X = test::normal_points<double>(2, 300).transpose();
  for (int threads : {1, 4})
    CHECK_THROWS_AS(unfurl::knn(X, 4, Throwing{}, Parallel(threads)), std::string);
}

TEST_CASE("a list of more points than 32-bit indices reach is refused before it is allocated",
          "[neighbors][contract59]") {
  CHECK_THROWS_AS(unfurl::NeighborList<double>(Index{1} << 40, 10), unfurl::SizeLimitError);
}
