#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/matrix.hpp"
#include "unfurl/quality/residual_variance.hpp"
#include "unfurl/quality/stress.hpp"

// Measures of distances: stress, scaled stress, Shepard correlation, residual variance.

using namespace unfurl;
using Catch::Matchers::WithinAbs;

namespace {

struct Measures {
  double stress, scaled_stress, shepard_correlation, residual_variance;
};

Measures measured(const Matrix<double>& X, const Matrix<double>& Y, const Sampling& sampling = {},
                  int n_threads = 0) {
  const Parallel parallel(n_threads);
  return {stress(X, Y, parallel, sampling), scaled_stress(X, Y, parallel, sampling),
          shepard_correlation(X, Y, parallel, sampling),
          residual_variance(X, Y, parallel, sampling)};
}

/// From all distances, each measure by its formula.
Measures by_definition(const Matrix<double>& X, const Matrix<double>& Y) {
  std::vector<double> x, y;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = i + 1; j < X.rows(); ++j) {
      x.push_back((X.row(i) - X.row(j)).norm());
      y.push_back((Y.row(i) - Y.row(j)).norm());
    }
  const auto places = [](const std::vector<double>& values) {
    std::vector<double> result;
    for (const double value : values) {
      double below = 0, equal = 0;
      for (const double other : values) below += other < value, equal += other == value;
      result.push_back(below + (equal + 1) / 2);
    }
    return result;
  };
  const auto pearson = [](const std::vector<double>& a, const std::vector<double>& b) {
    const double n = static_cast<double>(a.size());
    double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
    for (std::size_t i = 0; i < a.size(); ++i) ma += a[i] / n, mb += b[i] / n;
    for (std::size_t i = 0; i < a.size(); ++i)
      aa += (a[i] - ma) * (a[i] - ma), bb += (b[i] - mb) * (b[i] - mb),
          ab += (a[i] - ma) * (b[i] - mb);
    return ab / std::sqrt(aa * bb);
  };
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    xx += x[i] * x[i], xy += x[i] * y[i], yy += y[i] * y[i];
  const double r = pearson(x, y);
  return {std::sqrt((xx - 2 * xy + yy) / xx), std::sqrt(1 - xy * xy / (xx * yy)),
          pearson(places(x), places(y)), 1 - r * r};
}

void check_near(const Measures& found, const Measures& expected, double tolerance) {
  CHECK_THAT(found.stress, WithinAbs(expected.stress, tolerance));
  CHECK_THAT(found.scaled_stress, WithinAbs(expected.scaled_stress, tolerance));
  CHECK_THAT(found.shepard_correlation, WithinAbs(expected.shepard_correlation, tolerance));
  CHECK_THAT(found.residual_variance, WithinAbs(expected.residual_variance, tolerance));
}

}  // namespace

TEST_CASE("measures of distances are those of numpy and scipy", "[quality]") {
  const Matrix<double> X = test::golden("sheet_X.csv").topRows(140);
  const Matrix<double> Y = test::golden("isomap_sheet.csv").leftCols(2);
  const Matrix<double> golden = test::golden("quality_distances.csv");
  check_near(measured(X, Y), {golden(0), golden(1), golden(2), golden(3)}, 1e-12);
}

TEST_CASE("measures of distances agree with their definitions, ties included", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(40, 4, 1), Y = test::gaussian<double>(40, 2, 2);
  check_near(measured(X, Y), by_definition(X, Y), 1e-12);
  const Matrix<double> X_grid = X.array().round(), Y_grid = Y.array().round();
  check_near(measured(X_grid, Y_grid), by_definition(X_grid, Y_grid), 1e-12);
}

