#include "unfurl/spectral/symmetric_eigen.hpp"

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;

namespace {

Matrix<double> symmetric(Index n, std::uint64_t seed) {
  const Matrix<double> G = test::gaussian<double>(n, n, seed);
  return G + G.transpose();
}

/// Q diag(values) Q^T with a random orthogonal Q.
Matrix<double> with_spectrum(const Vector<double>& values, std::uint64_t seed) {
  const Index n = values.size();
  const Matrix<double> Q = test::DenseEigen(symmetric(n, seed)).eigenvectors();
  const Matrix<double> A = Q * values.asDiagonal() * Q.transpose();
  return (A + A.transpose()) / 2;
}

/// Residuals, orthonormality and agreement with Eigen's solver, relative to |A|.
void check(const Matrix<double>& A) {
  const Index n = A.rows();
  const double size = A.cwiseAbs().maxCoeff(), scale = size > 0 ? size : 1;
  const Matrix<double> scaled = A / scale;
  const detail::SymmetricEigen<double> all = detail::symmetric_eigen(A, 0, n);
  REQUIRE(all.converged);
  const Vector<double> values = all.values / scale;
  const test::DenseEigen reference(scaled);
  const double norm = reference.eigenvalues().cwiseAbs().maxCoeff();
  const double rounding = 1e-14 * std::max(1.0, std::sqrt(static_cast<double>(n)) / 4);
  const Matrix<double>& V = all.vectors;
  CHECK((scaled * V - V * values.asDiagonal()).colwise().norm().maxCoeff() <= rounding * norm);
  CHECK((V.transpose() * V - Matrix<double>::Identity(n, n)).cwiseAbs().maxCoeff() <= rounding);
  // Eigen's own rounding errors grow faster with n.
  CHECK((values - reference.eigenvalues()).cwiseAbs().maxCoeff() <= 10 * rounding * norm);
  for (Index j = 1; j < n; ++j) CHECK(values(j - 1) <= values(j));
}

}  // namespace

TEST_CASE("symmetric_eigen: random matrices of many sizes") {
  for (const Index n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64, 100, 257}) {
    CAPTURE(n);
    check(symmetric(n, 1));
  }
}

TEST_CASE("symmetric_eigen: any scale") {
  for (const double scale : {1e-300, 1e-150, 1e-20, 1.0, 1e20, 1e150, 1e300}) {
    CAPTURE(scale);
    check(scale * symmetric(20, 2));
  }
}

TEST_CASE("symmetric_eigen: special spectra") {
  const Index n = 40;
  Vector<double> values = Vector<double>::Ones(n);
  check(with_spectrum(values, 3));  // the identity up to rounding
  values.head(10).setConstant(-2);
  values.tail(5).setZero();
  check(with_spectrum(values, 4));  // repeated
  for (Index j = 0; j < n; ++j) values(j) = std::pow(10.0, -static_cast<double>(j) / 2);
  check(with_spectrum(values, 5));  // down to 1e-20
  values.setZero();
  values(0) = 1;
  check(with_spectrum(values, 6));  // rank one
}

TEST_CASE("symmetric_eigen: structured matrices") {
  check(Matrix<double>::Zero(1, 1));
  check(Matrix<double>::Zero(9, 9));
  check(Matrix<double>::Identity(12, 12));
  check(Matrix<double>::Ones(30, 30));
  check(Vector<double>::LinSpaced(11, -5, 5).asDiagonal().toDenseMatrix());
  Matrix<double> swap(2, 2);
  swap << 0, 1, 1, 0;
  check(swap);
  Matrix<double> path = Matrix<double>::Zero(50, 50);  // tridiagonal with zeros on the diagonal
  for (Index i = 0; i + 1 < 50; ++i) path(i, i + 1) = path(i + 1, i) = 1;
  check(path);
  for (const double step : {-1.0, 1.0}) {  // graded downwards and upwards
    Matrix<double> graded = symmetric(20, 7);
    for (Index j = 0; j < 20; ++j)
      for (Index i = 0; i < 20; ++i)
        graded(i, j) *= std::pow(10.0, step * static_cast<double>(i + j));
    CAPTURE(step);
    check(graded);
  }
  Matrix<double> blocks = Matrix<double>::Zero(24, 24);
  blocks.topLeftCorner(10, 10) = symmetric(10, 8);
  blocks.bottomRightCorner(14, 14) = 1e-12 * symmetric(14, 9);
  check(blocks);
}

TEST_CASE("symmetric_eigen: the known spectrum of a path") {
  const Index n = 60;
  Matrix<double> path = Matrix<double>::Zero(n, n);
  for (Index i = 0; i + 1 < n; ++i) path(i, i + 1) = path(i + 1, i) = 1;
  const Vector<double> values = detail::symmetric_eigen(path, 0, 0).values;
  for (Index j = 0; j < n; ++j)
    CHECK(std::abs(values(j) - 2 * std::cos(std::acos(-1.0) * static_cast<double>(n - j) /
                                            static_cast<double>(n + 1))) < 1e-14);
}

TEST_CASE("symmetric_eigen: some vectors or none are those of the whole") {
  const Matrix<double> A = symmetric(37, 10);
  const detail::SymmetricEigen<double> all = detail::symmetric_eigen(A, 0, 37);
  const detail::SymmetricEigen<double> none = detail::symmetric_eigen(A, 0, 0);
  CHECK(none.values == all.values);
  CHECK(none.vectors.size() == 0);
  for (const Index first : {0, 5, 25, 34}) {
    const detail::SymmetricEigen<double> some = detail::symmetric_eigen(A, first, 3);
    CHECK(some.values == all.values);
    CHECK(some.vectors == all.vectors.middleCols(first, 3));
  }
}

TEST_CASE("symmetric_eigen: only the lower triangle is read") {
  const Matrix<double> A = symmetric(12, 11);
  Matrix<double> lower = A;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(
      std::numeric_limits<double>::quiet_NaN());
  CHECK(detail::symmetric_eigen(lower, 0, 12).vectors == detail::symmetric_eigen(A, 0, 12).vectors);
}

TEST_CASE("symmetric_eigen: NaN, Inf and nothing") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const Index at : {0, 3, 7}) {
      Matrix<double> A = symmetric(8, 12);
      A(at, 0) = A(0, at) = bad;
      CHECK_FALSE(detail::symmetric_eigen(A, 0, 8).converged);
    }
  CHECK(detail::symmetric_eigen(Matrix<double>(0, 0), 0, 0).converged);
}
