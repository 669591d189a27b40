#include "unfurl/laplacian_eigenmap.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "differential/estimators.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/graphs.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"
#include "unfurl/datasets/circle.hpp"
#include "unfurl/datasets/swiss_roll.hpp"

using namespace unfurl;
using test::max_abs_diff;
using test::max_abs_diff_up_to_sign;
using test::pi;

namespace {

/// The definitions of the lecture notes, all eigenvectors, dense.
struct Textbook {
  Matrix<double> W, D, P, L, L_rw, Psi, Phi, Lambda;
  Vector<double> d, values;  // of L_rw, ascending
  explicit Textbook(Matrix<double> weights) : W(std::move(weights)) {
    const Index n = W.rows();
    d = W.rowwise().sum();
    D = d.asDiagonal();
    P = d.cwiseInverse().asDiagonal() * W;
    L = D - W;
    L_rw = Matrix<double>::Identity(n, n) - P;
    const Vector<double> root = d.cwiseSqrt();
    const Matrix<double> A_s =
        root.cwiseInverse().asDiagonal() * W * root.cwiseInverse().asDiagonal();
    const test::DenseEigen all(A_s);
    const Matrix<double> U = all.eigenvectors().rowwise().reverse();
    const Vector<double> lambda = all.eigenvalues().reverse();
    Lambda = lambda.asDiagonal();
    values = 1 - lambda.array();
    Psi = root.cwiseInverse().asDiagonal() * U;
    Phi = root.asDiagonal() * U;
  }
};

/// Union kNN graph with Gaussian weights, by the definition.
Matrix<double> gaussian_knn(const Matrix<double>& X, Index k, double sigma) {
  const Matrix<double> distances = test::pairwise_distances(X);
  Matrix<double> W = Matrix<double>::Zero(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    std::vector<std::pair<double, Index>> order;
    for (Index j = 0; j < X.rows(); ++j)
      if (j != i) order.emplace_back(distances(i, j), j);
    std::sort(order.begin(), order.end());
    for (Index e = 0; e < k; ++e) {
      const auto [r, j] = order[static_cast<std::size_t>(e)];
      W(i, j) = W(j, i) = std::exp(-r * r / (2 * sigma * sigma));
    }
  }
  return W;
}

LaplacianEigenmapOptions with(Index n_components, Index n_neighbors) {
  LaplacianEigenmapOptions options;
  options.n_components = n_components;
  options.n_neighbors = n_neighbors;
  return options;
}

template <class Scalar = double>
Matrix<Scalar> two_clouds() {
  Matrix<Scalar> X = test::gaussian<Scalar>(60, 2, 4);
  X.bottomRows(25).col(0).array() += 1000;
  return X;
}

}  // namespace

TEST_CASE("The identities and propositions of the lecture notes hold", "[laplacian]") {
  const Matrix<double> X = swiss_roll(80, 3).points;
  const Index n = 80;
  LaplacianEigenmapOptions options = with(n - 1, 8);
  LaplacianEigenmap<> map(options);
  map.fit(X);
  const Textbook book(gaussian_knn(X, 8, map.bandwidth()));
  // Psi of the estimator, the constant put back in front.
  Matrix<double> Psi(n, n);
  Psi << Vector<double>::Constant(n, 1 / std::sqrt(book.d.sum())), map.embedding();
  Vector<double> lambda(n);
  lambda << 1, (1 - map.eigenvalues().array()).matrix();
  const Matrix<double> Lambda = lambda.asDiagonal(), Phi = book.D * Psi,
                       I = Matrix<double>::Identity(n, n);
  CHECK(max_abs_diff(map.degrees(), book.d) < 1e-12);
  CHECK(max_abs_diff(book.P * Psi, Psi * Lambda) < 1e-10);              // (1)
  CHECK(max_abs_diff(book.L_rw * Psi, Psi * (I - Lambda)) < 1e-10);     // (2)
  CHECK(max_abs_diff(Phi, book.D * Psi) == 0);                          // (3)
  CHECK(max_abs_diff(Phi.transpose() * Psi, I) < 1e-10);                // (4)
  CHECK(max_abs_diff(Phi * Psi.transpose(), I) < 1e-10);                // (5)
  CHECK(max_abs_diff(book.P, Psi * Lambda * Phi.transpose()) < 1e-10);  // (6)
  CHECK(max_abs_diff(Psi.transpose() * book.D * Psi, I) < 1e-10);       // (7)
  CHECK(max_abs_diff(book.P.transpose() * Phi, Phi * Lambda) < 1e-10);  // (8)
  // Proposition 1: f^T L f = 1/2 sum W_ij (f_i - f_j)^2 >= 0.
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Vector<double> f = test::gaussian<double>(n, 1, seed);
    double sum = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) sum += 0.5 * book.W(i, j) * (f(i) - f(j)) * (f(i) - f(j));
    CHECK(std::abs(f.dot(book.L * f) - sum) < 1e-10 * sum);
    CHECK(sum >= 0);
  }
  // Proposition 2: every eigenvalue of P lies in [-1, 1].
  CHECK(lambda.cwiseAbs().maxCoeff() <= 1);
  CHECK(max_abs_diff(map.eigenvalues(), book.values.tail(n - 1)) < 1e-12);  // anchor D5
}

