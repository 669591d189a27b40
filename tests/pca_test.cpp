#include "unfurl/pca.hpp"

#include <cmath>
#include <string>

#include "differential/estimators.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using test::max_abs_diff;

namespace {

/// By definition: the SVD of the centred data.
struct Oracle {
  Eigen::MatrixXd axes;
  Eigen::VectorXd singular_values;
  explicit Oracle(const Eigen::MatrixXd& X) {
    const Eigen::MatrixXd Xc = X.rowwise() - X.colwise().mean();
    const test::DenseSVD svd(Xc);
    axes = svd.V;
    singular_values = svd.singular_values;
  }
};

/// Variances 25, 16, 9, 4, then 1, rotated and shifted.
template <class Scalar>
Matrix<Scalar> cloud(Index n, Index p, std::uint64_t seed = 3, double offset = 7) {
  Eigen::MatrixXd X = test::gaussian<double>(n, p, seed);
  for (Index j = 0; j < std::min<Index>(4, p); ++j) X.col(j) *= static_cast<double>(5 - j);
  const Eigen::MatrixXd Q = test::orthogonal_factor(test::gaussian<double>(p, p, seed + 1));
  return ((X * Q).array() + offset).matrix().template cast<Scalar>();
}

PCAOptions with(PCASolver solver, Index k = 3) {
  PCAOptions options;
  options.solver = solver;
  options.n_components = k;
  return options;
}

constexpr PCASolver exact_solvers[] = {PCASolver::automatic, PCASolver::full, PCASolver::lanczos};

}  // namespace

TEMPLATE_TEST_CASE("every exact solver finds the SVD of the centred data, for any shape", "[pca]",
                   float, double) {
  const double tolerance = std::is_same_v<TestType, double> ? 1e-9 : 2e-4;
  for (const auto& [n, p] :
       {std::pair<Index, Index>{200, 8}, {8, 200}, {40, 40}, {900, 300}, {300, 900}, {5000, 5}}) {
    const Matrix<TestType> X = cloud<TestType>(n, p);
    const Oracle oracle(X.template cast<double>());
    for (const PCASolver solver : exact_solvers) {
      CAPTURE(n, p, static_cast<int>(solver));
      PCA<TestType> pca(with(solver));
      pca.fit(X);
      const double largest = oracle.singular_values(0);
      CHECK(max_abs_diff(pca.singular_values(), oracle.singular_values.head(3).eval()) <
            tolerance * largest);
      CHECK(test::subspace_distance(pca.components().transpose(), oracle.axes.leftCols(3)) <
            tolerance);
      CHECK(test::max_abs_diff_up_to_sign(pca.components().transpose(), oracle.axes.leftCols(3)) <
            10 * tolerance);
      CHECK(max_abs_diff((pca.components() * pca.components().transpose()).eval(),
                         Matrix<TestType>::Identity(3, 3)) < 1e-5);
      CHECK(pca.report().certified);
      CHECK(test::same_bytes(pca.transform(X), pca.embedding()));
    }
  }
}

TEST_CASE("a tall scatter matrix is assembled from tiles and row groups", "[pca]") {
  // 1100 features: several tiles; 9000 samples: several groups.
  const Matrix<double> X = cloud<double>(9000, 40), wide = cloud<double>(1200, 1100);
  for (const Matrix<double>& data : {X, wide}) {
    const Parallel parallel(3);
    const Vector<double> mean = column_means<double>(data, parallel);
    const CenteredRows<double> view(data, mean, parallel);
    const Eigen::MatrixXd Xc = data.rowwise() - data.colwise().mean();
    const double scale = Xc.squaredNorm();
    CHECK(max_abs_diff(view.scatter(), (Xc.transpose() * Xc).eval()) < 1e-13 * scale);
    CHECK(std::abs(view.squared_norm() - scale) < 1e-12 * scale);
    const Matrix<double> W = test::gaussian<double>(data.cols(), 3),
                         U = test::gaussian<double>(data.rows(), 2);
    CHECK(max_abs_diff(view.times(W), (Xc * W).eval()) < 1e-10);
    CHECK(max_abs_diff(view.transposed_times(U), (Xc.transpose() * U).eval()) < 1e-9);
    CHECK(max_abs_diff(view.squared_row_norms(), Xc.rowwise().squaredNorm().eval()) < 1e-9);
    if (data.rows() < 2000)
      CHECK(max_abs_diff(view.gram(), (Xc * Xc.transpose()).eval()) < 1e-13 * scale);
  }
}

