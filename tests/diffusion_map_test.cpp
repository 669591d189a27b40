#include "unfurl/diffusion_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "differential/estimators.hpp"
#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/matrix.hpp"
#include "unfurl/datasets/circle.hpp"
#include "unfurl/datasets/sphere.hpp"
#include "unfurl/datasets/spiral.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/datasets/torus.hpp"
#include "unfurl/datasets/trefoil.hpp"

using namespace unfurl;
using test::max_abs_diff;
using test::max_abs_diff_up_to_sign;

namespace {

/// The definitions of the lecture notes, dense, all eigenvectors.
struct Textbook {
  Matrix<double> P, Psi;
  Vector<double> d, values;  // of P, descending
  Textbook(Matrix<double> K, double alpha) {
    const Vector<double> q = K.rowwise().sum().array().pow(-alpha);
    K = q.asDiagonal() * K * q.asDiagonal();
    d = K.rowwise().sum();
    P = d.cwiseInverse().asDiagonal() * K;
    const Vector<double> root = d.cwiseSqrt().cwiseInverse();
    const test::DenseEigen all(root.asDiagonal() * K * root.asDiagonal());
    values = all.eigenvalues().reverse();
    Psi = root.asDiagonal() * all.eigenvectors().rowwise().reverse().eval();
  }
};

Matrix<double> gaussian_affinity(const Matrix<double>& X, double sigma) {
  return (-test::pairwise_distances(X).array().square() / (2 * sigma * sigma)).exp();
}

Matrix<double> power(const Matrix<double>& P, int t) {
  Matrix<double> result = Matrix<double>::Identity(P.rows(), P.cols());
  for (int i = 0; i < t; ++i) result = result * P;
  return result;
}

DiffusionMapOptions dense(Index n_components, double bandwidth, double alpha = 0) {
  DiffusionMapOptions options;
  options.n_components = n_components;
  options.bandwidth = bandwidth;
  options.alpha = alpha;
  return options;
}

/// Standard deviation of the radius over its mean, in the first two coordinates.
double radius_variation(const Matrix<double>& Y) {
  const Vector<double> radius = Y.leftCols(2).rowwise().norm();
  return std::sqrt((radius.array() - radius.mean()).square().mean()) / radius.mean();
}

bool is_monotone(const Matrix<double>& Y, const Vector<double>& along) {
  std::vector<std::pair<double, double>> order;
  for (Index i = 0; i < Y.rows(); ++i) order.emplace_back(along(i), Y(i, 0));
  std::sort(order.begin(), order.end());
  bool up = true, down = true;
  for (std::size_t i = 1; i < order.size(); ++i) {
    up = up && order[i].second > order[i - 1].second;
    down = down && order[i].second < order[i - 1].second;
  }
  return up || down;
}

/// Modified Bessel functions by their series.
double bessel_i(int k, double x) {
  double sum = 0, term = 1;
  for (int j = 1; j <= k; ++j) term *= x / 2 / j;
  for (int m = 0; m < 200; ++m) {
    sum += term;
    term *= x * x / 4 / ((m + 1.0) * (m + 1.0 + k));
  }
  return sum;
}

/// Modified spherical Bessel functions over sinh(x) / x, upwards (x is large enough).
double spherical_ratio(int l, double x) {
  double before = 1, now = 1 / std::tanh(x) - 1 / x;
  if (l == 0) return 1;
  for (int i = 1; i < l; ++i) {
    const double next = before - (2 * i + 1) / x * now;
    before = now;
    now = next;
  }
  return now;
}

}  // namespace

TEMPLATE_TEST_CASE("DiffusionMap equals the dense textbook version", "[diffusion]", float, double) {
  using Scalar = TestType;
  const Index n = GENERATE(60, 450);  // above 400 by block Lanczos
  const double alpha = GENERATE(0.0, 0.5, 1.0);
  CAPTURE(n, alpha);
  const Matrix<Scalar> X = swiss_roll<Scalar>(n, 3).points;
  DiffusionMap<Scalar> map(dense(3, 4, alpha));
  map.fit(X);
  const Textbook book(gaussian_affinity(X.template cast<double>(), 4), alpha);
  const Matrix<double> expected =
      book.Psi.middleCols(1, 3) * book.values.segment(1, 3).asDiagonal();
  CHECK(max_abs_diff_up_to_sign(map.embedding(), expected) <
        expected.cwiseAbs().maxCoeff() * (std::is_same_v<Scalar, double> ? 1e-8 : 1e-3));
  CHECK(max_abs_diff(map.eigenvalues(), book.values.segment(1, 3)) < test::tol<Scalar>(1e-12));
  CHECK(max_abs_diff(map.stationary_distribution(), book.d / book.d.sum()) <
        test::tol<Scalar>(1e-13));
  const Eigen::RowVectorXd pi = map.stationary_distribution().template cast<double>().transpose();
  CHECK(max_abs_diff(pi * book.P, pi) < test::tol<Scalar>(1e-13));  // anchor D2
  CHECK(map.report().certified);
  CHECK(map.bandwidth() == 4);
}

