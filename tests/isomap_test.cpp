#include "unfurl/isomap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "differential/estimators.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/matrix.hpp"
#include "unfurl/classical_mds.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/isomap_sweep.hpp"
#include "unfurl/quality/procrustes.hpp"

using namespace unfurl;
using test::max_abs_diff;
using test::max_abs_diff_up_to_sign;

namespace {

const double infinity = std::numeric_limits<double>::infinity();

/// Edges of the textbook: i and j are joined if one is among the k nearest of the other.
Matrix<double> knn_lengths(const Matrix<double>& X, Index k) {
  const Matrix<double> D = test::pairwise_distances(X);
  Matrix<double> G = Matrix<double>::Constant(D.rows(), D.cols(), infinity);
  for (Index i = 0; i < D.rows(); ++i) {
    std::vector<Index> others;
    for (Index j = 0; j < D.rows(); ++j)
      if (j != i) others.push_back(j);
    std::sort(others.begin(), others.end(),
              [&](Index a, Index b) { return D(i, a) != D(i, b) ? D(i, a) < D(i, b) : a < b; });
    for (Index e = 0; e < k; ++e) {
      const Index j = others[static_cast<std::size_t>(e)];
      G(i, j) = G(j, i) = D(i, j);
    }
  }
  return G;
}

/// Floyd and Warshall.
Matrix<double> geodesics(Matrix<double> G) {
  G.diagonal().setZero();
  for (Index k = 0; k < G.rows(); ++k)
    for (Index j = 0; j < G.cols(); ++j)
      for (Index i = 0; i < G.rows(); ++i) G(i, j) = std::min(G(i, j), G(i, k) + G(k, j));
  return G;
}

struct Oracle {
  Matrix<double> B, V;
  Vector<double> values;  // descending
  explicit Oracle(const Matrix<double>& G) {
    const Index n = G.rows();
    const Matrix<double> J =
        Matrix<double>::Identity(n, n) - Matrix<double>::Constant(n, n, 1 / double(n));
    B = -0.5 * J * G.cwiseAbs2() * J;
    const test::DenseEigen all(B);
    values = all.eigenvalues().reverse();
    V = all.eigenvectors().rowwise().reverse();
  }
  Matrix<double> embedding(Index k) const {
    return V.leftCols(k) * values.head(k).cwiseSqrt().asDiagonal();
  }
};

double residual_variance(const Matrix<double>& G, const Matrix<double>& Y) {
  const Matrix<double> E = test::pairwise_distances(Y);
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0, n = 0;
  for (Index i = 0; i < G.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      x += G(i, j), y += E(i, j), ++n;
      xx += G(i, j) * G(i, j), yy += E(i, j) * E(i, j), xy += G(i, j) * E(i, j);
    }
  const double c = xy - x * y / n;
  return 1 - c * c / ((xx - x * x / n) * (yy - y * y / n));
}

template <class Scalar>
NeighborList<Scalar> path_lists(const std::vector<double>& lengths) {
  const auto n = static_cast<Index>(lengths.size()) + 1;
  std::vector<Index> counts(static_cast<std::size_t>(n), 2);
  counts.front() = counts.back() = 1;
  NeighborList<Scalar> list(counts);
  for (Index i = 0; i < n; ++i) {
    Index e = 0;
    if (i > 0) {
      list.indices(i)[e] = static_cast<int>(i - 1);
      list.distances(i)[e++] = static_cast<Scalar>(lengths[static_cast<std::size_t>(i - 1)]);
    }
    if (i + 1 < n) {
      list.indices(i)[e] = static_cast<int>(i + 1);
      list.distances(i)[e] = static_cast<Scalar>(lengths[static_cast<std::size_t>(i)]);
    }
  }
  return list;
}

/// Two separate clouds of 30 and 20 points.
Matrix<double> two_clouds() {
  Matrix<double> X = test::gaussian<double>(50, 2, 4);
  X.bottomRows(20).col(0).array() += 40;
  return X;
}

}  // namespace