TEMPLATE_TEST_CASE("LaplacianEigenmap equals the dense textbook version", "[laplacian]", float,
                   double) {
  using Scalar = TestType;
  const Index n = GENERATE(50, 300, 900);  // above 400 by shift-invert
  const Matrix<Scalar> X = swiss_roll<Scalar>(n, 3).points;
  LaplacianEigenmapOptions options = with(3, 9);
  LaplacianEigenmap<Scalar> map(options);
  map.fit(X);
  const Textbook book(gaussian_knn(X.template cast<double>(), 9, double(map.bandwidth())));
  CAPTURE(n);
  const double scale = book.Psi.middleCols(1, 3).cwiseAbs().maxCoeff();
  CHECK(max_abs_diff_up_to_sign(map.embedding(), book.Psi.middleCols(1, 3)) <
        scale * (std::is_same_v<Scalar, double> ? 1e-9 : 2e-3));
  CHECK(max_abs_diff(map.eigenvalues(), book.values.segment(1, 3)) < test::tol<Scalar>(1e-12));
  const Matrix<double> Y = map.embedding().template cast<double>();
  CHECK(max_abs_diff(Y.transpose() * map.degrees().template cast<double>().asDiagonal() * Y,
                     Matrix<double>::Identity(3, 3)) < test::tol<Scalar>(1e-11));
  CHECK(map.report().certified);
  CHECK(map.report().eigengap > 0);
}

TEST_CASE("A circle stays a circle", "[laplacian][contract41]") {
  LaplacianEigenmap<> gaussian;
  LaplacianEigenmap<double, BinaryKernel<double>> binary(with(2, 4));
  for (const Matrix<double>& Y : {gaussian.fit(circle(1000).points).embedding(),
                                  binary.fit(circle(1000).points).embedding()}) {
    const Vector<double> radius = Y.rowwise().norm();
    CHECK(radius.maxCoeff() / radius.minCoeff() - 1 < 1e-6);
  }
  CHECK(std::abs(gaussian.eigenvalues()(0) - gaussian.eigenvalues()(1)) < 1e-12);
  CHECK(gaussian.report().certified);
  CHECK(gaussian.report().eigengap > 0.5);
  // With 0/1 weights the spectrum is known: 1 - (cos a + cos 2a) / 2.
  const double a = 2 * 3.14159265358979323846 / 1000;
  CHECK(std::abs(binary.eigenvalues()(1) - (1 - (std::cos(a) + std::cos(2 * a)) / 2)) < 1e-12);
  CHECK(binary.bandwidth() == 0);
}

TEST_CASE("Known graphs have their known spectra", "[laplacian][anchorC2][anchorC3][anchorC4]") {
  LaplacianEigenmap<> map(with(4, 10));
  map.fit_affinity(test::cycle(600));
  for (Index k = 0; k < 4; ++k)
    CHECK(std::abs(map.eigenvalues()(k) - (1 - std::cos(2 * pi * double(k / 2 + 1) / 600))) <
          1e-12);
  map.fit_affinity(test::torus(12, 9));
  for (Index k = 0; k < 4; ++k)  // 12 is the longer way round; then 9
    CHECK(std::abs(map.eigenvalues()(k) - (1 - std::cos(2 * pi / (k < 2 ? 12 : 9))) / 2) < 1e-12);
  map.fit_affinity(test::complete(30));
  for (Index k = 0; k < 4; ++k) CHECK(std::abs(map.eigenvalues()(k) - 30.0 / 29) < 1e-12);
  map.fit_affinity(test::star(20));
  for (Index k = 0; k < 4; ++k) CHECK(std::abs(map.eigenvalues()(k) - 1) < 1e-12);
  CHECK_THROWS_AS(map.transform(Matrix<double>::Ones(1, 2)), NotFittedError);
  CHECK_THROWS_AS(map.transform_distances(Matrix<double>::Ones(1, 20)), NotFittedError);
}

