#include "unfurl/graph/graph_operator.hpp"

#include <string>
#include <type_traits>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/kernels/radial.hpp"

using namespace unfurl;

namespace {

const std::vector<GraphMatrix> all_matrices = {
    GraphMatrix::laplacian, GraphMatrix::walk, GraphMatrix::walk_laplacian,
    GraphMatrix::symmetric_walk, GraphMatrix::symmetric_laplacian};

template <class Scalar>
SparseMatrix<Scalar> random_weights(Index n) {
  return affinity(sample::random_graph<Scalar>(n, 0.05, 5, true),
                  GaussianKernel<Scalar>(Scalar(0.4)), SelfLoops::kernel, Parallel(1));
}

template <class Scalar>
Matrix<Scalar> formed(const SparseMatrix<Scalar>& W, GraphMatrix matrix) {
  const Parallel parallel(1);
  switch (matrix) {
    case GraphMatrix::laplacian:
      return laplacian(W, parallel);
    case GraphMatrix::walk:
      return walk_matrix(W, parallel);
    case GraphMatrix::walk_laplacian:
      return walk_laplacian(W, parallel);
    case GraphMatrix::symmetric_walk:
      return symmetric_walk_matrix(W, parallel);
    case GraphMatrix::symmetric_laplacian:
      return symmetric_laplacian(W, parallel);
  }
  return {};
}

template <class Scalar>
Matrix<Scalar> products(const GraphOperator<Scalar>& A, const Matrix<Scalar>& X) {
  Matrix<Scalar> Y(A.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) A.perform_op(X.col(j).data(), Y.col(j).data());
  return Y;
}

}  // namespace

TEMPLATE_TEST_CASE("An operator is its matrix", "[graph][operator]", float, double) {
  const SparseMatrix<TestType> W = random_weights<TestType>(90);
  const Parallel parallel(2);
  const Matrix<TestType> X = test::gaussian<TestType>(90, 4, 3);
  for (const auto matrix : all_matrices) {
    CAPTURE(static_cast<int>(matrix));
    const GraphOperator<TestType> A(W, matrix, parallel);
    CHECK((A.rows() == 90 && A.cols() == 90));
    CHECK(test::max_abs_diff(products(A, X), (formed(W, matrix) * X).eval()) <
          test::tol<TestType>(1e-13));
  }
}

TEST_CASE("An operator reads a matrix that is not compressed", "[graph][operator]") {
  SparseMatrix<double> W = random_weights<double>(40);
  const Matrix<double> X = test::gaussian<double>(40, 2, 3);
  const Parallel parallel(1);
  const Matrix<double> expected =
      products(GraphOperator<double>(W, GraphMatrix::symmetric_laplacian, parallel), X);
  W.reserve(Eigen::VectorXi::Constant(40, 50));
  REQUIRE(!W.isCompressed());
  CHECK(test::same_bytes(
      products(GraphOperator<double>(W, GraphMatrix::symmetric_laplacian, parallel), X), expected));
}

TEST_CASE("Products have the same bytes for any number of threads",
          "[graph][operator][contract56]") {
  const SparseMatrix<double> W = random_weights<double>(2500);
  const Matrix<double> X = test::gaussian<double>(2500, 1, 3);
  for (const auto matrix : all_matrices) {
    const Parallel single(1);
    const Matrix<double> one = products(GraphOperator<double>(W, matrix, single), X);
    for (const int threads : {2, 3, 8}) {
      const Parallel parallel(threads);
      CHECK(test::same_bytes(one, products(GraphOperator<double>(W, matrix, parallel), X)));
    }
  }
}

TEST_CASE("An operator refuses a vertex of degree zero", "[graph][operator][contract37]") {
  const auto graph = sample::unit_graph<double>(4, {{0, 1}, {1, 3}});
  const Parallel parallel(1);
  const auto W = affinity(graph, BinaryKernel<double>(), SelfLoops::none, parallel);
  for (const auto matrix : all_matrices) {
    if (matrix == GraphMatrix::laplacian) {
      CHECK_NOTHROW(GraphOperator<double>(W, matrix, parallel));
      continue;
    }
    try {
      const GraphOperator<double> A(W, matrix, parallel, "LaplacianEigenmap");
      FAIL("accepted");
    } catch (const DisconnectedGraphError& error) {
      CHECK(std::string(error.what()).find("LaplacianEigenmap: vertex 2 has degree 0") == 0);
    }
  }
  const SparseMatrix<double> wide(2, 3);
  CHECK_THROWS_AS(GraphOperator<double>(wide, GraphMatrix::walk, parallel), DataError);
}

TEST_CASE("An operator cannot be made from what is about to vanish", "[graph][operator]") {
  using Op = GraphOperator<double>;
  using Sparse = SparseMatrix<double>;
  STATIC_REQUIRE(std::is_constructible_v<Op, const Sparse&, GraphMatrix, const Parallel&>);
  STATIC_REQUIRE(std::is_constructible_v<Op, Sparse&, GraphMatrix, Parallel&>);
  STATIC_REQUIRE(!std::is_constructible_v<Op, Sparse, GraphMatrix, const Parallel&>);
  STATIC_REQUIRE(!std::is_constructible_v<Op, const Sparse&, GraphMatrix, Parallel>);
  STATIC_REQUIRE(!std::is_constructible_v<Op, Sparse, GraphMatrix, Parallel>);
}
