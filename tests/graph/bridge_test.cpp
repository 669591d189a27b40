#include "unfurl/graph/bridge.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/distance_matrix.hpp"
#include "unfurl/neighbors/brute_force.hpp"
#include "unfurl/neighbors/kd_tree.hpp"
#include "unfurl/neighbors/knn.hpp"

using namespace unfurl;

namespace {

/// Clusters of random sizes at random places, one point a column, in random order.
template <class Scalar>
Matrix<Scalar> clusters(Index n, Index n_clusters, std::uint64_t seed) {
  Random random(seed);
  const Matrix<Scalar> centres = random.normal_matrix<Scalar>(3, n_clusters) * Scalar(40);
  Matrix<Scalar> points(3, n);
  for (Index i = 0; i < n; ++i) {
    const auto a = static_cast<Index>(random.below(static_cast<std::uint64_t>(n_clusters)));
    points.col(i) = centres.col(a) + random.normal_matrix<Scalar>(3, 1);
  }
  return points;
}

/// Points of a grid in random order: nearly all links have ties.
Matrix<double> grid_blocks(std::uint64_t seed) {
  Matrix<double> points(2, 5 * 9);
  const std::vector<Index> order = Random(seed).sample(points.cols(), points.cols());
  std::size_t at = 0;
  for (int block = 0; block < 5; ++block)
    for (int x = 0; x < 3; ++x)
      for (int y = 0; y < 3; ++y)
        points.col(order[at++]) << x + 6 * (block % 3), y + 6 * (block / 3);
  return points;
}

/// Kruskal over all pairs, in the order of length, then vertices: the tree by definition.
template <class Scalar>
std::vector<Edge<Scalar>> oracle(const Graph<Scalar>& graph, const Matrix<Scalar>& D) {
  std::vector<Edge<Scalar>> pairs, links;
  for (Index i = 0; i < D.rows(); ++i)
    for (Index j = i + 1; j < D.rows(); ++j) pairs.push_back({i, j, D(i, j)});
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
    return std::tie(a.length, a.i, a.j) < std::tie(b.length, b.i, b.j);
  });
  std::vector<int> label = connected_components(graph).label;
  for (const auto& pair : pairs) {
    const int a = label[std::size_t(pair.i)], b = label[std::size_t(pair.j)];
    if (a == b) continue;
    links.push_back(pair);
    std::replace(label.begin(), label.end(), b, a);
  }
  return links;
}

template <class Scalar>
bool same_links(const std::vector<Edge<Scalar>>& a, const std::vector<Edge<Scalar>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.i == y.i && x.j == y.j && x.length == y.length;
  });
}

/// A user's own search, which has only what is required.
struct PlainIndex {
  Matrix<double> stored;
  Index size() const { return stored.cols(); }
  Index dimension() const { return stored.rows(); }
  void knn(const double* query, Index k, Index* indices, double* distances) const {
    BruteForce{}.build(stored).knn(query, k, indices, distances);
  }
};

}  // namespace

TEMPLATE_TEST_CASE("Bridging adds the minimum spanning tree over the components",
                   "[graph][bridge][contract35]", float, double) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Matrix<TestType> points = clusters<TestType>(180, 12, seed);
    const auto index = KdTree{}.build(points);
    const Parallel parallel(2);
    const Matrix<TestType> D = distance_matrix(points, parallel);
    const auto graph = neighbor_graph(knn_self(index, 4, parallel), Symmetry::mutual, parallel);
    const auto expected = oracle(graph, D);
    REQUIRE(expected.size() > 5);

    auto by_tree = graph, by_brute_force = graph, by_matrix = graph;
    CHECK(same_links(bridge_components(by_tree, index, parallel), expected));
    CHECK(same_links(bridge_components(by_brute_force, BruteForce{}.build(points), parallel),
                     expected));
    CHECK(same_links(bridge_components(by_matrix, D, parallel), expected));
    CHECK(connected_components(by_tree).count() == 1);
    CHECK(sample::well_formed(by_tree));
    CHECK(by_tree.n_edges() == graph.n_edges() + static_cast<Index>(expected.size()));
    CHECK(sample::same_graph(by_tree, by_matrix));
  }
}

