#include "unfurl/spectral/small_svd.hpp"

#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/matrix.hpp"
#include "unfurl/spectral/block_krylov.hpp"
#include "unfurl/spectral/centering.hpp"
#include "unfurl/spectral/orthonormal.hpp"
#include "unfurl/spectral/pattern.hpp"

using namespace unfurl;
using test::max_abs_diff;

TEST_CASE("one-sided Jacobi is the SVD, small values included", "[spectral]") {
  for (const Index n : {1, 2, 5, 40}) {
    Matrix<double> A = test::gaussian<double>(n, n, 2);
    for (Index j = 0; j < n; ++j) A.col(j) *= std::pow(10.0, -static_cast<double>(j % 12));
    const detail::SmallSVD svd = detail::small_svd(A);
    const test::DenseSVD oracle(A);
    for (Index j = 0; j < n; ++j)
      CHECK(std::abs(svd.singular_values(j) / oracle.singular_values(j) - 1) < 1e-9);
    CHECK(max_abs_diff((svd.V.transpose() * svd.V).eval(), Eigen::MatrixXd::Identity(n, n)) <
          1e-13);
    CHECK(max_abs_diff((svd.US * svd.V.transpose()).eval(), A) < 1e-13 * A.norm() + 1e-300);
  }
  CHECK(detail::small_svd(Matrix<double>::Zero(4, 4)).singular_values.isZero(0));
}

TEST_CASE("orthonormal columns, dependent ones replaced", "[spectral]") {
  Matrix<double> W = test::gaussian<double>(30, 6);
  W.col(2) = 2 * W.col(0) - W.col(1);
  W.col(4).setZero();
  const Matrix<double> before = W;
  const Matrix<double> R = detail::orthonormalise(W);
  CHECK(max_abs_diff((W.transpose() * W).eval(), Eigen::MatrixXd::Identity(6, 6)) < 1e-14);
  CHECK(max_abs_diff((W * R).eval(), before) < 1e-13);
  CHECK(R(2, 2) == 0);
  CHECK(R(4, 4) == 0);
}

TEST_CASE("double centring is -1/2 J D2 J", "[spectral]") {
  for (const Index n : {1, 2, 17, 300}) {
    const Matrix<double> D = test::pairwise_distances(test::gaussian<double>(n, 3));
    const Eigen::MatrixXd J = Eigen::MatrixXd::Identity(n, n) -
                              Eigen::MatrixXd::Constant(n, n, 1 / static_cast<double>(n));
    const Eigen::MatrixXd expected = -0.5 * J * D.cwiseAbs2() * J;
    const Parallel parallel(2);
    Matrix<double> B = D;
    double_center(B, column_mean_squares(B, parallel), parallel);
    CHECK(max_abs_diff(B, expected) < 1e-12);
    Matrix<float> narrow = D.cast<float>();
    double_center(narrow, column_mean_squares(narrow, parallel), parallel);
    CHECK(max_abs_diff(narrow, expected) < 1e-4);
  }
}

TEST_CASE("block Lanczos finds multiplicities and survives an exhausted space", "[spectral]") {
  const Index n = 300;
  Vector<double> values = Vector<double>::Zero(n);
  values.head(5) << 3, 3, 3, 2, 2;
  const Matrix<double> G = test::gaussian<double>(n, n);
  const Matrix<double> Q = detail::orthonormal(G);
  const Matrix<double> A = Q * values.asDiagonal() * Q.transpose();
  const Parallel parallel(1);
  const auto pairs = detail::block_krylov(DenseOperator<double>(A, parallel), 7, 1e-10, 5000, 1,
                                          detail::KrylovSpace(A.rows(), 7));
  REQUIRE(pairs);
  CHECK(max_abs_diff(pairs->values, values.head(7).eval()) < 1e-10);
  // A slowly decaying spectrum needs restarts.
  const Matrix<double> slow = Q * Vector<double>::LinSpaced(n, 1, 0).asDiagonal() * Q.transpose();
  const auto top = detail::block_krylov(DenseOperator<double>(slow, parallel), 3, 1e-10, 50000, 1,
                                        detail::KrylovSpace(slow.rows(), 3));
  REQUIRE(top);
  for (Index i = 0; i < 3; ++i)
    CHECK(std::abs(top->values(i) - (1 - static_cast<double>(i) / (n - 1))) < 1e-9);
  CHECK_FALSE(detail::block_krylov(DenseOperator<double>(slow, parallel), 3, 1e-10, 50, 1,
                                   detail::KrylovSpace(slow.rows(), 3)));
}

TEST_CASE("the dimension of a pattern is told from its breadth-first levels", "[spectral]") {
  CHECK(detail::pattern_dimension(test::path(1000)) < 1.2);
  CHECK(detail::pattern_dimension(test::cycle(1000)) < 1.3);
  const double surface = detail::pattern_dimension(test::torus(60, 60));
  CHECK(surface > 1.7);
  CHECK(surface < 2.3);
  CHECK(detail::pattern_dimension(test::complete(100)) > 5);
  CHECK(detail::pattern_dimension(test::star(100)) > 3);
  CHECK(detail::pattern_dimension(SparseMatrix<double>(1, 1)) == 0);
}
