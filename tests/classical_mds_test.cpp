#include "unfurl/classical_mds.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include "differential/estimators.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"
#include "unfurl/pca.hpp"

using namespace unfurl;
using test::max_abs_diff;
using test::pairwise_distances;

namespace {

/// Theorem 4.4 word for word: B = -1/2 E D2 E, X* = V sqrt(Lambda+).
Eigen::MatrixXd textbook(const Eigen::MatrixXd& D, Index k, Eigen::VectorXd* all = nullptr) {
  const Index n = D.rows();
  const Eigen::MatrixXd E =
      Eigen::MatrixXd::Identity(n, n) - Eigen::MatrixXd::Constant(n, n, 1 / static_cast<double>(n));
  const Eigen::MatrixXd B = -0.5 * E * D.cwiseAbs2() * E;
  const test::DenseEigen solver(B);
  if (all) *all = solver.eigenvalues().reverse();
  Eigen::MatrixXd Y(n, k);
  for (Index j = 0; j < k; ++j)
    Y.col(j) = solver.eigenvectors().col(n - 1 - j) *
               std::sqrt(std::max(0.0, solver.eigenvalues()(n - 1 - j)));
  return Y;
}

ClassicalMDSOptions components(Index k) {
  ClassicalMDSOptions options;
  options.n_components = k;
  return options;
}

template <class Scalar>
Matrix<Scalar> cloud(Index n, Index p, std::uint64_t seed = 11) {
  Matrix<Scalar> X = test::gaussian<Scalar>(n, p, seed);
  for (Index j = 0; j < p; ++j) X.col(j) *= static_cast<Scalar>(p + 2 - j);
  return X;
}

Matrix<double> circle_distances(Index m) {
  Matrix<double> D(m, m);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < m; ++j) {
      const Index gap = std::abs(i - j);
      D(i, j) = 2 * test::pi * static_cast<double>(std::min(gap, m - gap)) / static_cast<double>(m);
    }
  return D;
}

}  // namespace

// Where the tolerance of the eigenpairs is relative to a bound that the outlier makes large, the
// coordinates of all others lose digits (1e-6 instead of 1e-10).
TEST_CASE("one far outlier takes no digits from the coordinates of the others", "[classical_mds]") {
  Matrix<double> X = cloud<double>(1000, 4);
  X.row(0).setConstant(1e5);
  ClassicalMDS<> by_distances(components(3)), by_points(components(3));
  by_distances.fit_distances(pairwise_distances(X));
  by_points.fit(X);
  for (Index k = 0; k < 3; ++k) {
    CAPTURE(k);
    const double value = by_points.eigenvalues()(k);
    CHECK(std::abs(by_distances.eigenvalues()(k) - value) < 1e-8 * value);
    CHECK(test::max_abs_diff_up_to_sign(by_distances.embedding().col(k).normalized(),
                                        by_points.embedding().col(k).normalized()) < 1e-7);
  }
}

TEMPLATE_TEST_CASE("points and their distances give the textbook's embedding", "[classical_mds]",
                   float, double) {
  for (const Index n : {2, 30, 80, 600}) {
    const Matrix<TestType> X = cloud<TestType>(n, 5);
    const Matrix<TestType> D = pairwise_distances(X);
    const Index k = std::min<Index>(3, n - 1);
    const Eigen::MatrixXd expected = textbook(D.template cast<double>(), k);
    ClassicalMDS<TestType> points(components(k)), distances(components(k));
    points.fit(X);
    distances.fit_distances(D);
    const double tolerance =
        (std::is_same_v<TestType, double> ? 1e-10 : 1e-4) * (1 + expected.cwiseAbs().maxCoeff());
    CAPTURE(n);
    CHECK(test::max_abs_diff_up_to_sign(points.embedding(), expected) < tolerance);
    CHECK(test::max_abs_diff_up_to_sign(distances.embedding(), expected) < tolerance);
    CHECK(max_abs_diff(points.eigenvalues(), distances.eigenvalues()) <
          tolerance * static_cast<double>(points.eigenvalues()(0)));
    CHECK(points.negative_mass() == 0);
    CHECK(distances.negative_mass() < 1e-6);
    CHECK(points.report().certified);
    CHECK(distances.report().certified);
  }
}

