#include "unfurl/lle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "differential/estimators.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/matrix.hpp"
#include "unfurl/datasets/s_curve.hpp"
#include "unfurl/neighbors/knn.hpp"

using namespace unfurl;
using test::max_abs_diff;
using test::max_abs_diff_up_to_sign;

namespace {

/// Weights of x in the given rows, by the definition.
Vector<double> textbook_weights(const Matrix<double>& X, const Vector<double>& x,
                                const std::vector<Index>& neighbors, double regularization) {
  const auto k = static_cast<Index>(neighbors.size());
  Matrix<double> C(k, X.cols());
  for (Index j = 0; j < k; ++j)
    C.row(j) = X.row(neighbors[static_cast<std::size_t>(j)]) - x.transpose();
  Matrix<double> gram = C * C.transpose();
  const double trace = gram.trace();
  gram.diagonal().array() += trace > 0 ? regularization * trace : regularization;
  const Vector<double> w = test::least_squares(gram, Vector<double>::Ones(k));
  return w / w.sum();
}

std::vector<Index> nearest_rows(const Matrix<double>& X, const Vector<double>& x, Index k,
                                Index except = -1) {
  std::vector<std::pair<double, Index>> order;
  for (Index j = 0; j < X.rows(); ++j)
    if (j != except) order.emplace_back((X.row(j).transpose() - x).norm(), j);
  std::sort(order.begin(), order.end());
  std::vector<Index> rows;
  for (Index e = 0; e < k; ++e) rows.push_back(order[static_cast<std::size_t>(e)].second);
  return rows;
}

Matrix<double> textbook_W(const Matrix<double>& X, Index k, double regularization) {
  Matrix<double> W = Matrix<double>::Zero(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    const auto rows = nearest_rows(X, X.row(i).transpose(), k, i);
    const Vector<double> w = textbook_weights(X, X.row(i).transpose(), rows, regularization);
    for (Index j = 0; j < k; ++j) W(i, rows[static_cast<std::size_t>(j)]) = w(j);
  }
  return W;
}

Matrix<double> M_of(const Matrix<double>& W) {
  const Matrix<double> A = Matrix<double>::Identity(W.rows(), W.cols()) - W;
  return A.transpose() * A;
}

NeighborList<double> ring(Index m) {
  NeighborList<double> list(m, 2);
  for (Index i = 0; i < m; ++i) {
    list.indices(i)[0] = static_cast<int>((i + 1) % m);
    list.indices(i)[1] = static_cast<int>((i + m - 1) % m);
    list.distances(i)[0] = list.distances(i)[1] = 1;
  }
  return list;
}

Matrix<double> circle_points(Index m) {
  Matrix<double> X(m, 2);
  for (Index i = 0; i < m; ++i) {
    const double t = 2 * 3.14159265358979323846 * double(i) / double(m);
    X.row(i) << std::cos(t), std::sin(t);
  }
  return X;
}

LLEOptions with(Index n_components, Index n_neighbors, double regularization = 1e-3) {
  LLEOptions options;
  options.n_components = n_components;
  options.n_neighbors = n_neighbors;
  options.regularization = regularization;
  return options;
}

}  // namespace

TEMPLATE_TEST_CASE("LLE equals the dense textbook version", "[lle]", float, double) {
  using Scalar = TestType;
  const Index n = GENERATE(60, 300, 700);  // above 400 by shift-invert
  const Matrix<Scalar> X = s_curve<Scalar>(n, 4).points;
  LLE<Scalar> lle(with(2, 10));
  lle.fit(X);
  const Matrix<double> W = textbook_W(X.template cast<double>(), 10, 1e-3);
  CHECK(max_abs_diff(Matrix<Scalar>(lle.weights()), W) < test::tol<Scalar>(1e-10));
  const Matrix<double> M = M_of(W);
  const test::DenseEigen all(M);
  const Matrix<double> expected = all.eigenvectors().middleCols(1, 2) * std::sqrt(double(n));
  CAPTURE(n, all.eigenvalues().head(5).transpose());
  CHECK(test::subspace_distance(lle.embedding(), expected) <
        (std::is_same_v<Scalar, double> ? 1e-6 : 1e-2));
  CHECK(max_abs_diff(lle.eigenvalues(), all.eigenvalues().segment(1, 2)) <
        (std::is_same_v<Scalar, double> ? 1e-12 : 1e-9));
  CHECK(std::abs(lle.reconstruction_error() - all.eigenvalues().segment(1, 2).sum()) <
        (std::is_same_v<Scalar, double> ? 1e-12 : 1e-9));
  const Matrix<double> Y = lle.embedding().template cast<double>();
  CHECK(max_abs_diff(Y.transpose() * Y / double(n), Matrix<double>::Identity(2, 2)) <
        test::tol<Scalar>(1e-10));
  CHECK(Y.colwise().mean().cwiseAbs().maxCoeff() < test::tol<Scalar>(1e-10));
  CHECK(lle.report().certified);
}

