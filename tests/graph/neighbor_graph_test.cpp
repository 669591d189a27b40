#include "unfurl/graph/neighbor_graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/distance_matrix.hpp"

using namespace unfurl;

namespace {

/// Lists of k random others with lengths that agree in both directions.
template <class Scalar>
NeighborList<Scalar> random_lists(Index n, Index most, std::uint64_t seed) {
  Random random(seed);
  std::vector<Index> counts;
  std::vector<std::vector<Index>> picks;
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<Index>(random.below(static_cast<std::uint64_t>(most) + 1));
    auto pick = random.sample(n, std::min(k + 1, n));
    pick.erase(std::remove(pick.begin(), pick.end(), i), pick.end());
    counts.push_back(static_cast<Index>(pick.size()));
    picks.push_back(std::move(pick));
  }
  NeighborList<Scalar> list(counts);
  for (Index i = 0; i < n; ++i)
    for (std::size_t e = 0; e < picks[std::size_t(i)].size(); ++e) {
      const Index j = picks[std::size_t(i)][e];
      list.indices(i)[e] = static_cast<int>(j);
      list.distances(i)[e] = static_cast<Scalar>((i * 31 + j * 31 + i * j) % 17);  // 0 included
    }
  return list;
}

/// The graph by definition, as a dense matrix with -1 for no edge.
template <class Scalar>
Matrix<Scalar> oracle(const NeighborList<Scalar>& list, Symmetry symmetry) {
  const Index n = list.size();
  Matrix<Scalar> listed = Matrix<Scalar>::Constant(n, n, -1);
  for (Index i = 0; i < n; ++i)
    for (Index e = 0; e < list.count(i); ++e) listed(i, list.indices(i)[e]) = list.distances(i)[e];
  Matrix<Scalar> result = Matrix<Scalar>::Constant(n, n, -1);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Scalar a = listed(i, j), b = listed(j, i);
      if (a >= 0 && b >= 0) result(i, j) = std::min(a, b);
      if ((a < 0) != (b < 0) && symmetry == Symmetry::either) result(i, j) = std::max(a, b);
    }
  return result;
}

NeighborList<double> list_of(const std::vector<std::vector<std::pair<int, double>>>& lists) {
  std::vector<Index> counts;
  for (const auto& one : lists) counts.push_back(static_cast<Index>(one.size()));
  NeighborList<double> list(counts);
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (std::size_t e = 0; e < lists[i].size(); ++e) {
      list.indices(static_cast<Index>(i))[e] = lists[i][e].first;
      list.distances(static_cast<Index>(i))[e] = lists[i][e].second;
    }
  return list;
}