TEST_CASE("on Euclidean distances it is PCA", "[classical_mds][anchorA1][anchorA2]") {
  const Matrix<double> X = cloud<double>(80, 5);
  ClassicalMDS<> mds(components(5));
  mds.fit_distances(pairwise_distances(X));
  PCAOptions options;
  options.n_components = 5;
  PCA<> pca(options);
  pca.fit(X);
  const double scale = pca.embedding().cwiseAbs().maxCoeff();
  CHECK(test::max_abs_diff_up_to_sign(mds.embedding(), pca.embedding()) < 1e-10 * scale);
  CHECK(max_abs_diff(mds.eigenvalues(), pca.singular_values().cwiseAbs2().eval()) <
        1e-12 * mds.eigenvalues()(0));
  CHECK(max_abs_diff(pairwise_distances(mds.embedding()), pairwise_distances(X)) < 1e-10 * scale);
  CHECK(mds.stress() < 1e-12);
}

TEST_CASE("the three matrices of the lecture: triangle, tetrahedron, square",
          "[classical_mds][euclidean_test]") {
  const double r = std::sqrt(2.0);
  Matrix<double> triangle(3, 3), tetrahedron(4, 4), square(4, 4);
  triangle << 0, 1, 1, 1, 0, 1, 1, 1, 0;
  tetrahedron << 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0;
  square << 0, 1, r, 1, 1, 0, 1, r, r, 1, 0, 1, 1, r, 1, 0;
  for (const auto& [D, dimension] :
       {std::pair<Matrix<double>, Index>{triangle, 2}, {tetrahedron, 3}, {square, 2}}) {
    const EuclideanTest test = euclidean_test(D);
    CHECK(test.embeddable);
    CHECK(test.dimension == dimension);
    CHECK(test.witness.size() == 0);
    CHECK(test.additive_constant == 0);
    ClassicalMDS<> mds(components(dimension));
    mds.fit_distances(D);
    CHECK(max_abs_diff(pairwise_distances(mds.embedding()), D) < 1e-12);
  }
  // The tetrahedron does not fit in the plane.
  ClassicalMDS<> flat(components(2));
  flat.fit_distances(tetrahedron);
  CHECK(flat.stress() > 0.1);
}

TEST_CASE("matrices that are no Euclidean distances get a witness", "[euclidean_test]") {
  Matrix<double> cycle(4, 4);
  cycle << 0, 1, 2, 1, 1, 0, 1, 2, 2, 1, 0, 1, 1, 2, 1, 0;
  for (const Matrix<double>& D : {cycle, circle_distances(40)}) {
    const EuclideanTest test = euclidean_test(D);
    CHECK_FALSE(test.embeddable);
    REQUIRE(test.witness.size() == D.rows());
    CHECK(std::abs(test.witness.sum()) < 1e-12);
    CHECK(test.witness.dot(D.cwiseAbs2() * test.witness) > 1e-3);
    CHECK(test.negative_mass > 0.05);
    // Lingoes: the constant repairs the squares, and no smaller one does.
    const auto repaired = [&](double c) {
      Matrix<double> squares = D.cwiseAbs2();
      squares.array() += c;
      squares.diagonal().setZero();
      return euclidean_test(squares.cwiseSqrt().eval()).embeddable;
    };
    CHECK(repaired(test.additive_constant * (1 + 1e-9)));
    CHECK_FALSE(repaired(test.additive_constant * 0.99));
  }
  // Random points: the dimension is theirs; noise breaks it.
  for (const Index dimension : {1, 2, 5}) {
    Matrix<double> D = pairwise_distances(test::gaussian<double>(25, dimension));
    CHECK(euclidean_test(D).embeddable);
    CHECK(euclidean_test(D).dimension == dimension);
    CHECK(euclidean_test(D.cast<float>().eval()).dimension == dimension);
    D(3, 4) = D(4, 3) = D(3, 4) * 1.5;
    CHECK_FALSE(euclidean_test(D).embeddable);
  }
  CHECK(euclidean_test(Matrix<double>::Zero(5, 5)).embeddable);
  CHECK(euclidean_test(Matrix<double>::Zero(5, 5)).dimension == 0);
  CHECK(euclidean_test(Matrix<double>::Zero(1, 1)).embeddable);
  CHECK_THROWS_AS(euclidean_test(Matrix<double>::Ones(2, 2)), DataError);
  CHECK_THROWS_AS(euclidean_test(cycle, -1.0), ParameterError);
}

