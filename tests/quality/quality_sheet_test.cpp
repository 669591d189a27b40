#include "unfurl/quality/quality_sheet.hpp"

#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/quality/continuity.hpp"
#include "unfurl/quality/knn_recall.hpp"
#include "unfurl/quality/residual_variance.hpp"
#include "unfurl/quality/stress.hpp"
#include "unfurl/quality/trustworthiness.hpp"

using namespace unfurl;

namespace {

const Matrix<double> cloud = test::gaussian<double>(300, 5, 1);
const Matrix<float> flat = cloud.leftCols(2).cast<float>();

std::vector<std::string> signs() {
  std::vector<std::string> labels;
  for (Index i = 0; i < cloud.rows(); ++i) labels.push_back(cloud(i, 0) > 0 ? "right" : "left");
  return labels;
}

void check_same(const QualitySheet& a, const QualitySheet& b) {
  CHECK(a.trustworthiness == b.trustworthiness);
  CHECK(a.continuity == b.continuity);
  CHECK(a.knn_recall == b.knn_recall);
  CHECK(a.stress == b.stress);
  CHECK(a.scaled_stress == b.scaled_stress);
  CHECK(a.shepard_correlation == b.shepard_correlation);
  CHECK(a.residual_variance == b.residual_variance);
  CHECK(a.label_score == b.label_score);
  CHECK(a.data_label_score == b.data_label_score);
}

/// From the functions of the same names.
QualitySheet one_by_one(const QualityOptions& options) {
  const Parallel parallel;
  const Sampling points{options.max_points, options.seed}, pairs{options.max_pairs, options.seed};
  const Index k = options.n_neighbors;
  QualitySheet sheet;
  sheet.trustworthiness = trustworthiness(cloud, flat, k, parallel, points);
  sheet.continuity = continuity(cloud, flat, k, parallel, points);
  sheet.knn_recall = knn_recall(cloud, flat, k, parallel, points);
  sheet.stress = stress(cloud, flat, parallel, pairs);
  sheet.scaled_stress = scaled_stress(cloud, flat, parallel, pairs);
  sheet.shepard_correlation = shepard_correlation(cloud, flat, parallel, pairs);
  sheet.residual_variance = residual_variance(cloud, flat, parallel, pairs);
  sheet.label_score = knn_label_score(flat, signs(), k, parallel, points);
  sheet.data_label_score = knn_label_score(cloud, signs(), k, parallel, points);
  return sheet;
}

}  // namespace

TEST_CASE("the sheet has the bytes of the single measures", "[quality_sheet]") {
  QualityOptions options;
  const QualitySheet exact = quality_sheet(cloud, flat, signs(), options);
  CHECK(exact.exact);
  CHECK(exact.n_points == 300);
  CHECK(exact.n_pairs == 300 * 299 / 2);
  check_same(exact, one_by_one(options));

  options.n_neighbors = 4;
  options.max_points = 100;
  options.max_pairs = 5000;
  options.seed = 9;
  const QualitySheet sampled = quality_sheet(cloud, flat, signs(), options);
  CHECK_FALSE(sampled.exact);
  CHECK(sampled.n_points == 100);
  CHECK(sampled.n_pairs == 5000);
  check_same(sampled, one_by_one(options));
}

TEST_CASE("the sheet tells a good embedding from a bad one", "[quality_sheet]") {
  const Matrix<double> random = test::gaussian<double>(300, 2, 8);
  const QualitySheet good = quality_sheet(cloud, cloud.leftCols(4)),
                     bad = quality_sheet(cloud, random);
  CHECK_FALSE(good.label_score.has_value());
  CHECK_FALSE(good.data_label_score.has_value());
  CHECK(good.trustworthiness > bad.trustworthiness + 0.2);
  CHECK(good.continuity > bad.continuity + 0.2);
  CHECK(good.knn_recall > bad.knn_recall + 0.2);
  CHECK(good.stress < bad.stress);
  CHECK(good.scaled_stress < bad.scaled_stress);
  CHECK(good.shepard_correlation > bad.shepard_correlation + 0.5);
  CHECK(good.residual_variance < bad.residual_variance - 0.5);
  const Matrix<double> collapsed = Matrix<double>::Zero(300, 2);
  const QualitySheet none = quality_sheet(cloud, collapsed);
  CHECK(none.stress == 1);
  CHECK(none.residual_variance == 1);
}

TEST_CASE("the sheet has the same bytes for any number of threads", "[quality_sheet][contract56]") {
  QualityOptions options;
  options.max_points = 77;
  options.n_threads = 1;
  const QualitySheet one = quality_sheet(cloud, flat, signs(), options);
  options.n_threads = 5;
  check_same(quality_sheet(cloud, flat, signs(), options), one);
}

TEST_CASE("the sheet refuses what it cannot measure", "[quality_sheet]") {
  QualityOptions options;
  const auto said = [&](const Matrix<double>& embedding) -> std::string {
    try {
      quality_sheet(cloud, embedding, std::vector<int>(300, 0), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Matrix<double> fine = cloud.leftCols(2);
  CHECK(said(fine).empty());
  CHECK(said(fine.topRows(299)).find("quality_sheet: X has 300 samples, Y has 299") == 0);
  options.n_neighbors = 150;
  CHECK(said(fine).find("quality_sheet: n_neighbors must be in [1, 149], got 150") == 0);
  options.n_neighbors = 5;
  options.max_points = -1;
  CHECK_THROWS_AS(quality_sheet(cloud, flat, options), ParameterError);
  options.max_points = 0;
  options.max_pairs = -1;
  CHECK_THROWS_AS(quality_sheet(cloud, flat, options), ParameterError);
  options.max_pairs = 0;
  options.n_threads = -1;
  CHECK_THROWS_AS(quality_sheet(cloud, flat, options), ParameterError);
  options.n_threads = 0;
  CHECK_THROWS_AS(quality_sheet(cloud, flat, std::vector<int>(299, 0), options), DimensionError);
  Matrix<double> bad = cloud;
  bad(1, 1) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(quality_sheet(bad, flat, options), DataError);
}
