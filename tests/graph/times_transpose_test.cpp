#include "unfurl/graph/times_transpose.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"
#include "unfurl/core/random.hpp"

using namespace unfurl;

namespace {

/// About `per_column` entries a column; every seventh column and row is empty.
SparseMatrix<double> random_sparse(Index n, std::uint64_t per_column) {
  Random random(3);
  std::vector<Eigen::Triplet<double, int>> entries;
  for (Index j = 0; j < n; ++j)
    for (std::uint64_t e = 0; e < per_column && j % 7 != 0; ++e) {
      const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
      if (i % 7 != 3)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(j), random.normal());
    }
  SparseMatrix<double> A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

}  // namespace

TEST_CASE("A product with the transpose is Eigen's, sorted, for any number of threads", "[graph]") {
  const Index n = GENERATE(1, 2, 40, 3000);
  const SparseMatrix<double> A = random_sparse(n, 5);
  const SparseMatrix<double> product = detail::TimesTranspose(A, Parallel(2))("test");
  const SparseMatrix<double> expected = A * SparseMatrix<double>(A.transpose());
  CHECK((product - expected).norm() <= 1e-14 * (1 + expected.norm()));
  CHECK(product.isCompressed());
  CHECK(product.nonZeros() == expected.nonZeros());
  for (Index j = 0; j < n; ++j)
    CHECK(std::is_sorted(product.innerIndexPtr() + product.outerIndexPtr()[j],
                         product.innerIndexPtr() + product.outerIndexPtr()[j + 1]));
  for (const int threads : {1, 3, 8}) {
    const SparseMatrix<double> again = detail::TimesTranspose(A, Parallel(threads))("test");
    REQUIRE(again.nonZeros() == product.nonZeros());
    CHECK(std::equal(again.valuePtr(), again.valuePtr() + again.nonZeros(), product.valuePtr()));
  }
}