TEST_CASE("variance identities", "[pca][anchorA3]") {
  const Matrix<double> X = cloud<double>(150, 6);
  const Eigen::MatrixXd Xc = X.rowwise() - X.colwise().mean();
  const Oracle oracle(X);
  PCA<> all(with(PCASolver::automatic, 6));
  all.fit(X);
  const double total = Xc.squaredNorm() / 149;
  CHECK(std::abs(all.explained_variance().sum() - total) < 1e-12 * total);
  CHECK(std::abs(all.explained_variance_ratio().sum() - 1) < 1e-12);
  CHECK(all.noise_variance() == 0);
  for (Index r = 1; r < 6; ++r) {
    PCA<> pca(with(PCASolver::automatic, r));
    const Matrix<double> back = pca.inverse_transform(pca.fit_transform(X));
    const double rest = oracle.singular_values.tail(6 - r).squaredNorm();
    CHECK(std::abs((X - back).squaredNorm() - rest) < 1e-12 * Xc.squaredNorm());  // Eckart–Young
    CHECK(std::abs(pca.noise_variance() - rest / 149 / static_cast<double>(6 - r)) < 1e-12 * total);
    const Eigen::MatrixXd scores = pca.embedding();
    CHECK(scores.colwise().mean().cwiseAbs().maxCoeff() < 1e-12);
    const Eigen::MatrixXd covariance = scores.transpose() * scores / 149;
    const Eigen::MatrixXd diagonal = pca.explained_variance().asDiagonal();
    CHECK(max_abs_diff(covariance, diagonal) < 1e-12 * total);
  }
}

TEMPLATE_TEST_CASE("whitened scores have unit variance and inverse_transform undoes them", "[pca]",
                   float, double) {
  const Matrix<TestType> X = cloud<TestType>(300, 5);
  PCAOptions options;
  options.n_components = 5;
  options.whiten = true;
  PCA<TestType> pca(options);
  const Matrix<TestType> Y = pca.fit_transform(X);
  const Matrix<TestType> covariance = Y.transpose() * Y / TestType(299);
  CHECK(max_abs_diff(covariance, Matrix<TestType>::Identity(5, 5)) < test::tol<TestType>(1e-12));
  CHECK(max_abs_diff(pca.inverse_transform(Y), X) < test::tol<TestType>(1e-12));
  CHECK(test::same_bytes(pca.transform(X), Y));
}

TEST_CASE("data of lower rank: zero scores, orthonormal components",
          "[pca][contract22][contract23]") {
  for (const PCASolver solver : exact_solvers)
    for (const auto& [n, p] : {std::pair<Index, Index>{50, 7}, {7, 50}, {600, 500}}) {
      CAPTURE(n, p, static_cast<int>(solver));
      Matrix<double> X = test::gaussian<double>(n, 2) * test::gaussian<double>(2, p, 4);
      X.array() += 3;
      PCAOptions options = with(solver, 5);
      options.whiten = GENERATE(false, true);
      PCA<> pca(options);
      pca.fit(X);
      CHECK(pca.embedding().allFinite());
      if (!options.whiten) CHECK(pca.embedding().rightCols(3).cwiseAbs().maxCoeff() < 1e-8);
      CHECK(max_abs_diff((pca.components() * pca.components().transpose()).eval(),
                         Eigen::MatrixXd::Identity(5, 5)) < 1e-9);
      CHECK(pca.explained_variance_ratio().head(2).sum() > 1 - 1e-12);
    }
  PCA<> pca(with(PCASolver::automatic, 2));
  const Matrix<double> constant = Matrix<double>::Constant(30, 3, 0.1);
  pca.fit(constant);
  CHECK(pca.embedding().cwiseAbs().maxCoeff() < 1e-15);
  CHECK(pca.explained_variance_ratio().maxCoeff() == 0);
  CHECK(pca.noise_variance() < 1e-30);
}

