#include <cmath>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"
#include "unfurl/spectral/auto_solver.hpp"
#include "unfurl/spectral/certify.hpp"

using namespace unfurl;
using test::pi;

namespace {

/// All eigenvalues by Eigen, to compare with: values, residuals, orthonormal vectors.
class Oracle {
 public:
  template <class A>
  explicit Oracle(const A& a) : dense_(a) {
    ascending_ = test::dense_eigenvalues(dense_);
  }

  void check(const EigenPairs<double>& pairs, Index k, Which which) const {
    const Eigen::VectorXd expected =
        which == Which::largest ? Eigen::VectorXd(ascending_.reverse()) : ascending_;
    const double scale = expected.cwiseAbs().maxCoeff() + 1e-300, tolerance = 1e-9 * scale;
    REQUIRE(pairs.values.size() == k);
    REQUIRE(pairs.vectors.cols() == k);
    CHECK(test::max_abs_diff(pairs.values, expected.head(k).eval()) < tolerance);
    const Eigen::MatrixXd residual =
        dense_ * pairs.vectors - pairs.vectors * pairs.values.asDiagonal();
    CHECK(residual.cwiseAbs().maxCoeff() < tolerance);
    CHECK(test::max_abs_diff((pairs.vectors.transpose() * pairs.vectors).eval(),
                             Eigen::MatrixXd::Identity(k, k)) < 1e-10);
    CHECK(pairs.info.complete);
    if (std::isfinite(pairs.info.next_value) && k < dense_.rows())
      CHECK(std::abs(pairs.info.next_value - expected(k)) < 1e-5 * scale);
  }

 private:
  Eigen::MatrixXd dense_;
  Eigen::VectorXd ascending_;
};

template <class A>
void check_pairs(const A& a, const EigenPairs<double>& pairs, Index k, Which which) {
  Oracle(a).check(pairs, k, which);
}

}  // namespace

TEST_CASE("repeated eigenvalues come with their full multiplicity, by every solver",
          "[spectral][contract41]") {
  // Cycles, tori, complete graphs, stars and disjoint copies: where single-vector Lanczos loses
  // twins while it reports success.
  const std::vector<std::pair<std::string, SparseMatrix<double>>> graphs = {
      {"cycle 200", test::normalized_laplacian(test::cycle(200))},
      {"cycle 601", test::normalized_laplacian(test::cycle(601))},
      {"torus 24 x 24", test::normalized_laplacian(test::torus(24, 24))},
      {"torus 30 x 20", test::normalized_laplacian(test::torus(30, 20))},
      {"complete 450", test::normalized_laplacian(test::complete(450))},
      {"star 500", test::normalized_laplacian(test::star(500))},
      {"four cycles 150", test::normalized_laplacian(test::copies(test::cycle(150), 4))},
      {"grid 25 x 25", test::normalized_laplacian(test::grid(25, 25))}};
  for (const auto& [name, L] : graphs) {
    const Oracle oracle(L);
    for (const Index k : {2, 3, 5, 8}) {
      CAPTURE(name, k);
      {
        INFO("AutoSolver");
        oracle.check(AutoSolver{}(L, k, Which::smallest), k, Which::smallest);
      }
      {
        INFO("ShiftInvertSolver");
        oracle.check(ShiftInvertSolver{}(L, k, Which::smallest), k, Which::smallest);
      }
      {
        INFO("LanczosSolver, both ends");
        oracle.check(LanczosSolver{}(L, k, Which::smallest), k, Which::smallest);
        oracle.check(LanczosSolver{}(L, k, Which::largest), k, Which::largest);
      }
    }
  }
}

TEST_CASE("a circle stays a circle", "[spectral][anchorC2][contract41]") {
  // On a sparse solver: the pair of the lowest frequency spans cos and sin.
  const Index n = 2000;
  const SparseMatrix<double> L = test::normalized_laplacian(test::cycle(n));
  const Matrix<double> constant =
      Matrix<double>::Constant(n, 1, 1 / std::sqrt(static_cast<double>(n)));
  for (const bool known : {false, true}) {
    const EigenPairs<double> all =
        known ? AutoSolver{}(L, 2, Which::smallest, constant) : AutoSolver{}(L, 3, Which::smallest);
    const Matrix<double> pair = all.vectors.rightCols(2);
    const Vector<double> radius = pair.rowwise().norm() * std::sqrt(static_cast<double>(n) / 2);
    CHECK((radius.array() - 1).abs().maxCoeff() < 1e-9);
    const double expected = 1 - std::cos(2 * pi / static_cast<double>(n));
    CHECK(std::abs(all.values(known ? 0 : 1) - expected) < 1e-12);
    CHECK(std::abs(all.values(known ? 1 : 2) - expected) < 1e-12);
    CHECK(all.info.path.find("shift-invert") == 0);
  }
}