std::string refusal(const NeighborList<double>& list) {
  try {
    neighbor_graph(list, Symmetry::either, Parallel(2), "Isomap");
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEMPLATE_TEST_CASE("A neighbour graph is the union or the intersection of both directions",
                   "[graph][contract31]", float, double) {
  const Symmetry symmetry = GENERATE(Symmetry::either, Symmetry::mutual);
  const Index n = GENERATE(1, 2, 7, 60, 700);
  const Index most = GENERATE(0, 3, 12, 80);  // 80: both ways of sorting a list are met
  CAPTURE(n, most);
  const auto list = random_lists<TestType>(n, std::min(most, n - 1), 11);
  const auto graph = neighbor_graph(list, symmetry, Parallel(2));
  CHECK(sample::well_formed(graph));
  CHECK(test::same_bytes(sample::dense_lengths<TestType>(graph, -1), oracle(list, symmetry)));
  CHECK(graph.n_length_conflicts() == 0);
  CHECK(2 * graph.n_edges() == graph.n_entries());
}

TEST_CASE("Edges of length zero are edges", "[graph][contract33]") {
  const auto graph =
      neighbor_graph(list_of({{{1, 0.0}}, {{0, 0.0}}, {{1, 0.0}}}), Symmetry::either, Parallel(1));
  CHECK(graph.n_edges() == 2);
  REQUIRE(graph.length(0, 1).has_value());
  CHECK(*graph.length(0, 1) == 0);
  CHECK(graph.length(1, 2).has_value());
  CHECK(!graph.length(0, 2).has_value());
}

TEST_CASE("Of two lengths for one edge the smaller is taken, and counted", "[graph]") {
  const auto lists = list_of({{{1, 2.0}, {2, 5.0}}, {{0, 1.0}}, {{0, 5.0}}});
  for (const auto symmetry : {Symmetry::either, Symmetry::mutual}) {
    const auto graph = neighbor_graph(lists, symmetry, Parallel(1));
    CHECK(*graph.length(0, 1) == 1);
    CHECK(*graph.length(1, 0) == 1);
    CHECK(*graph.length(0, 2) == 5);
    CHECK(graph.n_length_conflicts() == 1);
  }
}

TEST_CASE("A neighbour list from outside is checked", "[graph][contract25][contract70]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(refusal(list_of({{{1, 1.0}}, {{2, 1.0}}})).find("Isomap: point 1 has neighbour 2") == 0);
  CHECK(refusal(list_of({{{-1, 1.0}}, {}})).find("neighbour -1") != std::string::npos);
  CHECK(refusal(list_of({{{0, 0.0}}, {}})).find("its own neighbour") != std::string::npos);
  CHECK(refusal(list_of({{{1, -0.5}}, {}})).find("non-negative, got -0.5") != std::string::npos);
  CHECK(refusal(list_of({{{1, nan}}, {}})).find("finite") != std::string::npos);
  CHECK(refusal(list_of({{{1, infinity}}, {}})).find("finite") != std::string::npos);
  CHECK(refusal(list_of({{{1, 1.0}, {1, 1.0}}, {}})).find("more than once") != std::string::npos);
  CHECK(refusal(list_of({{{1, 1.0}}, {{0, 1.0}}})) == "accepted");
}

TEMPLATE_TEST_CASE("Neighbour graphs have the same bytes for any number of threads",
                   "[graph][contract56]", float, double) {
  const auto list = random_lists<TestType>(3000, 9, 5);
  for (const auto symmetry : {Symmetry::either, Symmetry::mutual}) {
    const auto one = neighbor_graph(list, symmetry, Parallel(1));
    for (const int threads : {2, 3, 8})
      CHECK(sample::same_graph(one, neighbor_graph(list, symmetry, Parallel(threads))));
  }
}

TEST_CASE("A graph from edges keeps the shortest of parallel ones", "[graph]") {
  const std::vector<Edge<double>> edges = {
      {3, 1, 2.0}, {0, 1, 1.0}, {1, 3, 0.5}, {3, 1, 0.5}, {2, 3, 0.0}};
  const auto graph = graph_from_edges<double>(5, edges, Parallel(2));
  CHECK(sample::well_formed(graph));
  CHECK(graph.n_vertices() == 5);
  CHECK(graph.n_edges() == 3);
  CHECK(*graph.length(1, 3) == 0.5);
  CHECK(*graph.length(3, 2) == 0.0);
  CHECK(graph.degree(4) == 0);
  CHECK(graph.n_length_conflicts() == 1);

  const auto more = with_edges(graph, {{4, 0, 3.0}, {1, 0, 0.25}}, Parallel(2));
  CHECK(sample::well_formed(more));
  CHECK(more.n_edges() == 4);
  CHECK(*more.length(0, 4) == 3.0);
  CHECK(*more.length(0, 1) == 0.25);
  CHECK(*more.length(2, 3) == 0.0);
}

TEST_CASE("Edges that make no sense are refused", "[graph][contract58]") {
  const auto build = [](Index n, Edge<double> edge) {
    return graph_from_edges<double>(n, {edge}, Parallel(1));
  };
  CHECK_THROWS_AS(build(3, {0, 3, 1.0}), DataError);
  CHECK_THROWS_AS(build(3, {3, 0, 1.0}), DataError);
  CHECK_THROWS_AS(build(3, {-1, 0, 1.0}), DataError);
  CHECK_THROWS_AS(build(3, {1, 1, 1.0}), DataError);
  CHECK_THROWS_AS(build(3, {0, 1, -1.0}), DataError);
  CHECK_THROWS_AS(build(Index{1} << 31, {0, 1, 1.0}), SizeLimitError);
  CHECK_NOTHROW(build(3, {0, 2, 1.0}));
}

TEST_CASE("A graph without vertices is a graph", "[graph]") {
  CHECK(neighbor_graph(NeighborList<double>(), Symmetry::either, Parallel(2)).n_vertices() == 0);
  CHECK(graph_from_edges<double>(0, {}, Parallel(2)).n_edges() == 0);
}

TEMPLATE_TEST_CASE("Distances of all pairs, and neighbours from them, are what they say",
                   "[graph][contract31][contract32]", float, double) {
  const Index n = 150;
  Matrix<TestType> X = test::gaussian<TestType>(n, 3, 8);
  X.bottomRows(20) = X.topRows(20);  // duplicates
  const Matrix<TestType> D = distance_matrix<TestType>(X.transpose(), Parallel(3));
  CHECK(test::max_abs_diff(D, test::pairwise_distances(X)) < test::tol<TestType>(1e-14));
  CHECK(test::same_bytes(D, D.transpose().eval()));
  CHECK(D.diagonal().isZero(0));

  const auto knn = knn_from_distances<TestType>(D, 6, Parallel(2));
  const TestType r = 1;
  const auto ball = radius_from_distances<TestType>(D, r, Parallel(2));
  for (Index i = 0; i < n; ++i) {
    std::vector<std::pair<TestType, int>> others;
    for (Index j = 0; j < n; ++j)
      if (j != i) others.emplace_back(D(j, i), static_cast<int>(j));
    std::sort(others.begin(), others.end());
    bool same = knn.count(i) == 6;
    for (Index e = 0; e < knn.count(i); ++e)
      same = same && knn.indices(i)[e] == others[std::size_t(e)].second &&
             knn.distances(i)[e] == others[std::size_t(e)].first;
    for (std::size_t e = 0; e < others.size(); ++e)
      same = same && (static_cast<Index>(e) < ball.count(i)) == (others[e].first <= r);
    for (Index e = 0; e < ball.count(i); ++e)
      same = same && ball.indices(i)[e] == others[std::size_t(e)].second;
    CHECK(same);
  }
}

TEST_CASE("Neighbours from distances check their number and radius",
          "[graph][contract29][contract30]") {
  const Matrix<double> D = test::pairwise_distances(test::gaussian<double>(10, 2));
  const auto message = [&](Index k) -> std::string {
    try {
      knn_from_distances<double>(D, k, Parallel(1), "Isomap");
    } catch (const ParameterError& error) {
      return error.what();
    }
    return "accepted";
  };
  CHECK(message(10).find("Isomap: n_neighbors must be in [1, 9], got 10") == 0);
  CHECK(message(10).find("Expected n_neighbors < n_samples") != std::string::npos);
  CHECK(message(0) != "accepted");
  CHECK(message(-3) != "accepted");
  CHECK(message(9) == "accepted");
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL})
    CHECK_THROWS_AS(radius_from_distances<double>(D, bad, Parallel(1)), ParameterError);
}
