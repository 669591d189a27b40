#include "unfurl/datasets/blobs.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using Catch::Matchers::WithinAbs;

TEST_CASE("each blob is a normal cloud about its centre", "[blobs]") {
  BlobsOptions options;
  options.n_centers = 4;
  options.n_features = 3;
  options.cluster_std = 0.5;
  options.center_box = 2;
  const Index n = 8000;
  const Dataset<> data = blobs(n, options);
  REQUIRE(data.points.cols() == 3);
  REQUIRE(data.coordinates.cols() == 3);
  REQUIRE(data.labels.size() == 8000);
  CHECK(data.coordinates.cwiseAbs().maxCoeff() <= 2);
  CHECK(data.coordinates.cwiseAbs().maxCoeff() > 1);
  Matrix<double> means = Matrix<double>::Zero(4, 3), variances = Matrix<double>::Zero(4, 3);
  for (Index i = 0; i < n; ++i) {
    const Index label = data.labels[static_cast<std::size_t>(i)];
    REQUIRE(label == i % 4);
    REQUIRE(test::same_bytes(data.coordinates.row(i), data.coordinates.row(label)));
    const auto off_center = (data.points.row(i) - data.coordinates.row(i)).eval();
    means.row(label) += off_center / 2000;
    variances.row(label) += off_center.cwiseAbs2() / 2000;
  }
  CHECK(means.cwiseAbs().maxCoeff() < 4 * 0.5 / std::sqrt(2000));
  CHECK((variances.array() - 0.25).abs().maxCoeff() < 4 * 0.25 * std::sqrt(2.0 / 2000));
}

TEST_CASE("the width of the blobs does not move their centres", "[blobs]") {
  BlobsOptions points_only;
  points_only.cluster_std = 0;
  const Dataset<> wide = blobs(30), narrow = blobs(30, points_only);
  CHECK(test::same_bytes(wide.coordinates, narrow.coordinates));
  CHECK(test::same_bytes(narrow.points, narrow.coordinates));
}

TEST_CASE("the blobs of seed 3 do not change with the platform", "[blobs]") {
  BlobsOptions options;
  options.seed = 3;
  const Dataset<> data = blobs(3, options);
  Matrix<double> centers(3, 2), points(3, 2);
  centers << 7.627155105701114, 8.767304082938663, 9.178920555627547, -2.1284007287593676,
      5.288894202605721, 8.844441031637588;
  points << 8.596439621223922, 8.16006020403108, 9.713775881389799, -1.5771673704197542,
      2.519480042663794, 10.118147508615692;
  CHECK(test::max_abs_diff(data.coordinates, centers) < 1e-12);
  CHECK(test::max_abs_diff(data.points, points) < 1e-12);
}

TEST_CASE("blobs that cannot be are refused", "[blobs]") {
  BlobsOptions options;
  SECTION("no centre") { options.n_centers = 0; }
  SECTION("more centres than labels") { options.n_centers = Index{1} << 31; }
  SECTION("no feature") { options.n_features = 0; }
  SECTION("negative width") { options.cluster_std = -1; }
  SECTION("width that is no number") { options.cluster_std = std::nan(""); }
  SECTION("negative box") { options.center_box = -1; }
  SECTION("endless box") { options.center_box = std::numeric_limits<double>::infinity(); }
  CHECK_THROWS_AS(blobs(10, options), ParameterError);
}