TEST_CASE("LaplacianEigenmap gives what scikit-learn gives", "[laplacian]") {
  const Matrix<double> X = test::golden("sheet_X.csv").topRows(140);
  LaplacianEigenmap<double, BinaryKernel<double>> map(with(3, 8));
  map.fit(X);
  const Matrix<double> theirs = test::golden("laplacian_sheet.csv");
  Matrix<double> ours = map.embedding();
  for (Index k = 0; k < 3; ++k) ours.col(k) *= theirs.col(k).norm() / ours.col(k).norm();
  CHECK(max_abs_diff_up_to_sign(ours, theirs) < 1e-7);
}

TEST_CASE("The heat kernel is the Gaussian kernel in other words", "[laplacian]") {
  const Matrix<double> X = swiss_roll(200, 3).points;
  LaplacianEigenmapOptions options = with(2, 10);
  options.bandwidth = 3;
  LaplacianEigenmap<> gaussian(options);
  LaplacianEigenmap<double, HeatKernel<double>> heat(with(2, 10), HeatKernel<double>(18));
  CHECK(max_abs_diff(gaussian.fit(X).embedding(), heat.fit(X).embedding()) < 1e-12);
  CHECK(std::abs(heat.bandwidth() - 3) < 1e-12);
  CHECK(gaussian.bandwidth() == 3);
}

TEST_CASE("LaplacianEigenmap on an epsilon graph extends to new points", "[laplacian]") {
  const Matrix<double> X = swiss_roll(300, 3).points;
  LaplacianEigenmapOptions options = with(2, 10);
  options.radius = 4.5;
  options.bandwidth = 2;
  LaplacianEigenmap<> map(options);
  map.fit(X);
  const Matrix<double> D = test::pairwise_distances(X);
  Matrix<double> W = Matrix<double>::Zero(300, 300);
  for (Index i = 0; i < 300; ++i)
    for (Index j = 0; j < 300; ++j)
      if (i != j && D(i, j) <= 4.5) W(i, j) = std::exp(-D(i, j) * D(i, j) / 8);
  CHECK(max_abs_diff_up_to_sign(map.embedding(), Textbook(W).Psi.middleCols(1, 2)) < 1e-10);
  // The formula at a sample, where its row of W is known, gives the sample's own coordinates.
  for (Index i : {0, 150, 299}) {
    const Eigen::RowVectorXd mean = W.row(i) * map.embedding() / W.row(i).sum();
    for (Index k = 0; k < 2; ++k)
      CHECK(std::abs(mean(k) / (1 - map.eigenvalues()(k)) - map.embedding()(i, k)) < 1e-10);
  }
  CHECK(test::same_bytes(map.transform(X), map.embedding()));
  // And at new points it is the weighted mean over 1 - lambda.
  const Matrix<double> fresh = swiss_roll(20, 77).points;
  Matrix<double> expected(20, 2), distances(20, 300);
  for (Index i = 0; i < 20; ++i) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(2);
    double total = 0;
    for (Index j = 0; j < 300; ++j) {
      const double r = distances(i, j) = (fresh.row(i) - X.row(j)).norm();
      if (r > 4.5) continue;
      sum += std::exp(-r * r / 8) * map.embedding().row(j);
      total += std::exp(-r * r / 8);
    }
    for (Index k = 0; k < 2; ++k) expected(i, k) = sum(k) / total / (1 - map.eigenvalues()(k));
  }
  CHECK(max_abs_diff(map.transform(fresh), expected) < 1e-12);
  CHECK(max_abs_diff(map.transform_distances(distances), expected) < 1e-12);
  // A point so far away that every weight underflows is placed by its nearest samples.
  const Matrix<double> far = Matrix<double>::Constant(1, 3, 1e6);
  CHECK(map.transform(far).allFinite());
}