TEST_CASE("signs are decided by the loadings", "[pca][contract18]") {
  const Matrix<double> X = cloud<double>(100, 6);
  PCA<> pca(with(PCASolver::automatic, 6)), flipped(with(PCASolver::automatic, 6));
  pca.fit(X);
  flipped.fit(-X);
  for (Index j = 0; j < 6; ++j) {
    Index at = 0;
    pca.components().row(j).cwiseAbs().maxCoeff(&at);
    CHECK(pca.components()(j, at) > 0);
  }
  CHECK(max_abs_diff(pca.components(), flipped.components()) < 1e-10);
}

TEST_CASE("float agrees with double, also far from the origin", "[pca][anchorG1]") {
  for (const auto& [offset, tolerance] : {std::pair<double, double>{0, 1e-5}, {1e4, 1e-4}})
    for (const auto& [n, p] : {std::pair<Index, Index>{200, 10}, {4000, 300}}) {
      const Matrix<double> X = cloud<double>(n, p, 3, offset);
      PCA<double> wide(with(PCASolver::automatic, 4));
      PCA<float> narrow(with(PCASolver::automatic, 4));
      wide.fit(X);
      narrow.fit(X.cast<float>());
      CHECK(max_abs_diff(wide.singular_values(), narrow.singular_values()) <
            10 * tolerance * wide.singular_values()(0));
      CHECK(max_abs_diff(wide.components(), narrow.components()) < 10 * tolerance);
    }
}

TEST_CASE("variance_fraction picks the number of components", "[pca]") {
  const Matrix<double> X = cloud<double>(400, 30);
  PCA<> all(with(PCASolver::full, 30));
  all.fit(X);
  for (const PCASolver solver : {PCASolver::automatic, PCASolver::full})
    for (const double fraction : {0.05, 0.5, 0.9, 0.999, 1.0}) {
      PCAOptions options = with(solver);
      options.variance_fraction = fraction;
      PCA<> pca(options);
      pca.fit(X);
      const Index k = pca.n_components();
      CHECK(all.explained_variance_ratio().head(k).sum() >= fraction - 1e-12);
      CHECK((k == 1 || all.explained_variance_ratio().head(k - 1).sum() < fraction));
      CHECK(pca.embedding().cols() == k);
      CHECK(pca.options().n_components == 3);
    }
  for (const double bad : {0.0, -0.1, 1.1, std::nan("")}) {
    PCAOptions options;
    options.variance_fraction = bad;
    CHECK_THROWS_AS(PCA<>(options).fit_transform(X), ParameterError);
  }
  PCAOptions options = with(PCASolver::randomized);
  options.variance_fraction = 0.5;
  CHECK_THROWS_AS(PCA<>(options).fit_transform(X), ParameterError);
}

TEST_CASE("the randomized solver is close, seeded, and says that it is not certified", "[pca]") {
  const Matrix<double> X = cloud<double>(600, 200);
  const Oracle oracle(X);
  PCA<> pca(with(PCASolver::randomized));
  pca.fit(X);
  CHECK(std::abs(pca.singular_values()(0) / oracle.singular_values(0) - 1) < 1e-3);
  CHECK(std::abs(pca.singular_values()(2) / oracle.singular_values(2) - 1) < 0.02);
  CHECK(test::subspace_distance(pca.components().transpose(), oracle.axes.leftCols(3)) < 0.2);
  CHECK_FALSE(pca.report().certified);
  PCA<> again(with(PCASolver::randomized));
  again.fit(X);
  CHECK(test::same_bytes(pca.embedding(), again.embedding()));
  PCAOptions better = with(PCASolver::randomized);
  better.n_power_iterations = 40;
  PCA<> accurate(better);
  accurate.fit(X);
  CHECK(test::subspace_distance(accurate.components().transpose(), oracle.axes.leftCols(3)) < 1e-3);
}

