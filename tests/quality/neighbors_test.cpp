#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/matrix.hpp"
#include "unfurl/quality/continuity.hpp"
#include "unfurl/quality/knn_label_score.hpp"
#include "unfurl/quality/knn_recall.hpp"
#include "unfurl/quality/trustworthiness.hpp"

// Measures of neighbourhoods; trustworthiness has more tests in a file of its own.

using namespace unfurl;
using Catch::Matchers::WithinAbs;

namespace {

/// The k nearest others of row i, ties by index, by sorting all.
std::vector<Index> nearest(const Matrix<double>& X, Index i, Index k) {
  std::vector<std::pair<double, Index>> keys;
  for (Index j = 0; j < X.rows(); ++j)
    if (j != i) keys.emplace_back((X.row(i) - X.row(j)).squaredNorm(), j);
  std::sort(keys.begin(), keys.end());
  std::vector<Index> first;
  for (Index r = 0; r < k; ++r) first.push_back(keys[static_cast<std::size_t>(r)].second);
  return first;
}

double recall_by_definition(const Matrix<double>& X, const Matrix<double>& Y, Index k) {
  Index shared = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const std::vector<Index> in_X = nearest(X, i, k), in_Y = nearest(Y, i, k);
    const std::set<Index> near(in_X.begin(), in_X.end());
    for (const Index j : in_Y) shared += near.count(j) > 0 ? 1 : 0;
  }
  return static_cast<double>(shared) / static_cast<double>(X.rows() * k);
}

double score_by_definition(const Matrix<double>& Y, const std::vector<int>& labels, Index k) {
  Index right = 0;
  for (Index i = 0; i < Y.rows(); ++i) {
    std::vector<int> votes;
    for (const Index j : nearest(Y, i, k)) votes.push_back(labels[static_cast<std::size_t>(j)]);
    int best = 0;
    std::ptrdiff_t most = 0;
    for (const int label : std::set<int>(votes.begin(), votes.end())) {  // ascending
      const std::ptrdiff_t count = std::count(votes.begin(), votes.end(), label);
      if (count > most) most = count, best = label;
    }
    right += labels[static_cast<std::size_t>(i)] == best ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(Y.rows());
}

std::vector<int> some_labels(Index n, int n_classes, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> labels;
  for (Index i = 0; i < n; ++i)
    labels.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(n_classes))) - 1);
  return labels;
}

}  // namespace

TEST_CASE("measures of neighbourhoods are those of scikit-learn", "[quality]") {
  const Matrix<double> X = test::golden("sheet_X.csv").topRows(140);
  const Matrix<double> Y = test::golden("isomap_sheet.csv").leftCols(2);
  std::vector<int> classes;
  for (Index i = 0; i < 140; ++i) classes.push_back((X(i, 0) > 0 ? 1 : 0) + (X(i, 1) > 1 ? 2 : 0));
  const Matrix<double> golden = test::golden("quality_neighbors.csv");
  REQUIRE(golden.rows() == 5);
  for (Index row = 0; row < golden.rows(); ++row) {
    const auto k = static_cast<Index>(golden(row, 0));
    CAPTURE(k);
    CHECK_THAT(trustworthiness(X, Y, k), WithinAbs(golden(row, 1), 1e-14));
    CHECK_THAT(continuity(X, Y, k), WithinAbs(golden(row, 2), 1e-14));
    CHECK_THAT(knn_label_score(X, classes, k), WithinAbs(golden(row, 3), 1e-14));
    CHECK_THAT(knn_label_score(Y, classes, k), WithinAbs(golden(row, 4), 1e-14));
  }
}

TEST_CASE("measures of neighbourhoods agree with their definitions, ties included", "[quality]") {
  const Index k = GENERATE(1, 2, 7, 29);
  const Matrix<double> X = test::gaussian<double>(60, 4, 1), Y = test::gaussian<double>(60, 2, 2);
  const Matrix<double> X_grid = X.array().round(), Y_grid = Y.array().round();
  const std::vector<int> labels = some_labels(60, 4, 3);
  CAPTURE(k);
  CHECK_THAT(knn_recall(X, Y, k), WithinAbs(recall_by_definition(X, Y, k), 1e-14));
  CHECK_THAT(knn_recall(X_grid, Y_grid, k),
             WithinAbs(recall_by_definition(X_grid, Y_grid, k), 1e-14));
  CHECK_THAT(knn_label_score(Y, labels, k), WithinAbs(score_by_definition(Y, labels, k), 1e-14));
  CHECK_THAT(knn_label_score(Y_grid, labels, k),
             WithinAbs(score_by_definition(Y_grid, labels, k), 1e-14));
  CHECK(continuity(X_grid, Y_grid, k) == trustworthiness(Y_grid, X_grid, k));
  CHECK(continuity(X, Y, k) != trustworthiness(X, Y, k));
}

TEST_CASE("a fold is continuous, a cut can be trusted", "[quality]") {
  Matrix<double> line(200, 1), folded(200, 1), cut(200, 1);
  for (Index i = 0; i < 200; ++i) {
    line(i) = static_cast<double>(i);
    folded(i) = std::abs(static_cast<double>(i) - 99.7);
    cut(i) = static_cast<double>(i) + (i >= 100 ? 1000 : 0);
  }
  CHECK(continuity(line, folded, 5) > 0.95);
  CHECK(trustworthiness(line, folded, 5) < 0.8);
  CHECK(trustworthiness(line, cut, 5) > continuity(line, cut, 5));
  CHECK(knn_recall(line, folded, 5) < 0.7);
  CHECK(knn_recall(line, cut, 5) > 0.95);
}