TEMPLATE_TEST_CASE("Isomap equals the dense textbook version", "[isomap]", float, double) {
  using Scalar = TestType;
  const Index n = GENERATE(40, 300, 520);  // above 400 the eigenpairs come from Lanczos
  const Index k = GENERATE(8, 12);
  CAPTURE(n, k);
  const Matrix<Scalar> X = swiss_roll<Scalar>(n, 3).points;
  const Matrix<double> G = geodesics(knn_lengths(X.template cast<double>(), k));
  REQUIRE(G.allFinite());
  const Oracle oracle(G);
  IsomapOptions options;
  options.n_neighbors = k;
  options.n_components = 3;
  Isomap<Scalar> isomap(options);
  isomap.fit(X);
  const double scale = oracle.embedding(3).cwiseAbs().maxCoeff();
  CHECK(max_abs_diff_up_to_sign(isomap.embedding(), oracle.embedding(3)) <
        scale * test::tol<Scalar>(1e-10));
  CHECK(max_abs_diff(isomap.eigenvalues(), oracle.values.head(3)) <
        oracle.values(0) * test::tol<Scalar>(1e-12));
  CHECK(max_abs_diff(isomap.geodesic_distances(), G) < scale * test::tol<Scalar>(1e-13));
  for (Index d = 1; d <= 3; ++d)
    CHECK(std::abs(isomap.residual_variance()(d - 1) - residual_variance(G, oracle.embedding(d))) <
          (n * n > 2000000 ? 1e-2 : test::tol<Scalar>(1e-9)));
  const double rest = oracle.B.squaredNorm() - oracle.values.head(3).squaredNorm();
  CHECK(std::abs(isomap.reconstruction_error() / (std::sqrt(rest) / double(n)) - 1) <
        test::tol<Scalar>(1e-8));
  const double negative = -oracle.values.cwiseMin(0.0).sum();
  CHECK(std::abs(isomap.report().negative_mass - negative / oracle.values.cwiseAbs().sum()) < 1e-5);
  CHECK(isomap.report().certified);
  CHECK(isomap.report().graph_components == 1);
}

TEST_CASE("Isomap by hops counts edges", "[isomap]") {
  const Matrix<double> X = swiss_roll(200, 3).points;
  Matrix<double> G = knn_lengths(X, 8);
  G = geodesics((G.array() < infinity).select(1.0, G));
  IsomapOptions options;
  options.n_neighbors = 8;
  options.path = Path::hops;
  Isomap<> isomap(options);
  isomap.fit(X);
  CHECK(test::same_bytes(isomap.geodesic_distances(), G));
  CHECK(max_abs_diff_up_to_sign(isomap.embedding(), Oracle(G).embedding(2)) < 1e-9);
  CHECK(max_abs_diff(isomap.transform(X), isomap.embedding()) < 1e-9);
}

TEST_CASE("Isomap on an epsilon graph", "[isomap]") {
  const Matrix<double> X = swiss_roll(300, 3).points;
  const Matrix<double> D = test::pairwise_distances(X);
  IsomapOptions options;
  options.radius = 4.5;
  Isomap<> isomap(options);
  isomap.fit(X);
  const Matrix<double> G = geodesics((D.array() <= 4.5).select(D, infinity));
  CHECK(max_abs_diff(isomap.geodesic_distances(), G) < 1e-12);
  CHECK(max_abs_diff_up_to_sign(isomap.embedding(), Oracle(G).embedding(2)) < 1e-9);
  Isomap<> by_distances(options);
  by_distances.fit_distances(D);
  CHECK(max_abs_diff(by_distances.embedding(), isomap.embedding()) < 1e-9);
  CHECK(max_abs_diff(by_distances.transform_distances(D.topRows(9)),
                     isomap.embedding().topRows(9)) < 1e-9);
  // A new point out of everyone's reach is joined to the nearest sample.
  Matrix<double> far = X.topRows(1);
  far(0, 1) += 100;
  CHECK(isomap.transform(far).allFinite());
}

