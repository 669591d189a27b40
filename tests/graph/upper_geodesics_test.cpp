#include "unfurl/graph/upper_geodesics.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/geodesic_scaling.hpp"
#include "unfurl/graph/residual_variance.hpp"
#include "unfurl/graph/shortest_paths.hpp"
#include "unfurl/graph/source_groups.hpp"
#include "unfurl/spectral/centered_squares.hpp"
#include "unfurl/spectral/centering.hpp"

using namespace unfurl;

namespace {

/// Nobody may have read what is not there.
template <class Scalar>
Matrix<Scalar> without_lower(Matrix<Scalar> A) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j + 1; i < A.rows(); ++i) A(i, j) = std::numeric_limits<Scalar>::quiet_NaN();
  return A;
}

}  // namespace

TEMPLATE_TEST_CASE("Upper geodesics are those of all pairs", "[graph][paths][contract56]", float,
                   double) {
  // One part of few vertices; several parts, connected and not.
  const auto [n, density] =
      GENERATE(std::make_pair<Index>(1, 0.5), std::make_pair<Index>(9, 0.3),
               std::make_pair<Index>(130, 0.05), std::make_pair<Index>(500, 0.004));
  const auto graph = sample::random_graph<TestType>(n, density, 3, false);
  const Path path = GENERATE(Path::lengths, Path::hops);
  const Matrix<TestType> all = all_shortest_paths<TestType>(graph, path, Parallel(1));
  const auto places = detail::path_graph_in_groups<TestType>(graph, path);
  const Matrix<TestType> upper = detail::upper_geodesics(places, Parallel(1));
  REQUIRE(static_cast<Index>(places.order().size()) == n);
  const TestType rounding = 20 * std::numeric_limits<TestType>::epsilon();
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      const TestType expected = all(places.order()[static_cast<std::size_t>(i)],
                                    places.order()[static_cast<std::size_t>(j)]);
      const TestType got = upper(i, j);
      if (!(got == expected || std::abs(got - expected) <= rounding * expected))
        FAIL("(" << i << ", " << j << "): " << got << ", expected " << expected);
    }
  for (const int n_threads : {2, 3}) {
    const Matrix<TestType> again = detail::upper_geodesics(places, Parallel(n_threads));
    for (Index j = 0; j < n; ++j)
      CHECK(test::same_bytes(again.col(j).head(j + 1).eval(), upper.col(j).head(j + 1).eval()));
  }
}

TEST_CASE("Geodesics are in float when there are many and they fit", "[graph][isomap]") {
  const auto chain = [](double length, double last) {
    std::vector<Edge<double>> edges;
    for (Index i = 0; i + 2 < 4097; ++i) edges.push_back({i, i + 1, length});
    edges.push_back({4095, 4096, last});
    return graph_from_edges(4097, edges, Parallel(1));
  };
  const auto in_float = [](const auto& graph, Index n_landmarks) {
    return detail::geodesics_in_float(graph, n_landmarks, Path::lengths);
  };
  CHECK(in_float(chain(0.7, 0.7), 0));
  CHECK_FALSE(in_float(chain(0.7, 0.7), 4000));
  CHECK_FALSE(in_float(chain(1e-30, 1e-30), 0));
  CHECK_FALSE(in_float(chain(1e30, 1e30), 0));
  CHECK(in_float(chain(0, 0), 0));
  CHECK(in_float(sample::random_graph<float>(9, 0.3, 3, true), 0));
  // Beside a far sample the others would lose their digits; not where edges are only counted.
  CHECK_FALSE(in_float(chain(0.7, 1e5), 0));
  CHECK(detail::geodesics_in_float(chain(0.7, 1e5), 0, Path::hops));
}

TEST_CASE("Residual variance from the upper triangle is that from the whole", "[isomap]") {
  for (const Index n : {60, 800}) {  // all pairs, random pairs
    const Matrix<double> X = test::gaussian<double>(n, 3, 4), Y = X.leftCols(2);
    const Matrix<double> D = test::pairwise_distances(X);
    std::vector<int> sources(static_cast<std::size_t>(n));
    std::iota(sources.begin(), sources.end(), 0);
    const Vector<double> expected = detail::residual_variances(D, sources, Y, 9);
    CHECK(expected(0) > expected(1));
    CHECK(test::same_bytes(detail::residual_variances(without_lower(D), sources, Y, 9), expected));
  }
}

TEMPLATE_TEST_CASE("Centred squares read the upper triangle", "[mds]", float, double) {
  const Index n = GENERATE(1, 2, 5, 33, 300);
  const Parallel parallel(2);
  const Matrix<TestType> D = test::pairwise_distances(test::gaussian<TestType>(n, 3, 6));
  const Matrix<TestType> upper = without_lower(D);
  const CenteredSquares<TestType> B(upper, parallel);
  Matrix<double> expected = D.template cast<double>();
  const Vector<double> means = column_mean_squares(expected, parallel);
  double_center(expected, means, parallel);
  CHECK(test::max_abs_diff(B.means(), means) < 1e-13);
  CHECK(std::abs(B(n - 1, 0) - expected(n - 1, 0)) < 1e-12 * static_cast<double>(n));
  CHECK(B(0, n - 1) == B(n - 1, 0));
  CHECK(std::abs(B.scale() * B.scale() * B.relative_squared_norm() - expected.squaredNorm()) <
        1e-11 * static_cast<double>(n * n));
  CHECK(test::dense_eigenvalues(expected).cwiseAbs().maxCoeff() <= B.norm_bound() * (1 + 1e-12));
  const Matrix<double> X = test::gaussian<double>(n, 3, 7);
  CHECK(test::max_abs_diff(apply(B, X), expected * X) < 1e-12 * static_cast<double>(n));
}

TEST_CASE("The norm of centred squares is exact at any scale", "[mds]") {
  const Parallel parallel(2);
  Matrix<double> D = test::pairwise_distances(test::gaussian<double>(300, 3, 6));
  D.diagonal().setConstant(0.5);  // dissimilarities need not vanish there
  Matrix<double> expected = D;
  double_center(expected, column_mean_squares(expected, parallel), parallel);
  for (const double unit : {1e-140, 1e-65, 1e-61, 1.0, 1e70, 1e80, 1e140}) {
    CAPTURE(unit);
    const Matrix<double> scaled = unit * D;
    const CenteredSquares<double> B(scaled, parallel);
    CHECK(std::abs(B.norm_bound() / unit / unit / expected.norm() - 1) < 1e-12);
  }
}