TEST_CASE("LLE gives what scikit-learn gives", "[lle][anchorE5]") {
  const Matrix<double> sheet = test::golden("sheet_X.csv");
  LLE<> lle(with(2, 9));
  lle.fit(sheet.topRows(140));
  // Its columns have norm 1.
  const double unit = std::sqrt(140.0);
  CHECK(max_abs_diff_up_to_sign(lle.embedding() / unit, test::golden("lle_sheet.csv")) < 1e-7);
  CHECK(max_abs_diff_up_to_sign(lle.transform(sheet.bottomRows(20)) / unit,
                                test::golden("lle_sheet_new.csv")) < 1e-7);
  CHECK(std::abs(lle.reconstruction_error() - test::golden("lle_sheet_error.csv")(0)) < 1e-10);
}

TEST_CASE("LLE of a ring is a circle with the known spectrum", "[lle][anchorE1]") {
  const Index m = GENERATE(50, 1001);
  const double regularization = GENERATE(1e-9, 1e-3);  // magnifies rounding the smaller it is
  LLE<> lle(with(2, 12, regularization));
  lle.fit_neighbors(ring(m), circle_points(m));
  for (Index i : {Index{0}, m / 2, m - 1})
    CHECK(std::abs(lle.weights().coeff(i, (i + 1) % m) - 0.5) <
          (regularization < 1e-3 ? 1e-8 : 1e-12));
  const double one = 1 - std::cos(2 * 3.14159265358979323846 / double(m));
  CHECK(std::abs(lle.eigenvalues()(0) - one * one) < 1e-12);
  CHECK(std::abs(lle.eigenvalues()(1) - one * one) < 1e-12);
  const Vector<double> radius = lle.embedding().rowwise().norm();
  CHECK(radius.maxCoeff() / radius.minCoeff() - 1 < 1e-6);
  CHECK(lle.report().certified);
}

TEMPLATE_TEST_CASE("Weights sum to one and M kills constants, whatever the points",
                   "[lle][anchorE2][contract42]", float, double) {
  using Scalar = TestType;
  Matrix<Scalar> X;
  const int kind = GENERATE(0, 1, 2, 3);
  if (kind == 0) X = test::gaussian<Scalar>(80, 3);  // k > d
  if (kind == 1) {                                   // many duplicates
    X = test::gaussian<Scalar>(80, 3);
    for (Index i = 0; i < 60; ++i) X.row(i + 20) = X.row(i % 20);
  }
  if (kind == 2) {  // collinear
    X = Matrix<Scalar>::Zero(80, 3);
    for (Index i = 0; i < 80; ++i) X.row(i).setConstant(static_cast<Scalar>(i));
  }
  if (kind == 3) X = Matrix<Scalar>::Constant(80, 3, Scalar(2));  // one point
  CAPTURE(kind);
  LLEOptions options = with(1, 12);
  options.on_disconnected = OnDisconnected::bridge;
  LLE<Scalar> lle(options);
  lle.fit(X);
  const Matrix<double> W = Matrix<Scalar>(lle.weights()).template cast<double>();
  CHECK((W.rowwise().sum().array() - 1).abs().maxCoeff() <
        (std::is_same_v<Scalar, double> ? 1e-12 : 1e-5));
  CHECK(lle.embedding().allFinite());
  CHECK(lle.eigenvalues().minCoeff() >= 0);
  CHECK(lle.transform(X).allFinite());
}