TEMPLATE_TEST_CASE("Distances over all coordinates are those of Theorem 4.8",
                   "[diffusion][anchorD3]", float, double) {
  using Scalar = TestType;
  const Index n = 40;
  const Matrix<Scalar> X = test::gaussian<Scalar>(n, 3);
  const double alpha = GENERATE(0.0, 1.0);
  DiffusionMap<Scalar> map(dense(n - 1, 1, alpha));
  map.fit(X);
  const Textbook book(gaussian_affinity(X.template cast<double>(), 1), alpha);
  for (const int t : {1, 2, 5}) {
    const Matrix<double> walk = power(book.P, t);
    for (const auto& [i, j] : {std::pair<Index, Index>(0, 1), std::pair<Index, Index>(7, 30)}) {
      double expected = 0;
      for (Index l = 0; l < n; ++l) expected += std::pow(walk(i, l) - walk(j, l), 2) / book.d(l);
      const double found = map.diffusion_distance(i, j, t);
      CHECK(std::abs(found * found / expected - 1) <
            (std::is_same_v<Scalar, double> ? 1e-10 : 1e-3));
      const Matrix<Scalar> Y = map.embedding_at(t);
      CHECK(std::abs(double((Y.row(i) - Y.row(j)).norm()) - found) < 1e-6 * found);
    }
  }
}

TEST_CASE("Any time is free after one decomposition", "[diffusion]") {
  const Matrix<double> X = swiss_roll(150, 3).points;
  DiffusionMap<> one(dense(4, 4));
  one.fit(X);
  for (const double t : {0.0, 0.5, 1.0, 3.0, 40.0}) {
    DiffusionMapOptions options = dense(4, 4);
    options.time = t;
    DiffusionMap<> other(options);
    CHECK(max_abs_diff(one.embedding_at(t), other.fit(X).embedding()) < 1e-14);
    CHECK(max_abs_diff(other.transform(X), other.embedding()) < 1e-8);
  }
  const Matrix<double> start = one.embedding_at(0);
  CHECK(max_abs_diff(start.transpose() * one.degrees().asDiagonal() * start,
                     Matrix<double>::Identity(4, 4)) < 1e-9);
  CHECK(one.embedding_at(1e7).isZero(1e-100));  // a long walk forgets where it began
  CHECK(one.diffusion_distance(3, 70, 1e7) == 0);
  CHECK_THROWS_AS(one.embedding_at(-1), ParameterError);
  CHECK_THROWS_AS(one.embedding_at(std::numeric_limits<double>::quiet_NaN()), ParameterError);
  CHECK_THROWS_AS(one.diffusion_distance(0, 150, 1), ParameterError);
}

TEST_CASE("A coordinate of eigenvalue 0 has no extension at a time below 1", "[diffusion]") {
  const Matrix<double> X = swiss_roll(40, 3).points;
  DiffusionMapOptions options = dense(30, 40);  // so wide that most eigenvalues are 0 to rounding
  options.time = 0.5;
  DiffusionMap<> map(options);
  map.fit(X);
  try {
    map.transform(X);
    FAIL("nothing was thrown");
  } catch (const NumericalError& error) {
    CHECK(std::string(error.what()).find("use a time of at least 1") != std::string::npos);
  }
}

