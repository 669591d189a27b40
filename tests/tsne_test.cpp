#include "unfurl/tsne.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "differential/estimators.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/datasets/blobs.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/quality/trustworthiness.hpp"

using namespace unfurl;

namespace {

Dataset<> five_blobs(Index n, std::uint64_t seed = 1) {
  BlobsOptions options;
  options.n_centers = 5;
  options.n_features = 8;
  options.seed = seed;
  return blobs(n, options);
}

/// The fraction of samples whose nearest other has their label.
double purity(const Matrix<double>& Y, const std::vector<int>& labels) {
  const auto nearest = knn(Y, 1);
  double same = 0;
  for (Index i = 0; i < Y.rows(); ++i)
    same += labels[std::size_t(i)] == labels[std::size_t(nearest.indices(i)[0])] ? 1 : 0;
  return same / double(Y.rows());
}

}  // namespace

TEMPLATE_TEST_CASE("TSNE keeps neighbourhoods by either method", "[tsne]", float, double) {
  using Scalar = TestType;
  const Dataset<> data = five_blobs(600);
  const Matrix<Scalar> X = data.points.template cast<Scalar>();
  std::vector<double> divergences;
  for (const TSNEMethod method : {TSNEMethod::exact, TSNEMethod::barnes_hut, TSNEMethod::fft}) {
    TSNEOptions options;
    options.method = method;
    options.max_iter = 500;
    TSNE<Scalar> tsne(options);
    tsne.fit(X);
    divergences.push_back(tsne.kl_divergence());
    CHECK(trustworthiness(X, tsne.embedding()) > 0.95);
    CHECK(purity(tsne.embedding().template cast<double>(), data.labels) == 1);
    CHECK(tsne.n_iter() == 500);
    CHECK(tsne.learning_rate() == 50);
    CHECK_FALSE(tsne.stopped_early());
    CHECK(tsne.embedding().colwise().mean().cwiseAbs().maxCoeff() < 1e-3);
  }
  CHECK(std::abs(divergences[1] / divergences[0] - 1) < 0.05);
  CHECK(std::abs(divergences[2] / divergences[0] - 1) < 0.05);
}

TEST_CASE("TSNE from distances, lists and affinities", "[tsne]") {
  const Matrix<double> X = five_blobs(150).points;
  TSNEOptions options;
  options.init = TSNEInit::random;
  options.perplexity = 15;
  options.max_iter = 10;  // before rounding is magnified
  TSNE<> points(options), distances(options), lists(options), affinity(options);
  points.fit(X);
  distances.fit_distances(test::pairwise_distances(X));
  lists.fit_neighbors(knn(X, 45));
  const auto conditional = detail::conditional_affinities(knn(X, 45), {15.0}, Parallel(1));
  affinity.fit_affinity(detail::joint_affinities(conditional.lists, Parallel(1), "test"));
  CHECK(test::same_bytes(points.embedding(), lists.embedding()));
  CHECK(test::max_abs_diff(points.embedding(), affinity.embedding()) < 1e-9);
  CHECK(test::max_abs_diff(points.embedding(), distances.embedding()) < 1e-9);
  const Matrix<double> D = test::pairwise_distances(X).topRows(10);
  CHECK(test::max_abs_diff(lists.transform_distances(D), points.transform(X.topRows(10))) < 1e-3);
  CHECK_THROWS_AS(lists.transform(X), NotFittedError);
  CHECK_THROWS_AS(lists.fit_neighbors(knn(X, 9)), DataError);
  NeighborList<double> repeated = knn(X, 45);
  repeated.indices(3)[7] = repeated.indices(3)[20];
  CHECK_THROWS_AS(lists.fit_neighbors(repeated), DataError);
}

TEST_CASE("TSNE may start anywhere", "[tsne]") {
  const Dataset<> data = five_blobs(300);
  TSNEOptions options;
  options.max_iter = 400;
  for (const TSNEInit init : {TSNEInit::pca, TSNEInit::random, TSNEInit::spectral}) {
    options.init = init;
    options.method = TSNEMethod::exact;
    TSNE<> tsne(options);
    tsne.fit(swiss_roll(300, 1).points);
    CHECK(tsne.kl_divergence() > 0);
    CHECK(tsne.kl_divergence() < 0.6);
  }
  options.init = TSNEInit::custom;
  CHECK_THROWS_AS(TSNE<>(options).fit_transform(data.points), DimensionError);
  options.custom_init = test::gaussian<double>(300, 2) * 1e-3;
  options.max_iter = 1;
  options.learning_rate = 1e-9;
  CHECK(test::max_abs_diff(TSNE<>(options).fit_transform(data.points),
                           options.custom_init.rowwise() - options.custom_init.colwise().mean()) <
        1e-6);
}

TEST_CASE("TSNE in one and three dimensions", "[tsne]") {
  const Dataset<> data = five_blobs(520);
  for (const Index d : {1, 3}) {
    TSNEOptions options;
    options.n_components = d;
    options.max_iter = 300;
    TSNE<> tsne(options);
    tsne.fit(data.points);
    CHECK(purity(tsne.embedding(), data.labels) > 0.98);
    CHECK(tsne.transform(data.points.topRows(3)).cols() == d);
  }
}

