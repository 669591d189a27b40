#include "unfurl/spectral/classical_scaling.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/classical_mds.hpp"

using namespace unfurl;

TEST_CASE("A semi-definite matrix of low rank is known by a few columns of its factor",
          "[spectral][contract28]") {
  const auto known = [](const Matrix<double>& B) { return detail::is_semidefinite_of_low_rank(B); };
  for (const double scale : {1.0, 1e-150, 1e150}) {
    CAPTURE(scale);
    const Matrix<double> X = test::gaussian<double>(60, 5), B = scale * X * X.transpose();
    CHECK(known(B));
    CHECK(known(0 * B));
    const Matrix<double> negative =
        B - 1e-9 * B.cwiseAbs().maxCoeff() * X.col(0) * X.col(0).transpose() +
        -1e-6 * scale * Matrix<double>::Identity(60, 60);
    CHECK_FALSE(known(negative));
    CHECK_FALSE(known(-B));
    // Eigenvalues of either sign beside a diagonal of zeros.
    Matrix<double> hidden = Matrix<double>::Zero(62, 62);
    hidden.topLeftCorner(60, 60) = B;
    hidden(60, 61) = hidden(61, 60) = 1e-6 * scale;
    CHECK_FALSE(known(hidden));
  }
  const Matrix<double> full = test::gaussian<double>(60, 60);
  CHECK_FALSE(known(full * full.transpose()));  // semi-definite, but that takes all columns to see
}

TEST_CASE("The negative mass of a small matrix is exact, by either route",
          "[spectral][contract28]") {
  const auto mass = [](const Matrix<double>& B) {
    Run run("Test", ClassicalMDSOptions());
    return detail::negative_mass(B, 0, run);
  };
  const Matrix<double> X = test::gaussian<double>(80, 3), Y = test::gaussian<double>(80, 2, 7);
  const Matrix<double> B = X * X.transpose(), C = B - 0.1 * Y * Y.transpose();
  CHECK(mass(B) == 0);
  const Vector<double> values = test::dense_eigenvalues(C);
  CHECK(std::abs(mass(C) - -values.cwiseMin(0).sum() / values.cwiseAbs().sum()) < 1e-12);
  CHECK(mass(C) > 0.01);
}