TEST_CASE("options of PCA are checked", "[pca][contract9]") {
  const Matrix<double> X = cloud<double>(20, 5);
  const auto refused = [&](auto&& change) {
    PCAOptions options;
    change(options);
    CHECK_THROWS_AS(PCA<>(options).fit_transform(X), ParameterError);
  };
  refused([](PCAOptions& o) { o.n_components = 6; });
  refused([](PCAOptions& o) { o.n_oversamples = -1; });
  refused([](PCAOptions& o) { o.n_power_iterations = -1; });
  refused([](PCAOptions& o) { o.solver = static_cast<PCASolver>(17); });
  PCAOptions options;
  options.n_components = 6;
  CHECK_THROWS_WITH(PCA<>(options).fit_transform(X),
                    "PCA: n_components must be in [1, 5], got 6 (it must be between 1 and "
                    "min(n_samples, n_features)=5)");
}

TEST_CASE("inverse_transform checks its input", "[pca]") {
  PCA<> pca;
  CHECK_THROWS_AS(pca.inverse_transform(Matrix<double>::Ones(1, 2)), NotFittedError);
  pca.fit(cloud<double>(20, 5));
  CHECK_THROWS_AS(pca.inverse_transform(Matrix<double>::Ones(1, 3)), DimensionError);
  Matrix<double> bad = Matrix<double>::Ones(2, 2);
  bad(1, 1) = std::nan("");
  CHECK_THROWS_AS(pca.inverse_transform(bad), DataError);
  CHECK(pca.inverse_transform(Matrix<double>(0, 2)).rows() == 0);
}

TEST_CASE("a loaded PCA has its variances but not the training embedding", "[pca][contract61]") {
  PCA<> pca(with(PCASolver::automatic, 3));
  const Matrix<double> X = cloud<double>(50, 6);
  pca.fit(X);
  std::stringstream stream;
  pca.save(stream);
  const PCA<> loaded = PCA<>::load(stream);
  CHECK(test::same_bytes(loaded.explained_variance(), pca.explained_variance()));
  CHECK(test::same_bytes(loaded.explained_variance_ratio(), pca.explained_variance_ratio()));
  CHECK(loaded.noise_variance() == pca.noise_variance());
  CHECK(loaded.spectrum_test().upper_edge == pca.spectrum_test().upper_edge);
  CHECK(test::same_bytes(loaded.inverse_transform(loaded.transform(X)),
                         pca.inverse_transform(pca.transform(X))));
  CHECK_THROWS_AS(loaded.embedding(), NotFittedError);
}

TEST_CASE("PCA of iris agrees with scikit-learn", "[pca][golden]") {
  const Matrix<double> X = test::golden("iris_X.csv");
  PCA<> pca(with(PCASolver::automatic, 3));
  pca.fit(X);
  CHECK(test::max_abs_diff_up_to_sign(pca.components().transpose().eval(),
                                      test::golden("pca_iris_components.csv").transpose().eval()) <
        1e-10);
  CHECK(test::max_abs_diff_up_to_sign(pca.embedding(), test::golden("pca_iris_scores.csv")) <
        1e-10);
  const Matrix<double> table = test::golden("pca_iris_variances.csv");
  CHECK(max_abs_diff(pca.explained_variance(), table.col(0).eval()) < 1e-12);
  CHECK(max_abs_diff(pca.explained_variance_ratio(), table.col(1).eval()) < 1e-12);
  CHECK(max_abs_diff(pca.singular_values(), table.col(2).eval()) < 1e-10);
  CHECK(std::abs(pca.noise_variance() - table(0, 3)) < 1e-12);
}

TEST_CASE("PCA gives the same answer by every route",
          "[pca][differential][contract12][contract56]") {
  PCAOptions options;
  test::Routes routes{"pca"};
  routes.fixes_signs = false;  // decided on the loadings
  routes.keeps_distances = true;
  test::check_every_route<PCA<float>, PCA<double>>(options, routes);
}