TEST_CASE("New points are one step from the training samples", "[diffusion][anchorD4]") {
  const Matrix<double> X = swiss_roll(200, 3).points, fresh = swiss_roll(15, 8).points;
  const double alpha = GENERATE(0.0, 0.5, 1.0);
  DiffusionMap<> map(dense(3, 4, alpha));
  map.fit(X);
  CHECK(max_abs_diff(map.transform(X), map.embedding()) < 1e-10);
  const Vector<double> q = gaussian_affinity(X, 4).rowwise().sum();
  Matrix<double> expected(15, 3), D(15, 200);
  for (Index i = 0; i < 15; ++i) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(3);
    double total = 0;
    for (Index j = 0; j < 200; ++j) {
      D(i, j) = (fresh.row(i) - X.row(j)).norm();
      const double w = std::exp(-D(i, j) * D(i, j) / 32) * std::pow(q(j), -alpha);
      sum += w * map.embedding_at(0).row(j);
      total += w;
    }
    expected.row(i) = sum / total;  // lambda psi = P psi
  }
  CHECK(max_abs_diff(map.transform(fresh), expected) < 1e-12);
  CHECK(max_abs_diff(map.transform_distances(D), expected) < 1e-12);
  // Far away every kernel value underflows; the nearest samples keep their share.
  const Matrix<double> far = Matrix<double>::Constant(1, 3, 1e5);
  const Matrix<double> placed = map.transform(far);
  CHECK(placed.allFinite());
  CHECK(placed.cwiseAbs().maxCoeff() <= map.embedding_at(0).cwiseAbs().maxCoeff());
}

TEST_CASE("Sparse diffusion maps agree with the dense one where they join the same pairs",
          "[diffusion]") {
  const Matrix<double> X = swiss_roll(120, 3).points;
  DiffusionMapOptions options = dense(3, 4, 0.5);
  DiffusionMap<> all(options);
  options.n_neighbors = 119;
  DiffusionMap<> neighbors(options);
  options.n_neighbors.reset();
  options.radius = 1000;
  DiffusionMap<> radius(options);
  all.fit(X);
  CHECK(max_abs_diff(neighbors.fit(X).embedding(), all.embedding()) < 1e-10);
  CHECK(max_abs_diff(radius.fit(X).embedding(), all.embedding()) < 1e-10);
  const Matrix<double> fresh = swiss_roll(10, 9).points;
  CHECK(max_abs_diff(radius.transform(fresh), all.transform(fresh)) < 1e-9);
  CHECK(test::same_bytes(neighbors.transform(X), neighbors.embedding()));

  DiffusionMap<> lists(dense(3, 4, 0.5)), distances(dense(3, 4, 0.5)), affinity(dense(3, 1, 0.5));
  CHECK(max_abs_diff(lists.fit_neighbors(knn(X, 119)).embedding(), all.embedding()) < 1e-10);
  CHECK(max_abs_diff(distances.fit_distances(test::pairwise_distances(X)).embedding(),
                     all.embedding()) < 1e-10);
  const SparseMatrix<double> K = gaussian_affinity(X, 4).sparseView(0, 0);
  CHECK(max_abs_diff(affinity.fit_affinity(K).embedding(), all.embedding()) < 1e-10);
  CHECK_THROWS_AS(affinity.transform(X), NotFittedError);
  CHECK_THROWS_AS(lists.transform(X), NotFittedError);
}

TEST_CASE("A circle has the spectrum of Bessel functions and stays a circle",
          "[diffusion][anchorD6][contract41]") {
  // Integer ratios I_k(1/s) / I_0(1/s); the kernel is exp(-d^2 / (2 s)), so sigma = sqrt(s).
  const double s = GENERATE(0.1, 0.05);
  const Index n = GENERATE(300, 1000);
  DiffusionMap<> map(dense(6, std::sqrt(s)));
  map.fit(circle(n).points);
  for (Index k = 0; k < 6; ++k)
    CHECK(std::abs(map.eigenvalues()(k) -
                   bessel_i(static_cast<int>(k) / 2 + 1, 1 / s) / bessel_i(0, 1 / s)) < 1e-12);
  CHECK(radius_variation(map.embedding()) < 1e-6);
  CHECK(map.report().certified);

  DiffusionMapOptions sparse;
  sparse.n_neighbors = 10;
  DiffusionMap<> local(sparse);
  local.fit(circle(n).points);
  CHECK(radius_variation(local.embedding()) < 1e-6);
}