TEST_CASE("the geodesic circle: eigenvalues (-1)^(k+1) / k^2 in pairs",
          "[classical_mds][anchorA4][contract28][contract41]") {
  for (const Index m : {200, 700}) {  // 700 goes the iterative way
    ClassicalMDS<> mds(components(4));
    mds.fit_distances(circle_distances(m));
    const Vector<double> scaled = mds.eigenvalues() / static_cast<double>(m);
    const double expected[] = {1, 1, 1.0 / 9, 1.0 / 9};
    for (Index i = 0; i < 4; ++i) CHECK(std::abs(scaled(i) - expected[i]) < 1e-3);
    const Vector<double> radius = mds.embedding().leftCols(2).rowwise().norm();
    CHECK(radius.maxCoeff() / radius.minCoeff() < 1 + 1e-8);
    // Exact while all eigenvalues are computed, then that of a random sample.
    Eigen::VectorXd all;
    textbook(circle_distances(200), 1, &all);
    const double exact = -all.cwiseMin(0.0).sum() / all.cwiseAbs().sum();
    CHECK(std::abs(mds.negative_mass() - exact) < (m == 200 ? 1e-10 : 0.15 * exact));
    CHECK(mds.report().negative_mass == mds.negative_mass());
    CHECK(mds.report().certified);
  }
}

TEST_CASE("eigenvalues that are zero or negative",
          "[classical_mds][anchorA5][contract26][contract27]") {
  Matrix<double> D(3, 3);
  D << 0, .9, .1, .9, 0, .5, .1, .5, 0;
  Eigen::VectorXd all;
  textbook(D, 1, &all);
  CHECK(std::abs(all(0) - 0.4153519) < 1e-7);
  CHECK(std::abs(all(1)) < 1e-12);
  CHECK(std::abs(all(2) + 0.0586852) < 1e-7);
  ClassicalMDS<> mds(components(2));
  mds.fit_distances(D);
  CHECK(mds.embedding().col(1).isZero(0));
  CHECK(mds.eigenvalues()(1) == 0);
  CHECK(std::abs(mds.negative_mass() - 0.0586852 / (0.4153519 + 0.0586852)) < 1e-6);
  CHECK(mds.transform_distances(D).allFinite());

  Matrix<double> cycle(4, 4);
  cycle << 0, 1, 2, 1, 1, 0, 1, 2, 2, 1, 0, 1, 1, 2, 1, 0;
  // Ten points: the graph metric of a cycle with n_components beyond its positive eigenvalues.
  ClassicalMDS<> many(components(9));
  try {
    many.fit_distances(circle_distances(10));
    FAIL("nothing was thrown");
  } catch (const NumericalError& error) {
    CHECK(std::string(error.what()).find(" of 9 requested eigenvalues are positive") !=
          std::string::npos);
  }
  CHECK_FALSE(many.is_fitted());
}

TEST_CASE("more components than features are zero columns", "[classical_mds][anchorA2]") {
  const Matrix<double> X = cloud<double>(20, 2);
  ClassicalMDS<> mds(components(5));
  mds.fit(X);
  CHECK(mds.embedding().rightCols(3).isZero(0));
  CHECK(mds.transform(X).rightCols(3).isZero(0));
  ClassicalMDS<> distances(components(5));
  distances.fit_distances(pairwise_distances(X));
  CHECK(distances.embedding().rightCols(3).isZero(0));
}

