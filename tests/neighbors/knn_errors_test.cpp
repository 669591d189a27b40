#include <limits>

#include "neighbors/oracle.hpp"
#include "support/catch.hpp"
#include "unfurl/neighbors/knn.hpp"

using test::Matrix;
using unfurl::AutoSearch;
using unfurl::BruteForce;
using unfurl::KdTree;
using unfurl::Parallel;

TEMPLATE_TEST_CASE("knn refuses bad input with a message that helps",
                   "[neighbors][contract3][contract6][contract7][contract29][contract30]", KdTree,
                   BruteForce, AutoSearch) {
  const TestType search{};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Eigen::MatrixXd X = test::normal_points<double>(3, 100).transpose();
  CHECK_THROWS_AS(unfurl::knn(X, 0, search), unfurl::ParameterError);
  CHECK_THROWS_AS(unfurl::knn(X, -3, search), unfurl::ParameterError);
  CHECK_THROWS_AS(unfurl::knn(X, 100, search), unfurl::ParameterError);
  CHECK_THROWS_WITH(unfurl::knn(X, 120, search),
                    "knn: n_neighbors must be in [1, 99], got 120 (n_samples = 100)");
  CHECK_THROWS_AS(unfurl::knn(Eigen::MatrixXd(0, 3), 1, search), unfurl::DataError);
  CHECK_THROWS_AS(unfurl::knn(Eigen::MatrixXd(5, 0), 1, search), unfurl::DataError);
  CHECK_THROWS_AS(unfurl::knn(Eigen::MatrixXd::Zero(1, 3), 1, search), unfurl::DataError);
  for (double r : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()})
    CHECK_THROWS_AS(unfurl::radius_neighbors(X, r, search), unfurl::ParameterError);

  const auto index = search.build(Matrix<double>(X.transpose()));
  CHECK_THROWS_AS(unfurl::radius_self(index, 0.0), unfurl::ParameterError);
  const Matrix<double> queries = X.topRows(2).transpose();
  CHECK_THROWS_AS(unfurl::knn_self(index, 100), unfurl::ParameterError);
  CHECK_THROWS_WITH(unfurl::knn_self(index, 100, Parallel(1), "Isomap"),
                    "Isomap: n_neighbors must be in [1, 99], got 100 (n_samples = 100)");
  CHECK_THROWS_AS(unfurl::knn_query(index, queries, 0), unfurl::ParameterError);
  CHECK_THROWS_AS(unfurl::knn_query(index, queries, 101), unfurl::ParameterError);
  CHECK_THROWS_AS(unfurl::radius_query(index, queries, nan), unfurl::ParameterError);
  CHECK_THROWS_AS(unfurl::knn_query(index, Matrix<double>(2, 5), 3), unfurl::DimensionError);
  CHECK_THROWS_AS(unfurl::radius_query(index, Matrix<double>(2, 5), 1.0), unfurl::DimensionError);
  Matrix<double> bad = queries;
  bad(0, 1) = nan;
  CHECK_THROWS_WITH(unfurl::knn_query(index, bad, 3),
                    Catch::Matchers::Matches(".*NaN at \\(row 1, column 0\\).*"));
  bad(0, 1) = 1e200;
  CHECK_THROWS_AS(unfurl::radius_query(index, bad, 3.0), unfurl::DataError);

  X(4, 1) = nan;
  CHECK_THROWS_WITH(unfurl::knn(X, 3, search),
                    Catch::Matchers::Matches(".*NaN at \\(row 4, column 1\\).*"));
  X(4, 1) = 1e160;
  CHECK_THROWS_WITH(unfurl::knn(X, 3, search), Catch::Matchers::Matches(".*magnitude too large.*"));
}
