#include "unfurl/core/sparse.hpp"

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;

TEST_CASE("A sparse matrix is transposed in any precision, compressed or not", "[sparse]") {
  Matrix<float> dense = test::gaussian<float>(7, 4);
  dense.col(1).setZero();
  dense.row(0).setZero();
  dense(3, 2) = dense(6, 0) = 0;
  SparseMatrix<float> A;
  A = dense.sparseView();
  if (GENERATE(true, false)) A.uncompress();
  const SparseMatrix<double> T = detail::sparse_transposed<double>(A);
  CHECK(T.isCompressed());
  CHECK(T.nonZeros() == A.nonZeros());
  CHECK(test::same_bytes(Matrix<double>(T), Matrix<double>(dense.transpose().cast<double>())));
  CHECK(detail::sparse_transposed<float>(SparseMatrix<float>(3, 0)).cols() == 3);
}
