#include "unfurl/graph/upper_geodesics.hpp"

#include <limits>
#include <numeric>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/residual_variance.hpp"
#include "unfurl/spectral/centered_squares.hpp"

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

TEMPLATE_TEST_CASE("Upper geodesics are those of all pairs", "[graph][paths]", float, double) {
  const auto graph = sample::random_graph<TestType>(130, 0.05, 3, false);
  const Path path = GENERATE(Path::lengths, Path::hops);
  const Matrix<TestType> all = all_shortest_paths<TestType>(graph, path, Parallel(1));
  for (const int n_threads : {1, 2, 3}) {
    const Matrix<TestType> upper =
        detail::upper_shortest_paths<TestType>(graph, path, Parallel(n_threads));
    for (Index j = 0; j < all.cols(); ++j)
      CHECK(test::same_bytes(upper.col(j).head(j + 1).eval(), all.col(j).head(j + 1).eval()));
  }
}

TEST_CASE("Residual variance from the upper triangle is that from the whole", "[isomap]") {
  for (const Index n : {60, 800}) {  // all pairs, random pairs
    const Matrix<double> X = test::gaussian<double>(n, 3, 4), Y = X.leftCols(2);
    const Matrix<double> D = test::pairwise_distances(X);
    std::vector<Index> sources(static_cast<std::size_t>(n));
    std::iota(sources.begin(), sources.end(), Index{0});
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
  const Matrix<double> X = test::gaussian<double>(n, 3, 7);
  CHECK(test::max_abs_diff(apply(B, X), expected * X) < 1e-12 * static_cast<double>(n));
}