TEST_CASE("Isomap with every pair joined is classical scaling", "[isomap][anchorB1]") {
  const Matrix<double> X = test::gaussian<double>(60, 5, 3);
  IsomapOptions options;
  options.n_neighbors = 59;
  options.n_components = 4;
  Isomap<> isomap(options);
  ClassicalMDSOptions same;
  same.n_components = 4;
  ClassicalMDS<> mds(same);
  CHECK(max_abs_diff(isomap.fit(X).embedding(), mds.fit(X).embedding()) < 1e-10);
}

TEMPLATE_TEST_CASE("Isomap lays out a chain by its length", "[isomap][anchorB2]", float, double) {
  using Scalar = TestType;
  std::vector<double> lengths;
  Random random(3);
  Vector<double> position = Vector<double>::Zero(30);
  for (Index i = 1; i < 30; ++i) {
    lengths.push_back(0.1 + random.uniform());
    position(i) = position(i - 1) + lengths.back();
  }
  position.array() -= position.mean();
  IsomapOptions options;
  options.n_components = 2;
  Isomap<Scalar> isomap(options);
  isomap.fit_neighbors(path_lists<Scalar>(lengths));
  const Matrix<double> expected = position;
  CHECK(max_abs_diff_up_to_sign(isomap.embedding().leftCols(1), expected) <
        test::tol<Scalar>(1e-12));
  CHECK(std::abs(static_cast<double>(isomap.eigenvalues()(0)) - position.squaredNorm()) <
        position.squaredNorm() * test::tol<Scalar>(1e-13));
  CHECK(isomap.eigenvalues()(1) == 0);  // contract 26: zero up to rounding is zero
  CHECK(isomap.embedding().col(1).isZero(0));
  CHECK(isomap.residual_variance()(0) < 1e-10);
  CHECK_THROWS_AS(isomap.transform(Matrix<Scalar>::Ones(1, 2)), NotFittedError);
}

TEST_CASE("Isomap straightens a helix", "[isomap][anchorB3]") {
  Matrix<double> X(120, 3);
  Vector<double> arc(120);
  for (Index i = 0; i < 120; ++i) {
    const double t = 6 * 3.14159265358979 * double(i) / 119;
    X.row(i) << std::cos(t), std::sin(t), 0.3 * t;
    arc(i) = i == 0 ? 0 : arc(i - 1) + (X.row(i) - X.row(i - 1)).norm();
  }
  arc.array() -= arc.mean();
  IsomapOptions options;
  options.n_neighbors = 2;
  options.n_components = 1;
  Isomap<> isomap(options);
  const Matrix<double> expected = arc;
  CHECK(max_abs_diff_up_to_sign(isomap.fit(X).embedding(), expected) < 1e-3 * arc.maxCoeff());
}

TEST_CASE("Isomap unrolls the Swiss roll", "[isomap]") {
  const Dataset<> roll = swiss_roll(1500);
  Isomap<> isomap;
  isomap.fit(roll.points);
  CHECK(procrustes_disparity(isomap.embedding(), roll.coordinates) < 1e-3);
  CHECK(isomap.residual_variance()(1) < 1e-3);
  CHECK(isomap.residual_variance()(0) > 5e-3);
  CHECK(isomap.report().certified);

  // New points come to lie on the sheet, and training points where they were.
  const Dataset<> fresh = swiss_roll(300, 9);
  Matrix<double> both(1800, 2), truth(1800, 2);
  both << isomap.embedding(), isomap.transform(fresh.points);
  truth << roll.coordinates, fresh.coordinates;
  CHECK(procrustes_disparity(both, truth) < 2e-3);
  const double scale = isomap.embedding().cwiseAbs().maxCoeff();
  CHECK(max_abs_diff(isomap.transform(roll.points), isomap.embedding()) < 1e-10 * scale);

  IsomapOptions options;
  options.n_landmarks = 150;
  Isomap<> landmark(options);
  landmark.fit(roll.points);
  CHECK(landmark.landmarks().size() == 150);
  CHECK(procrustes_disparity(landmark.embedding(), roll.coordinates) < 5e-3);
  CHECK(max_abs_diff(landmark.transform(roll.points), landmark.embedding()) < 1e-10 * scale);
  const Matrix<double> G = isomap.geodesic_distances(), L = landmark.geodesic_distances();
  for (Index s : {0, 77, 149})
    CHECK(max_abs_diff(L.col(s), G.col(landmark.landmarks()[static_cast<std::size_t>(s)])) < 1e-9);
  options.n_landmarks = 1500;
  CHECK(test::same_bytes(Isomap<>(options).fit_transform(roll.points), isomap.embedding()));
}