TEST_CASE("A flat torus has the products", "[diffusion][anchorD7]") {
  DiffusionMap<> map(dense(8, std::sqrt(0.3)));
  map.fit(flat_torus(24, 24).points);
  const double one = bessel_i(1, 1 / 0.3) / bessel_i(0, 1 / 0.3);
  CHECK(std::abs(one - 0.83190007) < 1e-8);
  for (Index k = 0; k < 4; ++k) CHECK(std::abs(map.eigenvalues()(k) - one) < 1e-12);
  for (Index k = 4; k < 8; ++k) CHECK(std::abs(map.eigenvalues()(k) - one * one) < 1e-12);
}

TEST_CASE("A sphere has multiplicities 3, 5, 7", "[diffusion][anchorD8][anchorD9]") {
  const double s = GENERATE(0.1, 0.25);
  DiffusionMap<> map(dense(15, std::sqrt(s)));
  map.fit(fibonacci_sphere(1000).points);
  Index at = 0;
  for (int l = 1; l <= 3; ++l)
    for (int m = 0; m < 2 * l + 1; ++m, ++at) {
      const double expected = spherical_ratio(l, 1 / s);
      CHECK(std::abs(map.eigenvalues()(at) / expected - 1) < 2e-3);
    }
}

TEST_CASE("A randomly sampled sphere, its density taken out, has the Laplacian's ratios",
          "[diffusion][anchorD9]") {
  DiffusionMap<> map(dense(15, std::sqrt(0.1), 1));
  map.fit(sphere(2000, 1).points);
  const auto mean_log = [&](Index from, Index count) {
    return -map.eigenvalues().segment(from, count).array().log().mean();
  };
  CHECK(std::abs(mean_log(3, 5) / mean_log(0, 3) / 3 - 1) < 0.08);  // l (l + 1) = 2, 6, 12
  CHECK(std::abs(mean_log(8, 7) / mean_log(0, 3) / 6 - 1) < 0.08);
}

TEST_CASE("alpha = 1 repairs a non-uniform sampling", "[diffusion][anchorD10]") {
  CircleOptions warped;
  warped.warp = 0.12;
  const Dataset<> data = circle(400, warped);
  std::vector<double> variation;
  for (const double alpha : {0.0, 0.5, 1.0}) {
    DiffusionMap<> map(dense(2, std::sqrt(0.01), alpha));
    map.fit(data.points);
    variation.push_back(radius_variation(map.embedding()));
    if (alpha < 1) continue;
    // The angle in the embedding is the angle on the circle, up to rotation and reflection.
    const Matrix<double>& Y = map.embedding();
    double best = 10;
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> gaps;
      double c = 0, s = 0;
      for (Index i = 0; i < 400; ++i) {
        gaps.push_back(std::atan2(Y(i, 1), Y(i, 0)) - sign * data.coordinates(i, 0));
        c += std::cos(gaps.back()), s += std::sin(gaps.back());
      }
      const double turn = std::atan2(s, c);
      double worst = 0;
      for (const double gap : gaps)
        worst = std::max(worst, std::abs(std::remainder(gap - turn, 2 * 3.14159265358979)));
      best = std::min(best, worst);
    }
    CHECK(best < 0.05);
  }
  CHECK(variation[0] > 0.5);
  CHECK(variation[1] > 0.2);
  CHECK(variation[2] < 0.02);
}

TEST_CASE("A closed curve becomes a circle, an open one a segment",
          "[diffusion][anchorD11][anchorD12]") {
  DiffusionMap<> knot(dense(2, std::sqrt(0.02), 1));
  knot.fit(trefoil(400).points);
  CHECK(radius_variation(knot.embedding()) < 0.005);

  Matrix<double> helix(200, 3);
  Vector<double> along(200);
  for (Index i = 0; i < 200; ++i) {
    const double t = 6 * 3.14159265358979 * double(i) / 199;
    helix.row(i) << std::cos(t), std::sin(t), 0.3 * t;
    along(i) = double(i) / 199;
  }
  for (const double alpha : {0.0, 1.0}) {
    DiffusionMap<> map(dense(1, 0.2, alpha));
    map.fit(helix);
    CHECK(is_monotone(map.embedding(), along));
    const Vector<double> wave = (along.array() * 3.14159265358979323846).cos();
    const Vector<double> x = map.embedding().col(0);
    const Vector<double> a = wave.array() - wave.mean(), b = x.array() - x.mean();
    CHECK(std::abs(a.dot(b)) / (a.norm() * b.norm()) > 0.999);
  }

  const Dataset<> curve = spiral(300, 1);
  DiffusionMapOptions options;
  options.n_components = 1;
  options.n_neighbors = 8;
  options.alpha = 1;
  DiffusionMap<> rolled(options);
  CHECK(is_monotone(rolled.fit(curve.points).embedding(), curve.coordinates.col(0)));
}