TEST_CASE("what keeps all neighbours has recall 1, a random embedding k / (n - 1)", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(500, 3, 5), Y = test::gaussian<double>(500, 2, 6);
  CHECK(knn_recall(X, (-2 * X).eval(), 9) == 1);
  CHECK(continuity(X, X.cast<float>().eval(), 9) == 1);
  CHECK(knn_recall(X, Y, 499) == 1);
  CHECK_THAT(knn_recall(X, Y, 50), WithinAbs(50.0 / 499, 0.01));
  CHECK_THAT(continuity(X, Y, 20), WithinAbs(0.5, 0.02));
}

TEST_CASE("labels of any kind can be scored, and ties go to the first", "[quality]") {
  Matrix<double> Y(4, 1);
  Y << 0, 1, 10, 11;
  CHECK(knn_label_score(Y, std::vector<int>{1, 1, 2, 2}, 1) == 1);
  CHECK(knn_label_score(Y, std::vector<int>{1, 2, 1, 2}, 1) == 0);
  const std::vector<std::string> words{"a", "a", "b", "b"};
  CHECK(knn_label_score(Y, words, 1) == 1);
  CHECK(knn_label_score(Y, words, 3) == 0);  // one like it, two of the others
  // With two neighbours each point of the first pair has one vote for a and one for b.
  CHECK(knn_label_score(Y, words, 2) == 0.5);
  CHECK(knn_label_score(Y, std::vector<std::string>{"z", "z", "b", "b"}, 2) == 0.5);
}

TEST_CASE("a sample of points estimates, with a seed", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(1500, 4, 1);
  const Matrix<double> Y = X.leftCols(2);
  const std::vector<int> labels = some_labels(1500, 3, 4);
  const Parallel parallel;
  const Sampling some{400, 7}, other{400, 8};
  const auto check = [&](double exact, double sampled, double again, double otherwise) {
    CHECK(sampled == again);
    CHECK(sampled != exact);
    CHECK(sampled != otherwise);
    CHECK_THAT(sampled, WithinAbs(exact, 4 * 0.5 / std::sqrt(400.0)));
    CHECK_THAT(otherwise, WithinAbs(exact, 4 * 0.5 / std::sqrt(400.0)));
  };
  check(trustworthiness(X, Y, 10), trustworthiness(X, Y, 10, parallel, some),
        trustworthiness(X, Y, 10, parallel, some), trustworthiness(X, Y, 10, parallel, other));
  check(continuity(X, Y, 10), continuity(X, Y, 10, parallel, some),
        continuity(X, Y, 10, parallel, some), continuity(X, Y, 10, parallel, other));
  check(knn_recall(X, Y, 10), knn_recall(X, Y, 10, parallel, some),
        knn_recall(X, Y, 10, parallel, some), knn_recall(X, Y, 10, parallel, other));
  check(knn_label_score(Y, labels, 10), knn_label_score(Y, labels, 10, parallel, some),
        knn_label_score(Y, labels, 10, parallel, some),
        knn_label_score(Y, labels, 10, parallel, other));
  CHECK(knn_recall(X, Y, 10, parallel, {1500, 3}) == knn_recall(X, Y, 10));
  CHECK(knn_recall(X, Y, 10, parallel, {9999, 3}) == knn_recall(X, Y, 10));
}

TEST_CASE("measures of neighbourhoods have the same bytes for any number of threads",
          "[quality][contract56]") {
  const Matrix<double> X = test::gaussian<double>(333, 5, 1), Y = test::gaussian<double>(333, 2, 2);
  const std::vector<int> labels = some_labels(333, 3, 4);
  const Parallel one(1), many(5);
  CHECK(continuity(X, Y, 7, one) == continuity(X, Y, 7, many));
  CHECK(knn_recall(X, Y, 7, one) == knn_recall(X, Y, 7, many));
  CHECK(knn_label_score(Y, labels, 7, one) == knn_label_score(Y, labels, 7, many));
}

TEST_CASE("measures of neighbourhoods refuse what they cannot measure", "[quality]") {
  const Matrix<double> X = test::gaussian<double>(10, 3), Y = X.leftCols(2);
  const std::vector<int> labels(10, 1);
  CHECK_THROWS_AS(continuity(X, Y, 5), ParameterError);
  CHECK_THROWS_AS(continuity(X, Y.topRows(9), 2), DimensionError);
  for (const Index k : {Index{0}, Index{-1}, Index{10}}) {
    CHECK_THROWS_AS(knn_recall(X, Y, k), ParameterError);
    CHECK_THROWS_AS(knn_label_score(X, labels, k), ParameterError);
  }
  CHECK_NOTHROW(knn_recall(X, Y, 9));
  CHECK_THROWS_AS(knn_recall(X, Y.topRows(9), 2), DimensionError);
  CHECK_THROWS_AS(knn_label_score(X, std::vector<int>(9, 1), 2), DimensionError);
  CHECK_THROWS_AS(knn_recall(X, Y, 2, Parallel(1), {-1, 0}), ParameterError);
  Matrix<double> bad = X;
  bad(3, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(knn_recall(bad, Y, 2), DataError);
  CHECK_THROWS_AS(continuity(X, bad, 2), DataError);
  CHECK_THROWS_AS(knn_label_score(bad, labels, 2), DataError);
  try {
    continuity(X, Y, 5);
  } catch (const ParameterError& error) {
    CHECK(std::string(error.what()).find("continuity: n_neighbors must be in [1, 4], got 5") == 0);
  }
}