TEMPLATE_TEST_CASE("new points are placed by their distances", "[classical_mds]", float, double) {
  const Matrix<TestType> X = cloud<TestType>(60, 3), fresh = cloud<TestType>(17, 3, 99);
  const Matrix<TestType> D = pairwise_distances(X);
  Matrix<TestType> between(17, 60);
  for (Index i = 0; i < 17; ++i)
    for (Index j = 0; j < 60; ++j) between(i, j) = (fresh.row(i) - X.row(j)).norm();
  ClassicalMDS<TestType> points(components(3)), distances(components(3));
  points.fit(X);
  distances.fit_distances(D);
  const double tolerance = std::is_same_v<TestType, double> ? 1e-10 : 1e-3;
  CHECK(max_abs_diff(distances.transform_distances(D), distances.embedding()) < tolerance);
  CHECK(max_abs_diff(points.transform_distances(D), points.embedding()) < tolerance);
  CHECK(max_abs_diff(points.transform(fresh), points.transform_distances(between)) < tolerance);
  // In three dimensions nothing is lost: distances among the new points are kept.
  CHECK(max_abs_diff(pairwise_distances(distances.transform_distances(between)),
                     pairwise_distances(fresh)) < 10 * tolerance);
  const Matrix<TestType> whole = distances.transform_distances(between);
  for (Index i = 0; i < 17; ++i)
    CHECK(test::same_bytes(distances.transform_distances(between.row(i)), whole.row(i)));
}

TEST_CASE("transforms check their input", "[classical_mds][contract8]") {
  const Matrix<double> X = cloud<double>(20, 3);
  ClassicalMDS<> mds;
  CHECK_THROWS_AS(mds.transform_distances(Matrix<double>::Ones(1, 20)), NotFittedError);
  mds.fit_distances(pairwise_distances(X));
  CHECK(mds.n_features() == 0);
  try {
    mds.transform(X);
    FAIL("nothing was thrown");
  } catch (const NotFittedError& error) {
    CHECK(std::string(error.what()).find("transform_distances") != std::string::npos);
  }
  CHECK_THROWS_AS(mds.transform_distances(Matrix<double>::Ones(1, 19)), DimensionError);
  CHECK_THROWS_AS(mds.transform_distances(-Matrix<double>::Ones(1, 20)), DataError);
  CHECK_THROWS_AS(mds.transform_distances(Matrix<double>::Ones(1, 20) / 0.0), DataError);
  CHECK(mds.transform_distances(Matrix<double>(0, 20)).rows() == 0);
  CHECK_THROWS_AS(mds.fit_distances(X), DataError);
  CHECK_THROWS_AS(mds.fit_distances(-pairwise_distances(X)), DataError);
  CHECK(mds.is_fitted());
}

TEST_CASE("landmarks place the other points", "[classical_mds][landmarks]") {
  const Matrix<double> X = cloud<double>(300, 3);
  const Matrix<double> D = pairwise_distances(X);
  ClassicalMDSOptions options = components(3);
  options.n_landmarks = 20;
  ClassicalMDS<> points(options), distances(options);
  points.fit(X);
  distances.fit_distances(D);
  CHECK(points.landmarks().size() == 20);
  CHECK(points.landmarks() == distances.landmarks());
  // Euclidean distances in full dimension are recovered exactly from a few landmarks.
  CHECK(max_abs_diff(pairwise_distances(points.embedding()), D) < 1e-9);
  CHECK(max_abs_diff(pairwise_distances(distances.embedding()), D) < 1e-9);
  CHECK(test::max_abs_diff_up_to_sign(points.embedding(), distances.embedding()) < 1e-9);
  CHECK(max_abs_diff(distances.transform_distances(D), distances.embedding()) < 1e-9);
  Matrix<double> to_landmarks(300, 20);
  for (Index j = 0; j < 20; ++j)
    to_landmarks.col(j) = D.col(distances.landmarks()[static_cast<std::size_t>(j)]);
  CHECK(test::same_bytes(distances.transform_distances(to_landmarks),
                         distances.transform_distances(D)));
  std::stringstream stream;
  distances.save(stream);
  CHECK(test::same_bytes(ClassicalMDS<>::load(stream).transform_distances(D),
                         distances.transform_distances(D)));

  options.seed = 1;
  ClassicalMDS<> other(options);
  CHECK(other.fit(X).landmarks() != points.landmarks());
  for (const Index bad : {Index{-1}, Index{3}, Index{301}}) {
    options.n_landmarks = bad;
    CHECK_THROWS_AS(ClassicalMDS<>(options).fit_transform(X), ParameterError);
  }
  options.n_landmarks = 300;
  ClassicalMDS<> all(options), none(components(3));
  CHECK(test::same_bytes(all.fit_transform(X), none.fit_transform(X)));
}