TEST_CASE("Coordinates that have no extension are refused", "[laplacian]") {
  // A star: eigenvalue 1, many times.
  Matrix<double> X = Matrix<double>::Zero(9, 8);
  X.bottomRows(8).setIdentity();
  LaplacianEigenmapOptions options = with(2, 10);
  options.radius = 1.1;
  LaplacianEigenmap<double, BinaryKernel<double>> map(options);
  map.fit(X);
  CHECK(std::abs(map.eigenvalues()(0) - 1) < 1e-12);
  try {
    map.transform(X);
    FAIL("nothing was thrown");
  } catch (const NumericalError& error) {
    CHECK(std::string(error.what()).find("too near 1") != std::string::npos);
  }
}

TEST_CASE("One search or one distance matrix serves LaplacianEigenmap as well", "[laplacian]") {
  const Matrix<double> X = swiss_roll(150, 2).points;
  LaplacianEigenmap<> a, b, c, d;
  a.fit(X);
  b.fit_neighbors(knn(X, 10));
  c.fit_distances(test::pairwise_distances(X));
  CHECK(test::same_bytes(a.embedding(), b.embedding()));
  CHECK(max_abs_diff(a.embedding(), c.embedding()) < 1e-10);
  const SparseMatrix<double> W = gaussian_knn(X, 10, a.bandwidth()).sparseView();
  CHECK(max_abs_diff(a.embedding(), d.fit_affinity(W).embedding()) < 1e-10);
  const Matrix<double> D = test::pairwise_distances(X).topRows(20);
  CHECK(max_abs_diff(b.transform_distances(D), a.embedding().topRows(20)) < 1e-10);
  SparseMatrix<double> bad = W;
  bad.coeffRef(0, 1) = 5;
  CHECK_THROWS_AS(d.fit_affinity(bad), DataError);
}

TEMPLATE_TEST_CASE("LaplacianEigenmap of a graph in pieces", "[laplacian][contract36][contract37]",
                   float, double) {
  using Scalar = TestType;
  const Matrix<Scalar> X = two_clouds<Scalar>();
  LaplacianEigenmapOptions options = with(3, 6);
  using Map = LaplacianEigenmap<Scalar>;
  CHECK_THROWS_AS(Map(options).fit_transform(X), DisconnectedGraphError);

  options.on_disconnected = OnDisconnected::allow;
  Map allowed(options);
  allowed.fit(X);
  CHECK(allowed.eigenvalues().head(2).isZero(0));
  CHECK(allowed.eigenvalues()(2) > 1e-4);
  CHECK(allowed.report().graph_components == 2);
  CHECK((allowed.embedding().row(0) - allowed.embedding().row(59)).head(2).norm() > 1e-2);
  for (Index i = 1; i < 35; ++i)
    CHECK(max_abs_diff(allowed.embedding().row(i).head(2), allowed.embedding().row(0).head(2)) <
          test::tol<Scalar>(1e-12));

  options.on_disconnected = OnDisconnected::largest_component;
  Map part(options);
  part.fit(X);
  CHECK(part.kept_samples().size() == 35);
  CHECK(test::same_bytes(part.embedding(), Map(with(3, 6)).fit_transform(X.topRows(35))));

  options.on_disconnected = OnDisconnected::bridge;
  options.bandwidth = 200;  // or the bridge would weigh nothing
  Map joined(options);
  joined.fit(X);
  CHECK(joined.embedding().rows() == 60);
  CHECK(joined.report().graph_components == 2);

  options = with(1, 6);
  options.radius = 1e-6;
  CHECK_THROWS_AS(Map(options).fit_transform(X), DisconnectedGraphError);
}

