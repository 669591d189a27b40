#include "unfurl/quality/procrustes.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <string>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;

namespace {

/// A random orthogonal matrix, of determinant +1 or -1.
Matrix<double> orthogonal(Index n, std::uint64_t seed, double determinant) {
  Matrix<double> Q = test::orthogonal_factor(test::gaussian<double>(n, n, seed));
  if (Q.determinant() * determinant < 0) Q.col(0) *= -1;
  return Q;
}

/// By the formula, with another SVD.
double by_formula(Matrix<double> A, Matrix<double> B) {
  for (Matrix<double>* X : {&A, &B}) {
    *X = (X->rowwise() - X->colwise().mean().eval()).eval();
    *X /= X->norm();
  }
  const double sum = test::DenseSVD(A.transpose() * B).singular_values.sum();
  return 1 - sum * sum;
}

std::string message(const Matrix<double>& A, const Matrix<double>& B) {
  try {
    procrustes_disparity(A, B);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("disparity does not see position, size, rotation or reflection", "[procrustes]") {
  const Index p = GENERATE(1, 2, 3, 7);
  const double determinant = GENERATE(1.0, -1.0);
  const Matrix<double> A = test::gaussian<double>(50, p, 1), B = test::gaussian<double>(50, p, 2);
  const auto moved = [&](const Matrix<double>& X) {
    const Matrix<double> turned = 1e3 * X * orthogonal(p, 5, determinant);
    return (turned.rowwise() + 100 * test::gaussian<double>(1, p, 3).row(0)).eval();
  };
  CHECK(procrustes_disparity(A, A) < 1e-28);
  CHECK(procrustes_disparity(A, moved(A)) < 1e-26);
  CHECK_THAT(procrustes_disparity(A, moved(B)), WithinAbs(procrustes_disparity(A, B), 1e-13));
  CHECK_THAT(procrustes_disparity(moved(A), B), WithinAbs(procrustes_disparity(A, B), 1e-13));
  CHECK(procrustes_disparity(A, B) > 0.1);
}

TEST_CASE("disparity of a square and a rectangle, by hand", "[procrustes]") {
  // Centred, the columns are orthogonal with norms 2 a and 2 b; of the square 2 and 2. Scaled to
  // unit norm, the singular values of A^T B are (a, b) / sqrt(2 (a^2 + b^2)).
  Matrix<double> square(4, 2), rectangle(4, 2);
  square << 1, 1, 1, -1, -1, 1, -1, -1;
  const double a = 3, b = 1;
  rectangle << a, b, a, -b, -a, b, -a, -b;
  CHECK_THAT(procrustes_disparity(square, rectangle),
             WithinAbs(1 - (a + b) * (a + b) / (2 * (a * a + b * b)), 1e-15));  // 0.2
  // Without its second column the rectangle is a segment: a / sqrt(2 a^2) squared is 1 / 2.
  CHECK_THAT(procrustes_disparity(square, rectangle.col(0)), WithinAbs(0.5, 1e-15));
  // The two columns of the square are uncorrelated.
  CHECK_THAT(procrustes_disparity(square.col(0), square.col(1)), WithinAbs(1, 1e-15));
}

TEST_CASE("disparity is that of scipy", "[procrustes]") {
  // Integers, the same in Python; the values by scipy.spatial.procrustes of SciPy 1.10.1.
  Matrix<double> A(12, 3), B(12, 3);
  for (Index i = 0; i < 12; ++i) {
    A.row(i) << static_cast<double>((i * i * 7 + 3 * i) % 11),
        static_cast<double>((i * i * i + 5) % 13), static_cast<double>((i * 5) % 7);
    B.row(i) << static_cast<double>((i * i + 2 * i) % 9), static_cast<double>((i * i * i * 3) % 10),
        static_cast<double>((i * 11) % 8);
  }
  CHECK_THAT(procrustes_disparity(A, B), WithinAbs(0.8539774572563442, 1e-14));
  CHECK_THAT(procrustes_disparity(B, A), WithinAbs(0.8539774572563442, 1e-14));
  CHECK_THAT(procrustes_disparity(A, (A + 0.01 * B).eval()),
             WithinAbs(6.857244068644958e-05, 1e-14));
  // scipy was given zeros in place of the columns left out.
  CHECK_THAT(procrustes_disparity(A, B.leftCols(2)), WithinAbs(0.9322665814037154, 1e-14));
  CHECK_THAT(procrustes_disparity(B.leftCols(2), A), WithinAbs(0.9322665814037154, 1e-14));
  CHECK_THAT(procrustes_disparity(A, B.col(0)), WithinAbs(0.9074148938764742, 1e-14));
}

TEST_CASE("disparity agrees with its formula, whatever the ranks", "[procrustes]") {
  const Index p = GENERATE(1, 2, 5, 12), q = GENERATE(1, 3, 12), rank = GENERATE(1, 2, 12);
  const Matrix<double> A = test::gaussian<double>(20, p, 1);
  const Matrix<double> B = test::gaussian<double>(20, rank, 2) * test::gaussian<double>(rank, q, 3);
  CAPTURE(p, q, rank);
  CHECK_THAT(procrustes_disparity(A, B), WithinAbs(by_formula(A, B), 1e-13));
  CHECK_THAT(procrustes_disparity(B, A), WithinAbs(by_formula(A, B), 1e-13));
}

TEST_CASE("columns of zeros change nothing, nor do columns of next to nothing", "[procrustes]") {
  const Matrix<double> A = test::gaussian<double>(30, 2, 1), B = test::gaussian<double>(30, 3, 2);
  Matrix<double> padded = Matrix<double>::Zero(30, 6);
  padded.leftCols(2) = A;
  CHECK(procrustes_disparity(padded, A) < 1e-28);
  CHECK_THAT(procrustes_disparity(padded, B), WithinAbs(procrustes_disparity(A, B), 1e-14));
  const double of_line = procrustes_disparity(A.col(0), B);
  for (const double tiny : {1e-100, 1e-155, 1e-160, 1e-161, 1e-162, 1e-200, 1e-300}) {
    CAPTURE(tiny);
    Matrix<double> nearly_line = A;
    nearly_line.col(1) *= tiny;
    CHECK_THAT(procrustes_disparity(nearly_line, B), WithinAbs(of_line, 1e-14));
  }
}

TEST_CASE("a small disparity is not lost in rounding", "[procrustes]") {
  const Matrix<double> A = test::gaussian<double>(100, 3, 1), B = test::gaussian<double>(100, 3, 2);
  // To first order the residual of A + e B is quadratic in e.
  const double coarse = procrustes_disparity(A, (A + 1e-4 * B).eval());
  const double fine = procrustes_disparity(A, (A + 1e-11 * B).eval());
  CHECK_THAT(fine / coarse * 1e14, WithinAbs(1, 1e-2));
}

TEST_CASE("disparity takes any Eigen expression, scalar and scale", "[procrustes]") {
  const Matrix<double> A = test::gaussian<double>(40, 3, 1), B = test::gaussian<double>(40, 3, 2);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> row_major = A;
  CHECK(procrustes_disparity(row_major, 2 * B) == procrustes_disparity(A, (2 * B).eval()));
  CHECK(procrustes_disparity(A, A.cast<float>()) < 1e-13);
  CHECK(procrustes_disparity(A, (1e-200 * A).eval()) < 1e-28);
  CHECK(procrustes_disparity(A, (1e100 * A).eval()) < 1e-28);
  // Any two pairs of points have the same shape.
  CHECK(procrustes_disparity(A.topRows(2), B.topRows(2)) < 1e-28);
}

TEST_CASE("disparity refuses what has no shape", "[procrustes]") {
  const Matrix<double> A = test::gaussian<double>(10, 2);
  const Matrix<double> constant = Matrix<double>::Constant(10, 2, 0.1);
  CHECK_THROWS_AS(procrustes_disparity(A, constant), NumericalError);
  CHECK_THROWS_AS(procrustes_disparity(constant, A), NumericalError);
  CHECK(message(A, constant) ==
        "procrustes_disparity: all samples of B are equal, so it has no shape to compare; give at "
        "least two different samples");
  CHECK_THROWS_AS(procrustes_disparity(A, A.topRows(9)), DimensionError);
  CHECK(message(A, A.topRows(9)) ==
        "procrustes_disparity: A has 10 samples, B has 9; they must be the same samples in the "
        "same order");
  CHECK_THROWS_AS(procrustes_disparity(A.topRows(1), A.topRows(1)), DataError);
  CHECK_THROWS_AS(procrustes_disparity(A, Matrix<double>(10, 0)), DataError);
  Matrix<double> bad = A;
  bad(3, 1) = std::nan("");
  CHECK_THROWS_AS(procrustes_disparity(A, bad), DataError);
  bad(3, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(procrustes_disparity(bad, A), DataError);
  bad(3, 1) = 1e200;
  CHECK_THROWS_AS(procrustes_disparity(bad, A), DataError);
}