TEST_CASE("Weights do not change with scale, rotation and shift", "[lle][anchorE3]") {
  const Matrix<double> X = s_curve(100, 1).points;
  const Matrix<double> rotation = test::orthogonal_factor(test::gaussian<double>(3, 3));
  Matrix<double> moved = 3.7 * X * rotation;
  moved.rowwise() += Eigen::RowVector3d(5, -2, 1);
  LLE<> a, b;
  a.fit(X);
  b.fit(moved);
  CHECK(max_abs_diff(Matrix<double>(a.weights()), Matrix<double>(b.weights())) < 1e-10);
}

TEST_CASE("LLE of a plane is the plane, up to the regularisation", "[lle][anchorE4]") {
  const Matrix<double> plane = test::gaussian<double>(300, 2, 3);
  const Matrix<double> X = plane * test::gaussian<double>(2, 5, 4);
  const auto affine_residual = [&](double regularization) {
    LLE<> lle(with(2, 10, regularization));
    lle.fit(X);
    Matrix<double> basis(300, 3);
    basis << plane, Vector<double>::Ones(300);
    const Matrix<double> Y = lle.embedding();
    const Matrix<double> rest = Y - basis * test::least_squares(basis, Y);
    return rest.norm() / Y.norm();
  };
  CHECK(affine_residual(1e-3) < 0.1);
  CHECK(affine_residual(1e-9) < 1e-6);
  // Without regularisation constants and both coordinates have no error, a third has.
  LLE<> lle(with(3, 10, 1e-12));
  lle.fit(X);
  CHECK(lle.eigenvalues()(1) < 1e-14);
  CHECK(lle.eigenvalues()(2) > 1e-7);
}

TEST_CASE("LLE composes new points of their neighbours", "[lle]") {
  const Matrix<double> all = s_curve(320, 8).points, X = all.topRows(300);
  LLE<> lle(with(2, 11));
  lle.fit(X);
  Matrix<double> expected(20, 2);
  for (Index i = 0; i < 20; ++i) {
    const Vector<double> x = all.row(300 + i).transpose();
    const auto rows = nearest_rows(X, x, 11);
    const Vector<double> w = textbook_weights(X, x, rows, 1e-3);
    expected.row(i).setZero();
    for (Index j = 0; j < 11; ++j)
      expected.row(i) += w(j) * lle.embedding().row(rows[static_cast<std::size_t>(j)]);
  }
  CHECK(max_abs_diff(lle.transform(all.bottomRows(20)), expected) < 1e-10);
  CHECK(test::same_bytes(lle.transform(X), lle.embedding()));
}

TEST_CASE("LLE on an epsilon graph and from neighbour lists", "[lle]") {
  const Matrix<double> X = s_curve(300, 2).points;
  LLEOptions options;
  options.radius = 0.8;
  LLE<> by_radius(options), by_lists, by_search;
  by_radius.fit(X);
  CHECK(by_radius.embedding().allFinite());
  CHECK(max_abs_diff(by_radius.transform(X), by_radius.embedding()) == 0);
  by_search.fit(X);
  by_lists.fit_neighbors(X, knn(X, 12));
  CHECK(test::same_bytes(by_lists.embedding(), by_search.embedding()));
  CHECK_THROWS_AS(by_lists.fit_neighbors(X.topRows(9), knn(X, 12)), DimensionError);
  options.radius = 1e-9;
  CHECK_THROWS_AS(LLE<>(options).fit_transform(X), DisconnectedGraphError);
  // Nor may a sample be alone where pieces are allowed: it has nothing to be composed of.
  options.on_disconnected = OnDisconnected::allow;
  CHECK_THROWS_AS(LLE<>(options).fit_transform(X), DisconnectedGraphError);
}