TEST_CASE("New points come to lie among their neighbours", "[tsne][anchorF10]") {
  const Dataset<> all = five_blobs(800);
  const Matrix<double> X = all.points.topRows(600), X_new = all.points.bottomRows(200);
  TSNEOptions options;
  options.max_iter = 400;
  TSNE<> tsne(options);
  tsne.fit(X);
  const Matrix<double> before = tsne.embedding(), placed = tsne.transform(X_new);
  CHECK(test::same_bytes(tsne.embedding(), before));
  CHECK(test::same_bytes(tsne.transform(X_new.topRows(77)), placed.topRows(77)));
  CHECK(test::same_bytes(tsne.transform(X_new.bottomRows(123)), placed.bottomRows(123)));
  Matrix<double> both(800, 2);
  both << before, placed;
  CHECK(purity(both, all.labels) > 0.99);
  // A training sample lands within the spread of its nearest neighbours.
  const Matrix<double> again = tsne.transform(X);
  const auto near = knn(X, 15);
  Index inside = 0;
  for (Index i = 0; i < 600; ++i) {
    double spread = 0;
    for (Index e = 0; e < 15; ++e)
      spread = std::max(spread, (before.row(near.indices(i)[e]) - before.row(i)).norm());
    inside += (again.row(i) - before.row(i)).norm() <= spread ? 1 : 0;
  }
  CHECK(inside == 600);
}

TEST_CASE("A descent can be continued, and continues as if it had not been interrupted", "[tsne]") {
  const Matrix<double> X = five_blobs(550).points;
  for (const TSNEMethod method : {TSNEMethod::exact, TSNEMethod::barnes_hut, TSNEMethod::fft}) {
    TSNEOptions options;
    options.method = method;
    options.max_iter = 120;
    options.early_exaggeration_iter = 60;
    TSNE<> whole(options), parts(options), stopped(options);
    whole.fit(X);
    options.max_iter = 40;
    parts = TSNE<>(options);
    parts.fit(X).run_until(80).run_until(120).run_until(100);
    CHECK(parts.n_iter() == 120);
    CHECK(parts.report().peak_bytes > 0);
    CHECK(test::same_bytes(parts.embedding(), whole.embedding()));
    CHECK(parts.kl_divergence() == whole.kl_divergence());
    options.max_iter = 120;
    Index stop_at = 50;
    options.progress = [&](const Progress& p) {
      return p.iteration == stop_at ? Control::stop : Control::proceed;
    };
    stopped = TSNE<>(options);
    stopped.fit(X);
    CHECK(stopped.n_iter() == 50);
    CHECK(stopped.stopped_early());
    stop_at = -1;
    stopped.run_until(120);
    CHECK_FALSE(stopped.stopped_early());
    CHECK(test::same_bytes(stopped.embedding(), whole.embedding()));
  }
  TSNE<> nothing;
  CHECK_THROWS_AS(nothing.run_until(10), NotFittedError);
}

TEST_CASE("Several perplexities and other tails", "[tsne]") {
  const Matrix<double> X = five_blobs(200).points;
  TSNEOptions options;
  options.max_iter = 200;
  options.perplexities = {5, 30};
  CHECK(TSNE<>(options).fit_transform(X).allFinite());
  options.perplexities.clear();
  options.degrees_of_freedom = 0.5;
  options.late_exaggeration = 2;
  CHECK(TSNE<>(options).fit_transform(X).allFinite());
}

TEST_CASE("A large perplexity takes all neighbours and is not lowered", "[tsne][contract45]") {
  const Matrix<double> X = test::gaussian<double>(40, 4);
  for (const double perplexity : {14.0, 38.5}) {
    TSNEOptions options;
    options.perplexity = perplexity;
    options.init = TSNEInit::random;
    options.max_iter = 5;
    TSNE<> points(options), lists(options);
    points.fit(X);
    lists.fit_neighbors(knn(X, 39));
    CHECK(test::same_bytes(points.embedding(), lists.embedding()));
    CHECK(points.options().perplexity == perplexity);
    CHECK(points.report().n_infeasible_perplexity == 0);
  }
  Matrix<double> half = X;
  half.topRows(30).setZero();  // which have 29 nearest neighbours: 14 cannot be met
  half.bottomRows(10).array() += 100;
  TSNEOptions options;
  options.perplexity = 14;
  options.max_iter = 5;
  TSNE<> tsne(options);
  CHECK(tsne.fit(half).report().n_infeasible_perplexity == 30);
}