TEST_CASE("known eigenvectors are left out by every path", "[spectral]") {
  for (const Index n : {100, 600}) {
    const SparseMatrix<double> L = test::normalized_laplacian(test::cycle(n));
    const Matrix<double> constant =
        Matrix<double>::Constant(n, 1, 1 / std::sqrt(static_cast<double>(n)));
    const double expected = 1 - std::cos(2 * pi / static_cast<double>(n));
    CHECK(std::abs(AutoSolver{}(L, 1, Which::smallest, constant).values(0) - expected) < 1e-12);
    CHECK(std::abs(LanczosSolver{}(L, 1, Which::smallest, constant).values(0) - expected) < 1e-10);
    CHECK(std::abs(ShiftInvertSolver{}(L, 1, Which::smallest, constant).values(0) - expected) <
          1e-12);
  }
}

TEST_CASE("dense, low-rank, scaled and degenerate matrices", "[spectral][contract40]") {
  const Index n = 450;
  const Matrix<double> X = test::gaussian<double>(n, 2);
  const Matrix<double> rank_two = X * X.transpose();
  const Matrix<double> G = test::gaussian<double>(n, n, 3);
  const Matrix<double> full = G + G.transpose();
  for (const double scale : {1.0, 1e-12, 1e12}) {
    check_pairs(Matrix<double>(rank_two * scale),
                AutoSolver{}(Matrix<double>(rank_two * scale), 2, Which::largest), 2,
                Which::largest);
    check_pairs(Matrix<double>(rank_two * scale),
                AutoSolver{}(Matrix<double>(rank_two * scale), 5, Which::largest), 5,
                Which::largest);
  }
  check_pairs(full, AutoSolver{}(full, 6, Which::largest), 6, Which::largest);
  check_pairs(full, AutoSolver{}(full, 6, Which::smallest), 6, Which::smallest);
  const Matrix<double> identity = Matrix<double>::Identity(n, n), zero = Matrix<double>::Zero(n, n);
  check_pairs(identity, AutoSolver{}(identity, 4, Which::largest), 4, Which::largest);
  check_pairs(zero, AutoSolver{}(zero, 4, Which::largest), 4, Which::largest);
  check_pairs(full, AutoSolver{}(full, n - 1, Which::largest), n - 1, Which::largest);
}

TEST_CASE("k close to n goes the dense way without a word", "[spectral][contract21]") {
  for (const Index n : {1, 2, 3, 5, 30})
    for (const Index k : {Index{1}, n - 1, n}) {
      if (k < 1) continue;
      const Matrix<double> G = test::gaussian<double>(n, n);
      const Matrix<double> A = G + G.transpose();
      check_pairs(A, AutoSolver{}(A, k, Which::largest), k, Which::largest);
      check_pairs(A, LanczosSolver{}(A, k, Which::smallest), k, Which::smallest);
    }
}

TEST_CASE("float matrices are solved to the accuracy of float", "[spectral]") {
  const Matrix<double> G = test::gaussian<double>(600, 600, 9);
  const Matrix<double> A = G * G.transpose() / 600;
  const Matrix<float> narrow = A.cast<float>();
  const EigenPairs<double> wide = AutoSolver{}(A, 4, Which::largest);
  const EigenPairs<float> pairs = AutoSolver{}(narrow, 4, Which::largest);
  CHECK(test::max_abs_diff(wide.values, pairs.values) < 1e-5);
  const SparseMatrix<float> L = test::normalized_laplacian(test::cycle(900)).cast<float>();
  const EigenPairs<float> circle = AutoSolver{}(L, 3, Which::smallest);
  const Vector<float> radius = circle.vectors.rightCols(2).rowwise().norm() * std::sqrt(450.f);
  CHECK((radius.array() - 1).abs().maxCoeff() < 1e-3f);
}