TEST_CASE("Isomap places new points by their geodesics", "[isomap]") {
  const Matrix<double> all = swiss_roll(260, 5).points, X = all.topRows(250),
                       X_new = all.bottomRows(10);
  IsomapOptions options;
  options.n_neighbors = 9;
  Isomap<> isomap(options);
  isomap.fit(X);
  const Matrix<double> G = geodesics(knn_lengths(X, 9));
  const Oracle oracle(G);
  Matrix<double> D(10, 250), expected(10, 2);
  for (Index i = 0; i < 10; ++i) {
    std::vector<std::pair<double, Index>> near;
    for (Index j = 0; j < 250; ++j) {
      D(i, j) = (X_new.row(i) - X.row(j)).norm();
      near.emplace_back(D(i, j), j);
    }
    std::sort(near.begin(), near.end());
    Vector<double> b = Vector<double>::Constant(250, infinity);
    for (Index e = 0; e < 9; ++e)
      b = b.cwiseMin(G.col(near[std::size_t(e)].second) +
                     Vector<double>::Constant(250, near[std::size_t(e)].first));
    b = 0.5 * (G.cwiseAbs2().colwise().mean().transpose() - b.cwiseAbs2());
    for (Index k = 0; k < 2; ++k)
      expected(i, k) = isomap.embedding().col(k).dot(b) / oracle.values(k);
  }
  CHECK(max_abs_diff(isomap.transform(X_new), expected) < 1e-8);
  CHECK(max_abs_diff(isomap.transform_distances(D), expected) < 1e-8);
  CHECK_THROWS_AS(isomap.transform_distances(D.leftCols(9)), DimensionError);
}

TEST_CASE("Isomap gives what scikit-learn gives", "[isomap]") {
  const Matrix<double> sheet = test::golden("sheet_X.csv");
  IsomapOptions options;
  options.n_neighbors = 8;
  options.n_components = 3;
  Isomap<> isomap(options);
  isomap.fit(sheet.topRows(140));
  Matrix<double> theirs(160, 3), ours(160, 3);
  theirs << test::golden("isomap_sheet.csv"), test::golden("isomap_sheet_new.csv");
  ours << isomap.embedding(), isomap.transform(sheet.bottomRows(20));
  // scikit-learn finds no training point among the neighbours of a new one twice, so both agree.
  CHECK(max_abs_diff_up_to_sign(ours, theirs) < 1e-9);
  const Matrix<double> numbers = test::golden("isomap_sheet_numbers.csv");
  CHECK(max_abs_diff(isomap.eigenvalues().transpose(), numbers.leftCols(3)) < 1e-9 * numbers(0));
  CHECK(std::abs(isomap.reconstruction_error() - numbers(3)) < 1e-9 * numbers(3));
}

TEST_CASE("One search or one distance matrix serves Isomap as well", "[isomap]") {
  const Matrix<double> X = swiss_roll(150, 2).points;
  Isomap<> a, b, c;
  a.fit(X);
  b.fit_neighbors(knn(X, 10));
  c.fit_distances(test::pairwise_distances(X));
  CHECK(test::same_bytes(a.embedding(), b.embedding()));
  CHECK(max_abs_diff(a.embedding(), c.embedding()) < 1e-9);
  CHECK(b.n_features() == 0);
  const Matrix<double> D = test::pairwise_distances(X).topRows(20);
  CHECK(max_abs_diff(b.transform_distances(D), a.embedding().topRows(20)) < 1e-9);
  CHECK_THROWS_AS(c.fit_distances(D), DataError);
}