TEST_CASE("an isometry has no stress at all, a similarity none when scaled", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(60, 2);
  const Matrix<double> turned =
      (X * Eigen::Rotation2Dd(0.7).toRotationMatrix()).rowwise() + Eigen::RowVector2d(5, -3);
  check_near(measured(X, turned), {0, 0, 1, 0}, 1e-13);
  CHECK(residual_variance(X, turned) < 1e-25);  // without the cancellation of 1 - r^2
  const Matrix<double> enlarged = 3 * X;
  const Measures found = measured(X, enlarged);
  CHECK_THAT(found.stress, WithinAbs(2, 1e-13));
  CHECK(found.scaled_stress < 1e-14);
  CHECK(found.shepard_correlation > 1 - 1e-13);
  // Distances that are bent in order keep their ranks.
  Matrix<double> line(4, 1), bent(4, 1);
  line << 0, 1, 3, 7;  // all six distances differ
  bent << 0, 1, 9, 100;
  CHECK_THAT(shepard_correlation(line, bent),
             WithinAbs(by_definition(line, bent).shepard_correlation, 1e-14));
  CHECK(residual_variance(line, bent) > 0.01);
}

TEST_CASE("measures of distances do not depend on the scale of both", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(30, 3, 1), Y = test::gaussian<double>(30, 2, 2);
  const Measures plain = measured(X, Y);
  for (const double scale : {1e-200, 1e-160, 1e140}) {
    CAPTURE(scale);
    check_near(measured(scale * X, scale * Y), plain, 1e-13);
  }
}

TEST_CASE("distances that do not vary have a value of their own", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(10, 2), point = Matrix<double>::Ones(10, 2);
  check_near(measured(point, point), {0, 0, 1, 0}, 0);
  check_near(measured(X, point), {1, 1, 0, 1}, 1e-15);
  CHECK(stress(point, X) == std::numeric_limits<double>::infinity());
  CHECK(residual_variance(point, X) == 1);
  CHECK(shepard_correlation(point, X) == 0);
  const Matrix<double> triangle = Matrix<double>::Identity(3, 3);  // equal distances, rounded
  CHECK(residual_variance(triangle, (0.1 * triangle).eval()) == 0);
}

TEST_CASE("a sample of pairs estimates, with a seed", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(400, 4, 1), Y = X.leftCols(2);
  const Measures exact = measured(X, Y), sampled = measured(X, Y, {20000, 3}),
                 other = measured(X, Y, {20000, 4});
  check_near(sampled, exact, 0.03);
  check_near(other, exact, 0.03);
  CHECK(sampled.stress != exact.stress);
  CHECK(sampled.stress != other.stress);
  CHECK(sampled.shepard_correlation == measured(X, Y, {20000, 3}).shepard_correlation);
  CHECK(measured(X, Y, {79800, 0}).stress == exact.stress);  // that many pairs there are
  CHECK(measured(X, Y, {79799, 0}).stress != exact.stress);
  CHECK(stress(X, Y) == exact.stress);  // fewer than a million
  // No point is paired with itself: the distances of a simplex never vary.
  const Matrix<double> simplex = Matrix<double>::Identity(4, 4);
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    CHECK(shepard_correlation(simplex, X.topRows(4), Parallel(1), {5, seed}) == 0);
}

TEST_CASE("measures of distances have the same bytes for any number of threads",
          "[quality][contract56]") {
  const Matrix<double> X = test::gaussian<double>(200, 4, 1), Y = X.leftCols(2);
  for (const Sampling& sampling : {Sampling{}, Sampling{5000, 1}}) {
    const Measures one = measured(X, Y, sampling, 1), many = measured(X, Y, sampling, 5);
    check_near(many, one, 0);
  }
}

TEST_CASE("measures of distances refuse what they cannot measure", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(10, 3), Y = X.leftCols(2);
  CHECK_THROWS_AS(stress(X, Y.topRows(9)), DimensionError);
  CHECK_THROWS_AS(scaled_stress(X.topRows(1), Y.topRows(1)), DataError);
  CHECK_THROWS_AS(shepard_correlation(X, Matrix<double>(10, 0)), DataError);
  CHECK_THROWS_AS(stress(X, Y, Parallel(1), {-5, 0}), ParameterError);
  Matrix<double> bad = X;
  bad(3, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(residual_variance(bad, Y), DataError);
  try {
    residual_variance(X, bad);
  } catch (const DataError& error) {
    CHECK(std::string(error.what()).find("residual_variance: the input contains NaN") == 0);
  }
}