TEST_CASE("Affinities of a graph in pieces", "[laplacian][contract36]") {
  // A path of 9 vertices and, with numbers between them, one of 20; a stored 0 joins nothing.
  std::vector<Index> few, many;
  for (Index v = 0; v < 29; ++v) (v % 3 == 1 && few.size() < 9 ? few : many).push_back(v);
  test::Edges edges;
  for (std::size_t i = 1; i < few.size(); ++i) edges.emplace_back(few[i - 1], few[i]);
  for (std::size_t i = 1; i < many.size(); ++i) edges.emplace_back(many[i - 1], many[i]);
  SparseMatrix<double> W = test::adjacency(29, edges);
  W.coeffRef(few[0], many[0]) = 0;
  W.coeffRef(many[0], few[0]) = 0;

  const auto fitted = [&](OnDisconnected policy, const SparseMatrix<double>& affinities) {
    LaplacianEigenmapOptions options = with(2, 6);
    options.on_disconnected = policy;
    LaplacianEigenmap<> map(options);
    map.fit_affinity(affinities);
    return map;
  };
  CHECK_THROWS_AS(fitted(OnDisconnected::error, W), DisconnectedGraphError);
  CHECK_THROWS_AS(fitted(OnDisconnected::bridge, W), ParameterError);
  CHECK(fitted(OnDisconnected::allow, W).eigenvalues()(0) == 0);
  const auto part = fitted(OnDisconnected::largest_component, W);
  CHECK(part.kept_samples() == many);
  CHECK(part.report().graph_components == 2);
  const auto alone = fitted(OnDisconnected::largest_component, test::path(20));
  CHECK(alone.kept_samples().empty());
  CHECK(test::same_bytes(part.embedding(), alone.embedding()));
}

TEST_CASE("Too small a bandwidth is said", "[laplacian][contract38]") {
  LaplacianEigenmapOptions options = with(2, 6);
  options.bandwidth = 1e-4;
  try {
    LaplacianEigenmap<>(options).fit_transform(test::gaussian<double>(60, 2));
    FAIL("nothing was thrown");
  } catch (const NumericalError& error) {
    CHECK(std::string(error.what()).find("bandwidth") != std::string::npos);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    options.bandwidth = bad;
    CHECK_THROWS_AS(LaplacianEigenmap<>(options).fit_transform(test::gaussian<double>(60, 2)),
                    ParameterError);
  }
}

TEST_CASE("An affinity too small to be seen in the walk is said", "[laplacian][contract38]") {
  // Two triangles: they are connected, but 1 - 1e-25 is 1.
  SparseMatrix<double> W =
      test::adjacency(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}});
  W.coeffRef(2, 3) = W.coeffRef(3, 2) = 1e-25;
  try {
    LaplacianEigenmap<> map(with(2, 2));
    map.fit_affinity(W);
    FAIL("nothing was thrown");
  } catch (const NumericalError& error) {
    CHECK(std::string(error.what()).find("bandwidth too small") != std::string::npos);
  }
}

TEST_CASE("Options of LaplacianEigenmap are checked",
          "[laplacian][contract9][contract29][contract30]") {
  const Matrix<double> X = swiss_roll(30, 2).points;
  const auto refused = [&](auto&& change) {
    LaplacianEigenmapOptions options;
    change(options);
    CHECK_THROWS_AS(LaplacianEigenmap<>(options).fit_transform(X), ParameterError);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Index k : {Index{-3}, Index{0}, Index{30}})
    refused([&](auto& o) { o.n_neighbors = k; });
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    refused([&](auto& o) { o.radius = bad; });
    refused([&](auto& o) { o.bandwidth = bad; });
  }
  LaplacianEigenmap<> map(with(1, 0));
  CHECK_THROWS_AS(map.fit_neighbors(knn(X, 3)), ParameterError);  // new points have no neighbours
  CHECK_THROWS_AS(map.fit_neighbors(NeighborList<double>(1, 0)), DataError);
}

TEST_CASE("An eigensolver of one's own may be used", "[laplacian]") {
  struct Dense {
    EigenPairs<double> operator()(const SparseMatrix<double>& A, Index k, Which which) const {
      return DenseSolver{}(A, k, which);
    }
  };
  const Matrix<double> X = swiss_roll(200, 3).points;
  LaplacianEigenmap<double, GaussianKernel<double>, KdTree, Dense> own(with(2, 10));
  LaplacianEigenmap<> usual;
  CHECK(max_abs_diff(own.fit(X).embedding(), usual.fit(X).embedding()) < 1e-10);
}

TEST_CASE("LaplacianEigenmap gives the same answer by every route",
          "[laplacian][differential][contract12][contract18][contract56]") {
  LaplacianEigenmapOptions options;
  test::Routes routes{"laplacian_eigenmap"};
  test::check_every_route<LaplacianEigenmap<float>, LaplacianEigenmap<double>>(options, routes);
}