TEST_CASE("LLE of a graph in pieces", "[lle][contract36]") {
  Matrix<double> X = test::gaussian<double>(70, 3, 4);
  X.bottomRows(30).col(0).array() += 60;
  LLEOptions options = with(2, 8);
  CHECK_THROWS_AS(LLE<>(options).fit_transform(X), DisconnectedGraphError);

  options.on_disconnected = OnDisconnected::allow;
  LLE<> allowed(options);
  allowed.fit(X);
  CHECK(allowed.eigenvalues().isZero(0));  // two components, two zero eigenvalues, none dropped
  CHECK(allowed.report().graph_components == 2);
  CHECK(allowed.report().certified);
  CHECK_FALSE(allowed.report().solver.empty());
  for (Index i = 1; i < 40; ++i)
    CHECK(max_abs_diff(allowed.embedding().row(i), allowed.embedding().row(0)) < 1e-12);
  CHECK((allowed.embedding().row(0) - allowed.embedding().row(69)).norm() > 1);
  options.n_components = 3;
  LLE<> further(options);
  further.fit(X);
  CHECK(further.eigenvalues()(2) > 0);
  CHECK(further.embedding().col(2).norm() > 1);

  options.n_components = 2;
  options.on_disconnected = OnDisconnected::largest_component;
  LLE<> part(options);
  part.fit(X);
  CHECK(part.kept_samples().size() == 40);
  CHECK(test::same_bytes(part.embedding(), LLE<>(with(2, 8)).fit_transform(X.topRows(40))));

  options.on_disconnected = OnDisconnected::bridge;
  LLE<> joined(options);
  joined.fit(X);
  CHECK(joined.embedding().rows() == 70);
  CHECK(joined.weights().nonZeros() == 70 * 8 + 2);
}

TEST_CASE("Eigenvalues that are zero to rounding are said to be arbitrary", "[lle]") {
  LLE<> lle(with(1, 8, 1e-9));
  Matrix<double> X = Matrix<double>::Zero(900, 3);  // a plane: a null space of dimension 3
  X.leftCols(2) = test::gaussian<double>(900, 2);
  lle.fit(X);
  CHECK(lle.eigenvalues()(0) < 1e-12);
  CHECK(lle.report().certificate.find("0 to rounding") != std::string::npos);
  CHECK(lle.report().eigengap == 0);
}

TEST_CASE("Options of LLE are checked", "[lle][contract9][contract43]") {
  const Matrix<double> X = s_curve(50, 2).points;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const LLEOptions& options :
       {with(4, 12), with(3, 3), with(2, 50), with(2, 0), with(2, 12, 0), with(2, 12, -1),
        with(2, 12, nan), with(2, 12, std::numeric_limits<double>::infinity())})
    CHECK_THROWS_AS(LLE<>(options).fit_transform(X), ParameterError);
}

TEST_CASE("Weights are finite and sum to 1 where rounding leaves nothing of a pivot",
          "[lle][contract42]") {
  const std::array<double, 2> origin = {0, 0};
  const auto check = [&](const std::vector<std::array<double, 2>>& neighbors, double expected) {
    const auto k = static_cast<Index>(neighbors.size());
    detail::BarycentricWeights weights(1e-20);
    const double* const found = weights(origin.data(), 2, k, [&](Index j) {
      return neighbors[static_cast<std::size_t>(j)].data();
    });
    double sum = 0;
    for (Index j = 0; j < k; ++j) {
      CHECK(std::isfinite(found[j]));
      if (expected > 0) CHECK(std::abs(found[j] - expected) < 1e-12);
      sum += found[j];
    }
    CHECK(std::abs(sum - 1) < 1e-12);
  };
  check({{0, 0}, {0, 0}, {0, 0}, {0, 0}}, 0.25);
  check({{1, 0}, {1, 0}, {1, 0}}, 0);
  check({{1, 1}, {2, 2}, {3, 3}}, 0);
}

TEST_CASE("LLE gives the same answer by every route",
          "[lle][differential][contract12][contract18][contract56]") {
  LLEOptions options;
  test::Routes routes{"lle"};
  routes.across_precisions = 1e-2;
  // Seen from there the neighbours of an outlier are alike to float's rounding.
  routes.arbitrary = {"one far outlier"};
  test::check_every_route<LLE<float>, LLE<double>>(options, routes);
}