TEST_CASE("100000 points never see an n x n matrix", "[classical_mds][contract60]") {
  ClassicalMDSOptions options = components(2);
  options.memory_limit = 20000000;
  ClassicalMDS<> mds(options);
  const Matrix<double> X = cloud<double>(100000, 3);
  mds.fit(X);
  CHECK(mds.embedding().allFinite());
  CHECK(mds.report().peak_bytes < 20000000);
  ClassicalMDSOptions small = components(2);
  small.memory_limit = 1000;
  ClassicalMDS<> limited(small);
  CHECK_THROWS_AS(limited.fit_distances(pairwise_distances(cloud<double>(50, 3))), SizeLimitError);
}

TEST_CASE("the sampled stress is close to that of all pairs", "[classical_mds]") {
  const Matrix<double> X = cloud<double>(700, 6);
  const Matrix<double> D = pairwise_distances(X);
  ClassicalMDS<> mds(components(2));
  mds.fit(X);
  const Matrix<double> E = pairwise_distances(mds.embedding());
  const double exact = (D - E).norm() / D.norm();
  CHECK(std::abs(mds.stress() / exact - 1) < 0.02);
  const bool said = std::any_of(
      mds.report().notes.begin(), mds.report().notes.end(),
      [](const std::string& note) { return note.find("random pairs") != std::string::npos; });
  CHECK(said);
}

TEST_CASE("an eigensolver of the user's own", "[classical_mds]") {
  struct Mine {
    bool broken = false;
    EigenPairs<double> operator()(const Matrix<double>& A, Index k, Which which) const {
      EigenPairs<double> pairs = DenseSolver{}(A, k, which);
      pairs.info = {};
      if (broken) pairs.values(0) *= 2;
      return pairs;
    }
  };
  const Matrix<double> D = pairwise_distances(cloud<double>(40, 3));
  ClassicalMDS<double, Mine> mds(components(2));
  ClassicalMDS<> reference(components(2));
  mds.fit_distances(D);
  reference.fit_distances(D);
  CHECK(test::max_abs_diff(mds.embedding(), reference.embedding()) < 1e-10);
  CHECK_FALSE(mds.report().certified);  // nobody knows whether an eigenvalue is missing
  ClassicalMDS<double, Mine> broken(components(2), Mine{true});
  CHECK_THROWS_AS(broken.fit_distances(D), ConvergenceError);
}

TEST_CASE("city-block distances of iris agree with scikit-learn", "[classical_mds][golden]") {
  const Matrix<double> D = test::golden("mds_iris_distances.csv");
  ClassicalMDS<> mds(components(3));
  mds.fit_distances(D);
  CHECK(test::max_abs_diff_up_to_sign(mds.embedding(), test::golden("mds_iris_scores.csv")) < 1e-9);
  const Matrix<double> all = test::golden("mds_iris_eigenvalues.csv");
  CHECK(max_abs_diff(mds.eigenvalues(), all.row(0).head(3).transpose().eval()) < 1e-9);
  CHECK(std::abs(mds.negative_mass() - -all.cwiseMin(0.0).sum() / all.cwiseAbs().sum()) < 1e-12);
}

TEST_CASE("ClassicalMDS gives the same answer by every route",
          "[classical_mds][differential][contract12][contract18][contract56]") {
  ClassicalMDSOptions options;
  test::Routes routes{"classical_mds"};
  routes.keeps_distances = true;
  test::check_every_route<ClassicalMDS<float>, ClassicalMDS<double>>(options, routes);
}
