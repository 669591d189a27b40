#include "unfurl/graph/shortest_paths.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;

namespace {

/// Floyd and Warshall.
template <class Scalar>
Matrix<double> oracle(const Graph<Scalar>& graph, Path path) {
  const double infinity = std::numeric_limits<double>::infinity();
  Matrix<double> D = sample::dense_lengths<Scalar>(graph, std::numeric_limits<Scalar>::infinity())
                         .template cast<double>();
  for (Index i = 0; i < D.rows(); ++i)
    for (Index j = 0; j < D.cols(); ++j)
      if (path == Path::hops && D(i, j) < infinity) D(i, j) = 1;
  D.diagonal().setZero();
  for (Index k = 0; k < D.rows(); ++k)
    for (Index i = 0; i < D.rows(); ++i)
      for (Index j = 0; j < D.cols(); ++j) D(i, j) = std::min(D(i, j), D(i, k) + D(k, j));
  return D;
}

/// Largest relative difference; infinite unless the same pairs are unreachable.
template <class Scalar>
double relative_gap(const Matrix<Scalar>& found, const Matrix<double>& expected) {
  double worst = 0;
  for (Index j = 0; j < expected.cols(); ++j)
    for (Index i = 0; i < expected.rows(); ++i) {
      const auto a = static_cast<double>(found(i, j)), b = expected(i, j);
      if (std::isinf(a) != std::isinf(b)) return std::numeric_limits<double>::infinity();
      if (!std::isinf(b)) worst = std::max(worst, std::abs(a - b) / std::max(b, 1e-300));
    }
  return worst;
}

}  // namespace

TEMPLATE_TEST_CASE("Shortest paths agree with Floyd and Warshall", "[graph][paths]", float,
                   double) {
  const double p = GENERATE(0.0, 0.005, 0.02, 0.1, 0.9);
  const Index n = GENERATE(1, 2, 90);
  const auto graph = sample::random_graph<TestType>(n, p, 17, false);
  const Parallel parallel(2);
  CAPTURE(p, n);
  CHECK(relative_gap(all_shortest_paths<TestType>(graph, Path::lengths, parallel),
                     oracle(graph, Path::lengths)) < test::tol<TestType>(1e-14));
  CHECK(relative_gap(all_shortest_paths<TestType>(graph, Path::hops, parallel),
                     oracle(graph, Path::hops)) == 0);
}

TEST_CASE("A path through a heap of many equal distances is still shortest", "[graph][paths]") {
  const auto grid = sample::unit_graph<double>(
      20 * 30, sample::product_pairs(sample::path_pairs(20), 20, sample::path_pairs(30), 30));
  const auto D = all_shortest_paths<double>(grid, Path::lengths, Parallel(2));
  Matrix<double> expected(600, 600);
  for (Index a = 0; a < 600; ++a)
    for (Index b = 0; b < 600; ++b)
      expected(a, b) = static_cast<double>(std::abs(a / 30 - b / 30) + std::abs(a % 30 - b % 30));
  CHECK(test::same_bytes(D, expected));
}

TEST_CASE("Unreachable vertices are infinitely far", "[graph][paths][contract35]") {
  const auto graph = graph_from_edges<double>(4, {{0, 1, 2.0}}, Parallel(1));
  for (const auto path : {Path::lengths, Path::hops}) {
    const auto D = shortest_paths<float>(graph, {0, 3}, path, Parallel(1));
    CHECK(D(1, 0) == (path == Path::hops ? 1.0f : 2.0f));
    CHECK(std::isinf(D(2, 0)));
    CHECK(std::isinf(D(0, 1)));
    CHECK(D(3, 1) == 0);
  }
}

TEST_CASE("Duplicates are at geodesic distance zero", "[graph][paths][contract33]") {
  const auto graph =
      graph_from_edges<double>(4, {{0, 1, 0.0}, {1, 2, 0.0}, {2, 3, 1.5}}, Parallel(1));
  const auto D = all_shortest_paths<double>(graph, Path::lengths, Parallel(1));
  CHECK(D(0, 2) == 0);
  CHECK(D(0, 3) == 1.5);
  CHECK(all_shortest_paths<double>(graph, Path::hops, Parallel(1))(0, 3) == 3);
}

TEST_CASE("Paths from some sources are columns of all paths", "[graph][paths]") {
  const auto graph = sample::random_graph<double>(80, 0.05, 2, true);
  const Parallel parallel(2);
  const auto all = all_shortest_paths<double>(graph, Path::lengths, parallel);
  const std::vector<Index> sources = {5, 79, 0, 5};
  const auto some = shortest_paths<double>(graph, sources, Path::lengths, parallel);
  REQUIRE(some.cols() == 4);
  for (Index s = 0; s < 4; ++s)
    CHECK(test::same_bytes(some.col(s), all.col(sources[std::size_t(s)])));
  CHECK(shortest_paths<double>(graph, {}, Path::lengths, parallel).cols() == 0);
  // In float, where every edge is rounded.
  const auto narrow = shortest_paths<float>(graph, sources, Path::lengths, parallel);
  for (Index i = 0; i < some.size(); ++i)
    CHECK(std::abs(double(narrow(i)) - some(i)) <= 1e-6 * some(i));
}

TEMPLATE_TEST_CASE("Paths have the same bytes for any number of threads",
                   "[graph][paths][contract56]", float, double) {
  const auto graph = sample::random_graph<TestType>(200, 0.03, 6, false);
  for (const auto path : {Path::lengths, Path::hops}) {
    const auto one = all_shortest_paths<TestType>(graph, path, Parallel(1));
    for (const int threads : {2, 3, 8})
      CHECK(test::same_bytes(one, all_shortest_paths<TestType>(graph, path, Parallel(threads))));
  }
}

TEST_CASE("A source that is not a vertex is refused", "[graph][paths][contract70]") {
  const auto graph = sample::unit_graph<double>(3, sample::path_pairs(3));
  CHECK_THROWS_AS(shortest_paths<double>(graph, {3}, Path::lengths, Parallel(1)), ParameterError);
  CHECK_THROWS_AS(shortest_paths<double>(graph, {-1}, Path::hops, Parallel(1)), ParameterError);
}

TEST_CASE("What the receiver of paths throws reaches the caller", "[graph][paths][contract53]") {
  const auto graph = sample::random_graph<double>(60, 0.1, 6, true);
  std::vector<Index> sources(60);
  for (std::size_t i = 0; i < 60; ++i) sources[i] = static_cast<Index>(i);
  for (const int threads : {1, 4}) {
    try {
      for_each_source(graph, sources, Path::lengths, Parallel(threads), [](Index s, const double*) {
        if (s == 41) throw std::domain_error("mine");
      });
      FAIL("swallowed");
    } catch (const std::domain_error& error) {
      CHECK(std::string(error.what()) == "mine");
    }
  }
}