TEST_CASE("A graph in pieces is an error unless asked otherwise", "[isomap][contract35]") {
  const Matrix<double> X = two_clouds();
  IsomapOptions options;
  options.n_neighbors = 5;
  try {
    Isomap<>(options).fit_transform(X);
    FAIL("nothing was thrown");
  } catch (const DisconnectedGraphError& error) {
    const std::string text = error.what();
    CHECK(text.find("2 connected components, of sizes 30 and 20") != std::string::npos);
    CHECK(text.find("on_disconnected") != std::string::npos);
  }

  options.on_disconnected = OnDisconnected::largest_component;
  Isomap<> part(options);
  part.fit(X);
  REQUIRE(part.kept_samples().size() == 30);
  for (Index i = 0; i < 30; ++i) CHECK(part.kept_samples()[std::size_t(i)] == i);
  CHECK(part.n_samples() == 30);
  CHECK(part.report().graph_components == 2);
  const Matrix<double> kept = X.topRows(30);
  IsomapOptions plain;
  plain.n_neighbors = 5;
  CHECK(test::same_bytes(part.embedding(), Isomap<>(plain).fit_transform(kept)));
  CHECK(max_abs_diff(part.transform(kept), part.embedding()) < 1e-10);

  options.on_disconnected = OnDisconnected::bridge;
  Isomap<> joined(options);
  joined.fit(X);
  CHECK(joined.embedding().rows() == 50);
  CHECK(joined.embedding().allFinite());
  CHECK(joined.kept_samples().empty());
  const Matrix<double> D = test::pairwise_distances(X);
  const double gap = D.topRightCorner(30, 20).minCoeff();
  CHECK(std::abs(joined.geodesic_distances().topRightCorner(30, 20).minCoeff() - gap) < 1e-12);
  CHECK_THROWS_AS(joined.fit_neighbors(knn(X, 5)), ParameterError);
  CHECK(max_abs_diff(joined.fit_distances(D).embedding(), Isomap<>(options).fit_transform(X)) <
        1e-9);

  options.on_disconnected = OnDisconnected::allow;
  CHECK_THROWS_AS(Isomap<>(options).fit_transform(X), ParameterError);
}

TEST_CASE("Duplicates are at distance zero", "[isomap][contract31][contract33]") {
  Matrix<double> X = swiss_roll(120, 2).points;
  for (Index i = 0; i < 40; ++i) X.row(i + 40) = X.row(i);
  IsomapOptions options;
  options.n_neighbors = 8;
  options.on_disconnected = OnDisconnected::bridge;
  Isomap<> isomap(options);
  isomap.fit(X);
  CHECK(isomap.geodesic_distances()(3, 43) == 0);
  CHECK((isomap.embedding().topRows(40) - isomap.embedding().middleRows(40, 40))
            .cwiseAbs()
            .maxCoeff() < 1e-10);
}

TEST_CASE("Negative eigenvalues are reported or refused", "[isomap][contract27][contract28]") {
  Matrix<double> X(200, 2);
  for (Index i = 0; i < 200; ++i) {
    const double t = 2 * 3.14159265358979323846 * double(i) / 200;
    X.row(i) << std::cos(t), std::sin(t);
  }
  IsomapOptions options;
  options.n_neighbors = 2;
  Isomap<> circle(options);
  circle.fit(X);
  CHECK(std::abs(circle.eigenvalues()(0) / 200 - 1) < 1e-3);  // anchor A4
  CHECK(std::abs(circle.eigenvalues()(1) / 200 - 1) < 1e-3);
  CHECK(circle.report().negative_mass > 0.1);
  options.n_components = 150;
  try {
    Isomap<>(options).fit_transform(X);
    FAIL("nothing was thrown");
  } catch (const NumericalError& error) {
    CHECK(std::string(error.what()).find("of 150 requested eigenvalues are positive") !=
          std::string::npos);
  }
}

