#include "unfurl/graph/path_length.hpp"

#include <cmath>
#include <limits>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/geodesics.hpp"
#include "unfurl/graph/shortest_paths.hpp"

using namespace unfurl;

TEST_CASE("No shortest path is longer than the bound", "[graph][paths]") {
  for (const double p : {0.0, 0.01, 0.05, 0.5}) {
    const auto graph = sample::random_graph<double>(120, p, 5, GENERATE(true, false));
    for (const auto path : {Path::lengths, Path::hops}) {
      const double bound = detail::longest_path_bound(graph, path);
      const Matrix<double> D = all_shortest_paths<double>(graph, path, Parallel(1));
      CHECK(D.unaryExpr([](double d) { return std::isinf(d) ? 0.0 : d; }).maxCoeff() <= bound);
    }
  }
  CHECK(detail::longest_path_bound(sample::unit_graph<double>(5, {}), Path::lengths) == 0);
}

TEMPLATE_TEST_CASE("Rounded lengths are near and add up without rounding", "[graph][paths]", float,
                   double) {
  using Scalar = TestType;
  const double eps = std::numeric_limits<Scalar>::epsilon();
  for (const double longest : {1.0, 0.7, 1e6, 3e-9, 255.9}) {
    const detail::PathRounding<Scalar> rounding(longest);
    Random random(3);
    double sum = 0;
    Scalar narrow = 0;
    for (;;) {
      const double length = 0.01 * longest * random.uniform();
      const Scalar rounded = rounding(length);
      CHECK(std::abs(static_cast<double>(rounded) - length) <= 0.5 * eps * longest);
      if (sum + static_cast<double>(rounded) > longest) break;
      sum += static_cast<double>(rounded);
      narrow += rounded;
      REQUIRE(static_cast<double>(narrow) == sum);
    }
    CHECK(rounding(0) == 0);
  }
  CHECK(detail::PathRounding<Scalar>(0)(0.3) == Scalar(0.3));  // no path has a length
  CHECK(detail::PathRounding<Scalar>(std::numeric_limits<double>::infinity())(3e9) == Scalar(3e9));
  CHECK(detail::PathRounding<Scalar>()(0.3) == Scalar(0.3));
}

TEMPLATE_TEST_CASE("Geodesics have the same bytes from either end", "[graph][isomap][contract56]",
                   float, double) {
  using Scalar = TestType;
  const Index n = GENERATE(1, 2, 40, 700);
  const auto graph = sample::random_graph<Scalar>(n, 3.0 / static_cast<double>(n), 8, true);
  const Path path = GENERATE(Path::lengths, Path::hops);
  const Parallel parallel(2);
  auto all = detail::unknown_geodesics<Scalar>(graph, path, {});
  REQUIRE(all.every());
  all.lengths = detail::walk(all, parallel);
  // From landmarks, a graph with its vertices in another order.
  std::vector<Index> landmarks;
  for (Index v = 0; v + 1 < n; v += 7) landmarks.push_back(v);
  if (landmarks.empty()) return;
  auto some = detail::unknown_geodesics<Scalar>(graph, path, landmarks);
  CHECK_FALSE(some.every());
  some.lengths = detail::walk(some, parallel);
  const Matrix<Scalar> exact = shortest_paths<Scalar>(graph, landmarks, path, parallel);
  const double farthest = static_cast<double>(exact.maxCoeff());
  for (Index j = 0; j < some.lengths.cols(); ++j) {
    CHECK(some.vertex(j) == landmarks[static_cast<std::size_t>(j)]);
    for (Index v = 0; v < n; ++v) {
      const int a = all.paths.here(v), b = all.paths.here(some.vertex(j));
      const Scalar length = some.lengths(some.paths.here(v), j);
      REQUIRE(length == all.lengths(std::min(a, b), std::max(a, b)));
      REQUIRE(std::abs(static_cast<double>(length - exact(v, j))) <=
              30 * std::numeric_limits<Scalar>::epsilon() * farthest);
    }
  }
}
