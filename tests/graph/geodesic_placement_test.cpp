#include "unfurl/graph/geodesic_placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/shortest_paths.hpp"

using namespace unfurl;

namespace {

/// m new points with 1 to 6 neighbours each, some of them at distance 0, some far away.
template <class Scalar>
NeighborList<Scalar> some_neighbors(Index m, Index n) {
  Random random(12);
  std::vector<Index> counts;
  for (Index i = 0; i < m; ++i) counts.push_back(1 + i % std::min<Index>(6, n));
  NeighborList<Scalar> list(counts);
  for (Index i = 0; i < m; ++i) {
    const double apart = i % 5 == 0 ? 0 : i % 7 == 0 ? 1e4 : 0.5;
    double distance = apart * random.uniform();
    for (Index e = 0; e < list.count(i); ++e) {
      list.indices(i)[e] = static_cast<int>((i * 17 + e * (1 + i % 3)) % n);
      list.distances(i)[e] = static_cast<Scalar>(distance);
      distance += random.uniform();
    }
  }
  return list;
}

/// A drawing of a graph; what it looks like does not matter here.
template <class Real>
detail::GeodesicScaling<double> drawing(const Graph<double>& graph, Path path,
                                        const std::vector<Index>& landmarks, bool keeps_lengths) {
  const Index n = graph.n_vertices();
  detail::GeodesicScaling<double> map;
  map.landmarks = landmarks;
  map.embedding = test::gaussian<double>(n, 3, 2);
  map.eigenvalues = Vector<double>::LinSpaced(3, 2, 0);  // the last one is 0
  map.mean_squares =
      test::gaussian<double>(landmarks.empty() ? n : static_cast<Index>(landmarks.size()), 1, 3);
  auto geodesics = detail::unknown_geodesics<Real>(graph, path, landmarks);
  if (keeps_lengths) geodesics.lengths = detail::walk(geodesics, Parallel(2));
  map.keep(std::move(geodesics));
  return map;
}

/// The definition.
Matrix<double> oracle(const Graph<double>& graph, Path path,
                      const detail::GeodesicScaling<double>& map,
                      const NeighborList<double>& neighbors) {
  const Index n = graph.n_vertices();
  std::vector<Index> sources = map.landmarks;
  if (sources.empty()) {
    sources.resize(static_cast<std::size_t>(n));
    std::iota(sources.begin(), sources.end(), Index{0});
  }
  const Matrix<double> G = shortest_paths<double>(graph, sources, path, Parallel(1));
  Matrix<double> Y = Matrix<double>::Zero(neighbors.size(), map.embedding.cols());
  for (Index i = 0; i < neighbors.size(); ++i)
    for (Index j = 0; j < G.cols(); ++j) {
      double d = std::numeric_limits<double>::infinity();
      for (Index e = 0; e < neighbors.count(i); ++e) {
        const double length = neighbors.distances(i)[e];
        d = std::min(d, (path == Path::hops ? (length > 0 ? 1.0 : 0.0) : length) +
                            G(neighbors.indices(i)[e], j));
      }
      for (Index c = 0; c < Y.cols(); ++c)
        if (map.eigenvalues(c) > 0)
          Y(i, c) += map.embedding(sources[static_cast<std::size_t>(j)], c) /
                     (2 * map.eigenvalues(c)) * (map.mean_squares(j) - d * d);
    }
  return Y;
}

}  // namespace

TEMPLATE_TEST_CASE("New points are placed by walks and by what is kept to the same bytes",
                   "[graph][isomap][contract15][contract56][contract61]", float, double) {
  const Index n = GENERATE(2, 63, 130, 1100), m = GENERATE(1, 70);
  const auto graph = sample::random_graph<double>(n, 2.5 / static_cast<double>(n), 8, true);
  const Path path = GENERATE(Path::lengths, Path::hops);
  const Index stride = GENERATE(0, 3);  // every third is a landmark; 0: all are sources
  std::vector<Index> landmarks;
  for (Index v = 0; stride > 0 && v + 1 < n; v += stride) landmarks.push_back(v);
  CAPTURE(n, m, stride, path);
  const auto neighbors = some_neighbors<double>(m, n);
  const auto walked = drawing<TestType>(graph, path, landmarks, false),
             known = drawing<TestType>(graph, path, landmarks, true);
  const Matrix<double> Y = detail::place_by_geodesics(known, neighbors, path, Parallel(1));
  for (const int n_threads : {1, 3}) {
    CHECK(test::same_bytes(
        Y, detail::place_by_geodesics(walked, neighbors, path, Parallel(n_threads))));
    CHECK(test::same_bytes(
        Y, detail::place_by_geodesics(known, neighbors, path, Parallel(n_threads))));
  }
  const Matrix<double> expected = oracle(graph, path, known, neighbors);
  for (Index i = 0; i < m; ++i)
    CHECK(test::max_abs_diff(Y.row(i), expected.row(i)) <=
          test::tol<TestType>(1e-13) * (1 + expected.row(i).cwiseAbs().maxCoeff()));
  CHECK(Y.col(2).isZero(0));
}