TEST_CASE("Bridging breaks ties by the lowest vertices, for any number of threads",
          "[graph][bridge][contract32][contract56]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Matrix<double> points = grid_blocks(seed);
    const auto index = KdTree{}.build(points);
    const auto graph =
        neighbor_graph(radius_self(index, points, 1.0), Symmetry::either, Parallel(1));
    REQUIRE(connected_components(graph).count() == 5);
    const Matrix<double> D = distance_matrix(points, Parallel(1));
    const auto expected = oracle(graph, D);
    for (const int threads : {1, 2, 3, 8}) {
      auto by_tree = graph, by_matrix = graph;
      CHECK(same_links(bridge_components(by_tree, index, Parallel(threads)), expected));
      CHECK(same_links(bridge_components(by_matrix, D, Parallel(threads)), expected));
    }
  }
}

TEST_CASE("Bridging joins isolated points", "[graph][bridge]") {
  const Matrix<double> points = clusters<double>(70, 70, 9);
  const auto index = KdTree{}.build(points);
  auto graph = graph_from_edges<double>(70, {}, Parallel(1));
  const auto expected = oracle(graph, distance_matrix(points, Parallel(1)));
  CHECK(same_links(bridge_components(graph, index, Parallel(2)), expected));
  CHECK(graph.n_edges() == 69);
}

TEST_CASE("Bridging works with a user's own search", "[graph][bridge]") {
  const Matrix<double> points = clusters<double>(150, 4, 2);
  const PlainIndex own{points};
  auto graph = neighbor_graph(knn_self(KdTree{}.build(points), 3), Symmetry::mutual, Parallel(1));
  const auto expected = oracle(graph, distance_matrix(points, Parallel(1)));
  REQUIRE(expected.size() > 3);
  CHECK(same_links(bridge_components(graph, own, points, Parallel(2)), expected));
}

TEST_CASE("Bridging leaves a connected graph alone and refuses what does not fit",
          "[graph][bridge]") {
  const Matrix<double> points = clusters<double>(30, 1, 4);
  const auto index = KdTree{}.build(points);
  auto graph = neighbor_graph(knn_self(index, 29), Symmetry::either, Parallel(1));
  const auto before = graph;
  CHECK(bridge_components(graph, index, Parallel(1)).empty());
  CHECK(sample::same_graph(graph, before));

  auto smaller = graph_from_edges<double>(29, {}, Parallel(1));
  CHECK_THROWS_AS(bridge_components(smaller, index, Parallel(1)), DimensionError);
  CHECK_THROWS_AS(bridge_components(smaller, distance_matrix(points, Parallel(1)), Parallel(1)),
                  DimensionError);
  auto pair = graph_from_edges<double>(2, {}, Parallel(1));
  Matrix<double> unreachable = Matrix<double>::Constant(2, 2, HUGE_VAL);
  unreachable.diagonal().setZero();
  CHECK_THROWS_AS(bridge_components(pair, unreachable, Parallel(1)), NumericalError);
}

TEST_CASE("Duplicates in different components are joined at length zero",
          "[graph][bridge][contract33]") {
  Matrix<double> points(1, 4);
  points << 0, 0, 5, 5;
  auto graph = graph_from_edges<double>(4, {{0, 2, 5.0}}, Parallel(1));
  const auto links = bridge_components(graph, KdTree{}.build(points), Parallel(1));
  REQUIRE(links.size() == 2);
  CHECK((links[0].length == 0 && links[1].length == 0));
  CHECK(graph.length(0, 1).has_value());
  CHECK(graph.length(2, 3).has_value());
}