TEST_CASE("Iterations and divergence are those of the map that is returned", "[tsne][contract52]") {
  const Matrix<double> X = five_blobs(120).points;
  const auto conditional = detail::conditional_affinities(knn(X, 45), {15.0}, Parallel(1));
  const SparseMatrix<double> P = detail::joint_affinities(conditional.lists, Parallel(1), "test");
  for (const Index max_iter : {1, 7, 60}) {
    TSNEOptions options;
    options.perplexity = 15;
    options.max_iter = max_iter;
    options.early_exaggeration_iter = 30;
    TSNE<> tsne(options);
    tsne.fit(X);
    CHECK(tsne.n_iter() == max_iter);
    const Matrix<double> Y = tsne.embedding().transpose();
    detail::Repulsion<double> push;
    detail::ExactRepulsion{}(Y, push, Parallel(1));
    // Without exaggeration, whether or not the last step had some.
    CHECK(std::abs(tsne.kl_divergence() -
                   detail::divergence(P, Y, 1, push.normalizer, Parallel(1))) < 1e-12);
  }
}

TEST_CASE("The learning rate follows the samples and the exaggeration", "[tsne]") {
  TSNEOptions options;
  options.max_iter = 1;
  options.early_exaggeration = 1.25;
  TSNE<> tsne(options);
  CHECK(tsne.fit(five_blobs(600).points).learning_rate() == 120);  // 600 / (4 * 1.25)
}

TEST_CASE("A regular grid stays one", "[tsne][anchorF9]") {
  Matrix<double> X(100, 2);
  for (Index i = 0; i < 100; ++i) X.row(i) << double(i % 10) / 9, double(i / 10) / 9;
  for (const TSNEMethod method : {TSNEMethod::exact, TSNEMethod::barnes_hut}) {
    TSNEOptions options;
    options.method = method;
    options.perplexity = 50;
    options.max_iter = 500;
    TSNE<> tsne(options);
    const auto nearest = knn(tsne.fit(X).embedding(), 1);
    double least = 1e300, most = 0, mean = 0;
    for (Index i = 0; i < 100; ++i) {
      const double distance = nearest.distances(i)[0];
      least = std::min(least, distance), most = std::max(most, distance), mean += distance / 100;
    }
    CHECK(least / mean > 0.5);
    CHECK(most / mean < 2);
  }
}

TEST_CASE("Small data do not collapse", "[tsne][contract49]") {
  for (const Index n : {100, 150, 200}) {
    TSNEOptions options;
    options.method = TSNEMethod::barnes_hut;
    options.max_iter = 250;
    const Matrix<double> Y = TSNE<>(options).fit_transform(test::gaussian<double>(n, 5));
    CHECK(Y.cwiseAbs().maxCoeff() > 1e-8);
  }
}

TEST_CASE("Duplicates and constant data give a finite map", "[tsne][contract34][contract47]") {
  Matrix<double> X = test::gaussian<double>(600, 4);
  X.topRows(400).setZero();
  TSNEOptions options;
  options.max_iter = 150;
  for (const TSNEMethod method : {TSNEMethod::exact, TSNEMethod::barnes_hut, TSNEMethod::fft}) {
    options.method = method;
    TSNE<> tsne(options);
    tsne.fit(X);
    CHECK(tsne.embedding().allFinite());
    CHECK(tsne.report().n_infeasible_perplexity >= 400);
    CHECK(TSNE<>(options).fit_transform(Matrix<double>::Constant(100, 3, 2)).allFinite());
  }
}

TEST_CASE("Options of TSNE are checked", "[tsne][contract9][contract44][contract50][contract51]") {
  const Matrix<double> X = test::gaussian<double>(60, 5);
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const auto refused = [&](auto&& change) {
    TSNEOptions options;
    change(options);
    CHECK_THROWS_AS(TSNE<>(options).fit_transform(X), ParameterError);
  };
  for (const double bad : {0.0, 0.9, 59.0, 100.0, nan, infinity})
    refused([&](auto& o) { o.perplexity = bad; });
  refused([](auto& o) { o.perplexities = {5, 60}; });
  for (const double bad : {0.0, 0.5, nan, infinity})
    refused([&](auto& o) { o.early_exaggeration = bad; });
  for (const double bad : {0.0, -1.0, nan, infinity})
    refused([&](auto& o) { o.learning_rate = bad; });
  for (const double bad : {-0.1, 1.1, nan}) refused([&](auto& o) { o.theta = bad; });
  for (const double bad : {0.0, -1.0, nan}) refused([&](auto& o) { o.degrees_of_freedom = bad; });
  refused([](auto& o) { o.max_iter = 0; });
  refused([](auto& o) { o.progress_every = 0; });
  refused([](auto& o) { o.n_components = 4, o.method = TSNEMethod::barnes_hut; });
  refused([](auto& o) { o.n_components = 3, o.method = TSNEMethod::fft; });
  TSNEOptions four;
  four.n_components = 4;
  four.max_iter = 20;
  CHECK(TSNE<>(four).fit_transform(X).cols() == 4);
}

TEST_CASE("TSNE gives the same answer by every route",
          "[tsne][differential][contract12][contract56]") {
  TSNEOptions options;
  options.perplexity = 8;
  options.learning_rate = 5;
  options.early_exaggeration_iter = 10;
  options.max_iter = 15;  // before rounding is magnified
  test::Routes routes{"tsne"};
  routes.fixes_signs = false;
  routes.arbitrary = {"one far outlier"};  // beside which the start is rounding
  test::check_every_route<TSNE<float>, TSNE<double>>(options, routes);
}
