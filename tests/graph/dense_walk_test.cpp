#include "unfurl/graph/dense_walk.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/diffusion_map.hpp"
#include "unfurl/graph/distance_columns.hpp"
#include "unfurl/graph/distance_matrix.hpp"

using namespace unfurl;

namespace {

/// A cloud with a point that is there three times and one that is far from all others.
template <class Scalar>
Matrix<Scalar> awkward_points(Index n) {
  Matrix<Scalar> X = test::gaussian<Scalar>(n, 3, 5);
  X.row(7) = X.row(3);
  X.row(n - 1) = X.row(3);
  X.row(11).setConstant(Scalar(3));
  return X;
}

template <class Scalar, class Solver = AutoSolver>
DiffusionMap<Scalar, GaussianKernel<Scalar>, AutoSearch, Solver> fitted(
    const Matrix<Scalar>& X, DiffusionMapOptions options) {
  DiffusionMap<Scalar, GaussianKernel<Scalar>, AutoSearch, Solver> map(options);
  map.fit(X);
  return map;
}

}  // namespace

TEMPLATE_TEST_CASE("Kernels on many numbers are those on one", "[kernels]", float, double) {
  const auto check = [](const auto& kernel) {
    std::vector<TestType> squares = {0, std::numeric_limits<TestType>::infinity()};
    for (TestType square = TestType(1e-3); square < 3000; square *= TestType(1.01))
      squares.push_back(square);
    std::vector<TestType> values = squares;
    kernel.values(values.data(), static_cast<Index>(values.size()));
    for (std::size_t i = 0; i < squares.size(); ++i) {
      const TestType expected = kernel(squares[i]);
      CAPTURE(squares[i]);
      CHECK(std::abs(values[i] - expected) <=
            8 * std::numeric_limits<TestType>::epsilon() * expected);
    }
    CHECK(values[1] == 0);
    CHECK(values.back() == 0);
  };
  check(GaussianKernel<TestType>(1));
  check(HeatKernel<TestType>(1));
}

TEMPLATE_TEST_CASE("Columns of distances are those of the matrix", "[distances]", float, double) {
  const Parallel parallel(1);
  for (const Index d : {1, 2, 3, 7, 8, 20}) {
    const Matrix<TestType> points = test::gaussian<TestType>(d, 37, 3);
    const Matrix<TestType> D = distance_matrix(points, parallel);
    const detail::DistanceColumns<TestType> columns(points);
    for (const Index top : {0, 1, 5}) {
      Vector<TestType> found(points.cols() - top);
      columns(top, found.size(), 9, found.data());
      CHECK(test::same_bytes(found, D.col(9).tail(found.size()).eval()));
    }
  }
}

TEST_CASE("The upper triangle of affinities", "[diffusion]") {
  const Index n = 70;
  const Matrix<double> D = test::pairwise_distances(awkward_points<double>(n));
  const GaussianKernel<double> kernel(0.8);
  const Matrix<double> expected = dense_affinity(D, kernel, SelfLoops::kernel, Parallel(1));
  Matrix<double> K = D;
  const auto in_place = [](Index, Index, Index, double*) {};
  CHECK(detail::fill_upper_affinity(K, kernel, Parallel(2), "test", in_place));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      CHECK(std::abs(K(i, j) - (i > j ? D(i, j) : expected(i, j))) <= 1e-15 * expected(i, j));

  // Where one of them is 0 the caller is told, and can have the distances back.
  K = D;
  CHECK_FALSE(
      detail::fill_upper_affinity(K, GaussianKernel<double>(0.1), Parallel(2), "test", in_place));
  detail::copy_lower_to_upper(K, Parallel(2));
  CHECK(test::same_bytes(K, D));
}

TEST_CASE("A kernel of one's own is checked on many numbers, too", "[diffusion]") {
  struct Negative {
    double operator()(double square) const { return 1 - square; }
    void values(double* squares, Index count) const {
      for (Index i = 0; i < count; ++i) squares[i] = 1 - squares[i];
    }
  };
  Matrix<double> K = test::pairwise_distances(awkward_points<double>(20));
  const auto in_place = [](Index, Index, Index, double*) {};
  CHECK_THROWS_AS(detail::fill_upper_affinity(K, Negative{}, Parallel(1), "test", in_place),
                  DataError);
}

TEMPLATE_TEST_CASE("Half a matrix of affinities gives the walk of the whole", "[diffusion]", float,
                   double) {
  const Matrix<TestType> X = awkward_points<TestType>(450);  // beyond what is solved densely
  const double tolerance = std::is_same_v<TestType, double> ? 1e-13 : 2e-6;
  for (const double alpha : {0.0, 0.5, 1.0})
    for (const bool given : {true, false}) {
      DiffusionMapOptions options;
      options.n_components = 4;
      options.alpha = alpha;
      if (given) options.bandwidth = 0.8;
      CAPTURE(alpha, given);
      const auto half = fitted<TestType>(X, options);
      // A solver that is given the whole matrix.
      const auto whole = fitted<TestType, DenseSolver>(X, options);
      CHECK(half.report().solver != whole.report().solver);
      CHECK(half.bandwidth() == whole.bandwidth());
      CHECK((half.eigenvalues() - whole.eigenvalues()).cwiseAbs().maxCoeff() < tolerance);
      CHECK(
          ((half.degrees() - whole.degrees()).array() / whole.degrees().array()).abs().maxCoeff() <
          tolerance);
      CHECK(test::max_abs_diff(half.embedding(), whole.embedding()) <
            1e3 * tolerance * static_cast<double>(whole.embedding().cwiseAbs().maxCoeff()));
      CHECK(test::max_abs_diff(half.transform(X), whole.transform(X)) <
            1e3 * tolerance * static_cast<double>(whole.embedding().cwiseAbs().maxCoeff()));
      for (const int n_threads : {1, 2, 3}) {
        options.n_threads = n_threads;
        CHECK(test::same_bytes(fitted<TestType>(X, options).embedding(), half.embedding()));
      }
    }
}

TEST_CASE("Affinities of 0 go the general way", "[diffusion]") {
  Matrix<double> X = test::gaussian<double>(450, 2, 8);
  X.bottomRows(100).col(0).array() += 100;
  DiffusionMapOptions options;
  options.bandwidth = 1;
  CHECK_THROWS_AS(fitted<double>(X, options), DisconnectedGraphError);
  options.on_disconnected = OnDisconnected::allow;
  const auto map = fitted<double>(X, options);
  CHECK(map.report().graph_components == 2);
  CHECK(map.eigenvalues()(1) == 1);
  options.bandwidth.reset();  // from the data: the same way from a matrix of distances
  CHECK(fitted<double>(X, options).report().graph_components == 2);
}