TEST_CASE("an operator of the user's own is solved, and its errors pass through", "[spectral]") {
  struct Diagonal {
    using Scalar = double;
    Index n = 3000;
    int fail_at = -1;
    mutable int calls = 0;
    Index rows() const { return n; }
    Index cols() const { return n; }
    void perform_op(const double* x, double* y) const {
      if (++calls == fail_at) throw std::runtime_error("mine");
      for (Index i = 0; i < n; ++i) y[i] = x[i] / static_cast<double>(1 + i);
    }
  };
  STATIC_REQUIRE(is_symmetric_operator_v<Diagonal>);
  STATIC_REQUIRE(is_eigen_solver_v<AutoSolver, Matrix<float>>);
  STATIC_REQUIRE(is_eigen_solver_v<DenseSolver, SparseMatrix<double>>);
  STATIC_REQUIRE_FALSE(is_eigen_solver_v<int, Matrix<double>>);
  const EigenPairs<double> pairs = AutoSolver{}(Diagonal{}, 3, Which::largest);
  for (Index i = 0; i < 3; ++i)
    CHECK(std::abs(pairs.values(i) - 1 / static_cast<double>(i + 1)) < 1e-11);
  for (const int at : {1, 8, 20}) {
    Diagonal failing;
    failing.fail_at = at;
    CHECK_THROWS_WITH(AutoSolver{}(failing, 3, Which::largest), "mine");
    CHECK(failing.calls == at);
  }
}

TEST_CASE("non-convergence is an error with its figures, never a narrower matrix",
          "[spectral][contract40]") {
  struct Noise {  // not a linear operator at all
    using Scalar = double;
    mutable Random random{1};
    Index rows() const { return 4000; }
    Index cols() const { return 4000; }
    void perform_op(const double*, double* y) const {
      for (Index i = 0; i < 4000; ++i) y[i] = random.normal();
    }
  };
  LanczosSolver solver;
  try {
    const auto pairs = solver(Noise{}, 3, Which::largest);
    certify("Test", OperatorOf<Noise>(Noise{}), const_cast<EigenPairs<double>&>(pairs), 3,
            Which::largest, 1);
    FAIL("nothing was thrown");
  } catch (const ConvergenceError& error) {
    CHECK(error.requested() == 3);
  }
}

TEST_CASE("the certificate catches what is not a set of eigenpairs", "[spectral][certify]") {
  const Matrix<double> G = test::gaussian<double>(50, 50);
  const Matrix<double> A = G + G.transpose();
  const Parallel parallel(1);
  const DenseOperator<double> op(A, parallel);
  const EigenPairs<double> good = DenseSolver{}(A, 4, Which::largest);
  const double scale = good.values.cwiseAbs().maxCoeff();
  const auto verdict = [&](EigenPairs<double> pairs) {
    try {
      certify("Test", op, pairs, 4, Which::largest, scale);
    } catch (const ConvergenceError& error) {
      return std::string(error.what());
    }
    return std::string("certified");
  };
  CHECK(verdict(good) == "certified");
  auto bad = good;
  bad.values(2) += 1e-3;
  CHECK(verdict(bad).find("residual") != std::string::npos);
  bad = good;
  bad.values.row(0).swap(bad.values.row(1));
  bad.vectors.col(0).swap(bad.vectors.col(1));
  CHECK(verdict(bad).find("order") != std::string::npos);
  bad = good;
  bad.vectors.col(1) = bad.vectors.col(0);
  CHECK(verdict(bad).find("orthonormal") != std::string::npos);
  bad = good;
  bad.vectors(3, 3) = std::nan("");
  CHECK(verdict(bad).find("NaN") != std::string::npos);
  bad = good;
  bad.values.conservativeResize(3);
  bad.vectors.conservativeResize(Eigen::NoChange, 3);
  CHECK(verdict(bad).find("asked for 4") != std::string::npos);
}

TEST_CASE("the report says what is known of a spectrum", "[spectral][certify]") {
  EigenPairs<double> pairs{Vector<double>::LinSpaced(3, 4, 2), Matrix<double>(), {}};
  FitReport report;
  report_spectrum(pairs, report);
  CHECK_FALSE(report.certified);
  CHECK(report.certificate.find("not certified") == 0);
  CHECK(report.eigengap < 0);
  pairs.info = {"path", true, "evidence", 1e-14, 1.0};
  report_spectrum(pairs, report);
  CHECK(report.certified);
  CHECK(report.certificate == "evidence");
  CHECK(report.eigengap == 0.25);
}