TEST_CASE("A bipartite graph is said to be one", "[diffusion]") {
  DiffusionMapOptions options;
  options.n_components = 9;
  DiffusionMap<> map(options);
  map.fit_affinity(test::cycle(10));
  const auto says = [&](const std::string& word) {
    for (const auto& note : map.report().notes)
      if (note.find(word) != std::string::npos) return true;
    return false;
  };
  CHECK(says("bipartite"));
  CHECK(std::abs(map.eigenvalues()(8) + 1) < 1e-12);
  CHECK_THROWS_AS(map.embedding_at(0.5), ParameterError);  // a root of -1
  CHECK(map.embedding_at(2).allFinite());
  map.fit_affinity(test::cycle(11));
  CHECK_FALSE(says("bipartite"));
  SparseMatrix<double> lazy = test::cycle(10);
  for (Index i = 0; i < 10; ++i) lazy.insert(i, i) = 1;
  lazy.makeCompressed();
  map.fit_affinity(lazy);
  CHECK_FALSE(says("bipartite"));
}

TEMPLATE_TEST_CASE("DiffusionMap of data in pieces", "[diffusion][contract36][contract38]", float,
                   double) {
  using Scalar = TestType;
  Matrix<Scalar> X = test::gaussian<Scalar>(60, 2, 4);
  X.bottomRows(25).col(0).array() += 1000;
  using Map = DiffusionMap<Scalar>;
  for (const bool sparse : {false, true}) {
    DiffusionMapOptions options = dense(3, 1);
    if (sparse) options.n_neighbors = 6;
    CHECK_THROWS_AS(Map(options).fit_transform(X), DisconnectedGraphError);
    options.on_disconnected = OnDisconnected::allow;
    Map map(options);
    map.fit(X);
    CHECK(map.eigenvalues()(0) == 1);
    CHECK(map.eigenvalues()(1) == 1);
    CHECK(map.eigenvalues()(2) < 1);
    CHECK(map.report().graph_components == 2);
    CHECK((map.embedding().row(0) - map.embedding().row(59)).head(2).norm() > 1e-2);
    options.on_disconnected = OnDisconnected::largest_component;
    if (!sparse) {
      CHECK_THROWS_AS(Map(options).fit_transform(X), ParameterError);
      continue;
    }
    Map part(options);
    part.fit(X);
    CHECK(part.kept_samples().size() == 35);
  }
  // A point on its own, out of reach of every other.
  X = test::gaussian<Scalar>(30, 2, 4);
  X.row(0).setConstant(1000);
  try {
    Map(dense(2, 1)).fit_transform(X);
    FAIL("nothing was thrown");
  } catch (const NumericalError& error) {
    CHECK(std::string(error.what()).find("bandwidth too small") != std::string::npos);
    CHECK(std::string(error.what()).find("point 0") != std::string::npos);
  }
}

TEST_CASE("Options of DiffusionMap are checked", "[diffusion][contract9]") {
  const Matrix<double> X = swiss_roll(30, 2).points;
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const auto refused = [&](auto&& change) {
    DiffusionMapOptions options;
    change(options);
    CHECK_THROWS_AS(DiffusionMap<>(options).fit_transform(X), ParameterError);
  };
  for (const double bad : {-0.1, 1.1, nan}) refused([&](auto& o) { o.alpha = bad; });
  for (const double bad : {-1.0, nan, infinity}) refused([&](auto& o) { o.time = bad; });
  for (const double bad : {0.0, -1.0, nan, infinity}) refused([&](auto& o) { o.bandwidth = bad; });
  for (const double bad : {0.0, -1.0, nan, infinity}) refused([&](auto& o) { o.radius = bad; });
  for (const Index bad : {0, -1, 30}) refused([&](auto& o) { o.n_neighbors = bad; });
}

TEST_CASE("DiffusionMap gives the same answer by every route",
          "[diffusion][differential][contract12][contract18][contract56]") {
  DiffusionMapOptions options;
  test::Routes routes{"diffusion_map"};
  test::check_every_route<DiffusionMap<float>, DiffusionMap<double>>(options, routes);
}