TEST_CASE("Options of Isomap are checked", "[isomap][contract9][contract29][contract30]") {
  const Matrix<double> X = swiss_roll(30, 2).points;
  const auto refused = [&](auto&& change) {
    IsomapOptions options;
    change(options);
    try {
      Isomap<>(options).fit_transform(X);
    } catch (const ParameterError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refused([](auto& o) {
          o.n_neighbors = 30;
        }).find("n_neighbors must be in [1, 29], got 30") != std::string::npos);
  for (const Index k : {Index{0}, Index{-3}})
    CHECK(refused([&](auto& o) { o.n_neighbors = k; }).find("n_neighbors") != std::string::npos);
  for (const double r : {0.0, -1.0, nan, infinity})
    CHECK(refused([&](auto& o) { o.radius = r; }).find("radius") != std::string::npos);
  for (const Index l : {Index{-1}, Index{2}, Index{31}})
    CHECK(refused([&](auto& o) { o.n_landmarks = l; }).find("n_landmarks") != std::string::npos);
  Isomap<> isomap;
  CHECK_THROWS_AS(isomap.fit_neighbors(NeighborList<double>(1, 0)), DataError);
}

TEST_CASE("A sweep shows short circuits and lost points together", "[isomap][sweep]") {
  const Matrix<double> X = swiss_roll(600, 1).points;
  const IsomapSweep sweep = sweep_radius(X, {30.0, 1.0, 3.5, 8.0, 14.0});
  REQUIRE(sweep.points.size() == 5);
  for (std::size_t i = 1; i < 5; ++i) {
    CHECK(sweep.points[i].value > sweep.points[i - 1].value);
    CHECK(sweep.points[i].n_edges >= sweep.points[i - 1].n_edges);
    CHECK(sweep.points[i].n_graph_components <= sweep.points[i - 1].n_graph_components);
    CHECK(sweep.points[i].fraction_outside <= sweep.points[i - 1].fraction_outside);
  }
  CHECK(sweep.points[0].fraction_outside > 0.5);    // too small: dust
  CHECK(sweep.points[4].residual_variance > 0.05);  // too large: through the air
  CHECK(sweep.suggestion == 3.5);
  for (const auto& point : sweep.points) {
    if (point.n_graph_components > 1) continue;
    IsomapOptions options;
    options.radius = point.value;
    Isomap<> isomap(options);
    isomap.fit(X);
    CHECK(std::abs(isomap.residual_variance()(1) - point.residual_variance) < 1e-9);
    CHECK(isomap.graph().n_edges() == point.n_edges);
  }

  const IsomapSweep counts = sweep_neighbors(X, {5, 10, 60});
  for (const auto& point : counts.points) {
    IsomapOptions options;
    options.n_neighbors = static_cast<Index>(point.value);
    options.on_disconnected = OnDisconnected::largest_component;
    Isomap<> isomap(options);
    isomap.fit(X);
    CHECK(std::abs(isomap.residual_variance()(1) - point.residual_variance) < 1e-9);
    CHECK(std::abs(1 - double(isomap.n_samples()) / 600 - point.fraction_outside) < 1e-12);
  }
  CHECK(counts.suggestion < 60);
  CHECK_THROWS_AS(sweep_radius(X, {}), ParameterError);
  CHECK_THROWS_AS(sweep_radius(X, {1.0, -1.0}), ParameterError);
  CHECK_THROWS_AS(sweep_neighbors(X, {600}), ParameterError);
}

TEST_CASE("Isomap gives the same answer by every route",
          "[isomap][differential][contract12][contract18][contract56]") {
  IsomapOptions options;
  test::Routes routes{"isomap"};
  routes.keeps_distances = true;
  test::check_every_route<Isomap<float>, Isomap<double>>(options, routes);
}

TEST_CASE("Isomap of many samples keeps geodesics in float, for new points too",
          "[isomap][contract61]") {
  const Matrix<double> X = swiss_roll(4200).points;
  Isomap<> isomap;
  const Matrix<double> Y = isomap.fit_transform(X);
  const auto& notes = isomap.report().notes;
  CHECK(std::find(notes.begin(), notes.end(), "geodesics in float") != notes.end());
  const Matrix<double> again = isomap.transform(X.topRows(40));
  CHECK(test::max_abs_diff(again, Y.topRows(40)) < 1e-8 * Y.cwiseAbs().maxCoeff());
  // A loaded model has no geodesics and walks.
  std::stringstream stream;
  isomap.save(stream);
  CHECK(test::same_bytes(Isomap<>::load(stream).transform(X.topRows(40)), again));
}