TEST_CASE("signs follow the entry of largest modulus, the first among near-ties",
          "[spectral][contract18]") {
  Matrix<double> M(3, 4);
  M << -3, 1, -1, 0,  //
      1, -2, 1 + 1e-12, 0, 2, 1, 0.5, 0;
  fix_signs(M);
  CHECK(M(0, 0) == 3);
  CHECK(M(1, 1) == 2);
  CHECK(M(0, 2) == 1);  // the first of two that tie but for rounding
  CHECK(M.col(3).isZero());
}

TEST_CASE("the number of threads does not change an eigenvector's bytes",
          "[spectral][contract56]") {
  const Matrix<double> G = test::gaussian<double>(600, 600);
  const Matrix<double> A = G + G.transpose();
  const SparseMatrix<double> L = test::normalized_laplacian(test::torus(30, 40));
  Matrix<double> dense, sparse;
  for (const int n_threads : {1, 2, 3, 8}) {
    const Parallel parallel(n_threads);
    AutoSolver solver;
    solver.parallel = &parallel;
    const auto a = solver(A, 3, Which::largest).vectors, b = solver(L, 5, Which::smallest).vectors;
    if (n_threads == 1) dense = a, sparse = b;
    CHECK(test::same_bytes(a, dense));
    CHECK(test::same_bytes(b, sparse));
  }
}

TEST_CASE("circle, torus and sphere: closed-form spectra",
          "[spectral][anchorD6][anchorD7][anchorD8]") {
  const auto walk_values = [](const Matrix<double>& X, double s, Index k) {
    Matrix<double> K(X.rows(), X.rows());
    for (Index i = 0; i < X.rows(); ++i)
      for (Index j = 0; j < X.rows(); ++j)
        K(i, j) = std::exp(-(X.row(i) - X.row(j)).squaredNorm() / (2 * s));
    const Vector<double> root = K.rowwise().sum().cwiseSqrt().cwiseInverse();
    const Matrix<double> S = root.asDiagonal() * K * root.asDiagonal();
    return AutoSolver{}(S, k, Which::largest).values;
  };
  SECTION("D6: circle") {
    for (const Index n : {300, 600}) {
      Matrix<double> X(n, 2);
      for (Index i = 0; i < n; ++i) {
        const double t = 2 * pi * static_cast<double>(i) / static_cast<double>(n);
        X.row(i) << std::cos(t), std::sin(t);
      }
      for (const auto& [s, expected] :
           {std::pair<double, std::vector<double>>{0.1, {1, .94859983, .81028003, .62448781}},
            {0.05, {1, .97467051, .90253295, .79416392}}}) {
        const Vector<double> values = walk_values(X, s, 7);
        for (Index i = 0; i < 7; ++i)
          CHECK(std::abs(values(i) - expected[static_cast<std::size_t>((i + 1) / 2)]) < 1e-8);
      }
    }
  }
  SECTION("D7: flat torus") {
    Matrix<double> X(24 * 24, 4);
    for (Index i = 0; i < 24; ++i)
      for (Index j = 0; j < 24; ++j)
        X.row(24 * i + j) << std::cos(2 * pi * static_cast<double>(i) / 24),
            std::sin(2 * pi * static_cast<double>(i) / 24),
            std::cos(2 * pi * static_cast<double>(j) / 24),
            std::sin(2 * pi * static_cast<double>(j) / 24);
    const Vector<double> values = walk_values(X, 0.3, 9);
    CHECK(std::abs(values(0) - 1) < 1e-12);
    for (Index i = 1; i < 5; ++i) CHECK(std::abs(values(i) - .83190007) < 1e-8);
    for (Index i = 5; i < 9; ++i) CHECK(std::abs(values(i) - .69205773) < 1e-8);
  }
  SECTION("D8: sphere, multiplicities 3, 5, 7") {
    const Index n = 1000;
    Matrix<double> X(n, 3);
    for (Index i = 0; i < n; ++i) {
      const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(n);
      const double t = pi * (1 + std::sqrt(5.0)) * static_cast<double>(i), r = std::sqrt(1 - z * z);
      X.row(i) << r * std::cos(t), r * std::sin(t), z;
    }
    const Vector<double> values = walk_values(X, 0.1, 16);
    for (Index i = 1; i < 16; ++i)
      CHECK(std::abs(values(i) - (i < 4 ? .9 : i < 9 ? .73 : .535)) < 2e-3);
  }
}
