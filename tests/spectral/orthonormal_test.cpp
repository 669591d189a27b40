#include "unfurl/spectral/orthonormal.hpp"

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;

TEST_CASE("a column that depends on others is replaced, however large or small it was",
          "[orthonormal]") {
  for (const double scale : {1e-150, 1.0, 1e20, 1e150}) {
    Matrix<double> W = test::gaussian<double>(9, 3) * scale;
    W.col(2) = 2 * W.col(0) - W.col(1);
    const Matrix<double> given = W, R = detail::orthonormalise(W);
    CHECK(R(1, 1) > 0);
    CHECK(R(2, 2) == 0);
    CHECK(test::max_abs_diff(W.transpose() * W, Matrix<double>::Identity(3, 3)) < 1e-14);
    CHECK(test::max_abs_diff(Matrix<double>(W * R) / scale, given / scale) < 1e-13);
  }
}
