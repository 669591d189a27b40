#include "unfurl/quality/trustworthiness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;

namespace {

/// All other points in the order of their distance from row i, ties by index.
std::vector<Index> order_from(const Matrix<double>& X, Index i) {
  std::vector<std::pair<double, Index>> keys;
  for (Index j = 0; j < X.rows(); ++j)
    if (j != i) keys.emplace_back((X.row(i) - X.row(j)).squaredNorm(), j);
  std::sort(keys.begin(), keys.end());
  std::vector<Index> order;
  for (const auto& key : keys) order.push_back(key.second);
  return order;
}

/// By definition.
double by_definition(const Matrix<double>& X, const Matrix<double>& Y, Index k) {
  double sum = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const std::vector<Index> in_X = order_from(X, i), in_Y = order_from(Y, i);
    for (Index neighbor = 0; neighbor < k; ++neighbor) {
      const Index j = in_Y[static_cast<std::size_t>(neighbor)];
      const Index rank = std::find(in_X.begin(), in_X.end(), j) - in_X.begin() + 1;
      sum += static_cast<double>(std::max<Index>(0, rank - k));
    }
  }
  const double n = static_cast<double>(X.rows()), kk = static_cast<double>(k);
  return 1 - 2 / (n * kk * (2 * n - 3 * kk - 1)) * sum;
}

std::string message(const Matrix<double>& X, const Matrix<double>& Y, Index k) {
  try {
    trustworthiness(X, Y, k);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("trustworthiness is that of scikit-learn", "[trustworthiness]") {
  // Integers and small slopes, the same in Python; the values by
  // sklearn.manifold.trustworthiness of scikit-learn 1.2.1.
  Matrix<double> X(40, 3), Y(40, 2);
  for (Index i = 0; i < 40; ++i) {
    const double slope = static_cast<double>(i);
    X.row(i) << static_cast<double>((i * i * 7 + 3 * i) % 101) + 0.013 * slope,
        static_cast<double>((i * i * i + 5) % 97) + 0.029 * slope,
        static_cast<double>((i * 29) % 83) + 0.041 * slope;
    Y.row(i) << X(i, 0) + 0.5 * X(i, 2), X(i, 1) - 0.25 * X(i, 2);
  }
  struct Golden {
    Index k;
    double of_Y, of_X, of_first_column;
  };
  for (const Golden& golden :
       {Golden{1, 0.8289473684210527, 0.9532894736842106, 0.6019736842105263},
        Golden{2, 0.8434931506849315, 0.9616438356164384, 0.6801369863013699},
        Golden{5, 0.88578125, 0.9409375, 0.746875},
        Golden{12, 0.8609496124031008, 0.9344961240310078, 0.8198643410852713},
        Golden{19, 0.8427033492822966, 0.9084928229665071, 0.8221291866028708}}) {
    CAPTURE(golden.k);
    CHECK_THAT(trustworthiness(X, Y, golden.k), WithinAbs(golden.of_Y, 1e-14));
    CHECK_THAT(trustworthiness(Y, X, golden.k), WithinAbs(golden.of_X, 1e-14));
    CHECK_THAT(trustworthiness(X, X.col(0), golden.k), WithinAbs(golden.of_first_column, 1e-14));
  }
  CHECK(trustworthiness(X, Y) == trustworthiness(X, Y, 5));
}

TEST_CASE("trustworthiness agrees with its definition, ties included", "[trustworthiness]") {
  const Index k = GENERATE(1, 3, 10, 29);
  const Matrix<double> X = test::gaussian<double>(60, 4, 1), Y = test::gaussian<double>(60, 2, 2);
  CHECK_THAT(trustworthiness(X, Y, k), WithinAbs(by_definition(X, Y, k), 1e-13));
  // On a coarse grid most distances are tied and many points coincide.
  const Matrix<double> X_grid = X.array().round(), Y_grid = Y.array().round();
  CHECK_THAT(trustworthiness(X_grid, Y_grid, k),
             WithinAbs(by_definition(X_grid, Y_grid, k), 1e-13));
}

TEST_CASE("an embedding that keeps neighbours has trustworthiness 1", "[trustworthiness]") {
  const Matrix<double> X = test::gaussian<double>(80, 3);
  CHECK(trustworthiness(X, X) == 1);
  CHECK(trustworthiness(X, (-3 * X).eval(), 20) == 1);
  CHECK(trustworthiness(X, X.cast<float>().eval(), 10) == 1);
  CHECK(trustworthiness(Matrix<double>::Zero(10, 2), Matrix<double>::Zero(10, 1), 4) == 1);
}

TEST_CASE("a random embedding has trustworthiness of about one half", "[trustworthiness]") {
  const Matrix<double> X = test::gaussian<double>(1000, 3, 5),
                       Y = test::gaussian<double>(1000, 2, 6);
  CHECK_THAT(trustworthiness(X, Y, 10), WithinAbs(0.5, 0.02));
}

TEST_CASE("trustworthiness has the same bytes for any number of threads", "[trustworthiness]") {
  const Matrix<double> X = test::gaussian<double>(333, 5, 1), Y = test::gaussian<double>(333, 2, 2);
  const double one = trustworthiness(X, Y, 7, Parallel(1));
  for (const int n_threads : {2, 3, 8}) CHECK(trustworthiness(X, Y, 7, Parallel(n_threads)) == one);
}

TEST_CASE("trustworthiness takes any Eigen expression", "[trustworthiness]") {
  const Matrix<double> X = test::gaussian<double>(50, 4, 1);
  const Matrix<double> Y = X.leftCols(2);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> row_major = X;
  CHECK(trustworthiness(row_major, X.leftCols(2)) == trustworthiness(X, Y));
}

TEST_CASE("trustworthiness refuses what it cannot rank", "[trustworthiness]") {
  const Matrix<double> X = test::gaussian<double>(10, 3), Y = X.leftCols(2);
  CHECK_THROWS_AS(trustworthiness(X, Y, 0), ParameterError);
  CHECK_THROWS_AS(trustworthiness(X, Y, -3), ParameterError);
  CHECK_NOTHROW(trustworthiness(X, Y, 4));
  CHECK_THROWS_AS(trustworthiness(X, Y, 5), ParameterError);
  CHECK(message(X, Y, 5) ==
        "trustworthiness: n_neighbors must be in [1, 4], got 5 (it must be below n_samples / 2, "
        "n_samples = 10)");
  CHECK_THROWS_AS(trustworthiness(X, Y.topRows(9)), DimensionError);
  CHECK_THROWS_AS(trustworthiness(X.topRows(2), Y.topRows(2), 1), DataError);
  CHECK_THROWS_AS(trustworthiness(X, Matrix<double>(10, 0), 2), DataError);
  Matrix<double> bad = X;
  bad(3, 1) = std::nan("");
  CHECK_THROWS_AS(trustworthiness(bad, Y, 2), DataError);
  bad(3, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(trustworthiness(X, bad, 2), DataError);
  bad(3, 1) = 1e200;
  CHECK_THROWS_AS(trustworthiness(X, bad, 2), DataError);
}
