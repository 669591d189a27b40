#include "unfurl/core/products.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/spectral/symmetric_product.hpp"

using namespace unfurl;

namespace {

template <class Scalar>
void check_shape(Index rows, Index depth, Index cols) {
  CAPTURE(rows, depth, cols);
  const Matrix<Scalar> A = test::gaussian<Scalar>(rows, depth, 1);
  const Matrix<Scalar> B = test::gaussian<Scalar>(depth, cols, 2);
  const Scalar rounding =
      std::numeric_limits<Scalar>::epsilon() * static_cast<Scalar>(40 + 16 * depth);
  const auto agree = [&](const Matrix<Scalar>& found, const Matrix<Scalar>& expected) {
    REQUIRE(found.rows() == expected.rows());
    REQUIRE(found.cols() == expected.cols());
    if (found.size() > 0) CHECK((found - expected).cwiseAbs().maxCoeff() <= rounding);
  };
  agree(detail::product<Scalar>(A, B), A * B);
  const Matrix<Scalar> At = A.transpose();
  agree(detail::inner_product<Scalar>(At, B), A * B);

  // Blocks of larger matrices, added to what is there.
  Matrix<Scalar> frame = Matrix<Scalar>::Ones(rows + 3, cols + 2);
  detail::add_inner_product<Scalar>(At, B, frame.block(1, 1, rows, cols));
  Matrix<Scalar> expected = Matrix<Scalar>::Ones(rows + 3, cols + 2);
  expected.block(1, 1, rows, cols) += A * B;
  agree(frame, expected);

  Matrix<Scalar> gram = Matrix<Scalar>::Zero(cols, cols);
  detail::add_gram<Scalar>(B, gram);
  const Matrix<Scalar> whole = B.transpose() * B;
  agree(gram.template triangularView<Eigen::Lower>(),
        whole.template triangularView<Eigen::Lower>());
}

}  // namespace

TEST_CASE("products: every remainder of the tiles") {
  for (const Index rows : {0, 1, 2, 5, 8, 9, 35})
    for (const Index depth : {0, 1, 3, 8, 13})
      for (const Index cols : {0, 1, 2, 3, 4, 7, 17}) {
        check_shape<double>(rows, depth, cols);
        check_shape<float>(rows, depth, cols);
      }
}

TEST_CASE("products: longer than the chunks") {
  check_shape<double>(20, 1100, 18);
  check_shape<double>(100, 515, 3);
  check_shape<float>(9, 600, 21);
}

TEST_CASE("products: a row's result does not depend on the rows beside it") {
  for (const Index cols : {1, 2, 20}) {
    const Matrix<double> A = test::gaussian<double>(70, 300, 3);
    const Matrix<double> B = test::gaussian<double>(300, cols, 4);
    const Matrix<double> whole = detail::product(A, B);
    for (const Index begin : {0, 3, 41, 69})
      for (const Index count : {1, 7, 29})
        if (begin + count <= 70)
          CHECK(detail::product(A.middleRows(begin, count), B) == whole.middleRows(begin, count));
  }
}

TEST_CASE("products: NaN and Inf go where they belong") {
  Matrix<double> A = Matrix<double>::Ones(5, 3);
  A(2, 1) = std::numeric_limits<double>::quiet_NaN();
  const Matrix<double> C = detail::product(A, Matrix<double>::Ones(3, 2));
  for (Index i = 0; i < 5; ++i) CHECK(std::isnan(C(i, 0)) == (i == 2));
}

TEST_CASE("project_out: what remains is orthogonal") {
  Matrix<double> Q = Matrix<double>::Identity(30, 4), W = test::gaussian<double>(30, 5, 5);
  const Matrix<double> before = W;
  detail::project_out(Q, W);
  CHECK(W.topRows(4).cwiseAbs().maxCoeff() < 1e-15);
  CHECK(W.bottomRows(26) == before.bottomRows(26));
  detail::project_out(Matrix<double>(30, 0), W);
  CHECK(W.bottomRows(26) == before.bottomRows(26));
}

TEST_CASE("A symmetric product reads half of the matrix, and is the same for any number of threads",
          "[spectral]") {
  const Index n = GENERATE(1, 7, 8, 9, 40, 257, 700);
  const Matrix<double> half = test::gaussian<double>(n, n, 3);
  const Matrix<double> A = half + half.transpose();
  for (const Index k : {1, 2, 5, 8}) {
    CAPTURE(n, k);
    const Matrix<double> X = test::gaussian<double>(n, k, 4);
    std::atomic<Index> n_read{0};
    const auto multiply = [&](int n_threads) {
      n_read = 0;
      Matrix<double> Y = Matrix<double>::Constant(n, k, 1e300);  // what was there does not count
      detail::symmetric_product(n, X.data(), k, Y.data(), Parallel(n_threads),
                                [&](Index top, Index rows, Index column, double* to) {
                                  n_read += rows;
                                  for (Index i = 0; i < rows; ++i) to[i] = A(top + i, column);
                                });
      return Y;
    };
    const Matrix<double> Y = multiply(1);
    CHECK(n_read.load() <= n * (n + std::max<Index>(8, n / 32 + 8)) / 2);
    CHECK(test::max_abs_diff(Y, A * X) < 1e-12 * double(n));
    for (const int n_threads : {2, 3, 8}) CHECK(test::same_bytes(multiply(n_threads), Y));
  }
}
