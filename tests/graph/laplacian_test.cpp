#include "unfurl/graph/laplacian.hpp"

#include <cmath>
#include <string>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/kernels/radial.hpp"

using namespace unfurl;

namespace {

/// A connected weighted graph, with the loops of a kernel if wanted.
template <class Scalar>
SparseMatrix<Scalar> random_weights(Index n, SelfLoops loops, std::uint64_t seed = 5) {
  return affinity(sample::random_graph<Scalar>(n, 0.1, seed, true),
                  GaussianKernel<Scalar>(Scalar(0.4)), loops, Parallel(1));
}

/// U and Λ of A_s, eigenvalues descending.
struct Decomposition {
  Matrix<double> U;
  Vector<double> values;
  explicit Decomposition(const Matrix<double>& A) {
    const test::DenseEigen solver(A);
    U = solver.eigenvectors().rowwise().reverse();
    values = solver.eigenvalues().reverse();
  }
};

const Parallel two(2);

}  // namespace

TEMPLATE_TEST_CASE("The matrices of a graph are what their formulas say", "[graph][laplacian]",
                   float, double) {
  using S = TestType;
  const auto loops = GENERATE(SelfLoops::none, SelfLoops::kernel);
  const SparseMatrix<S> W = random_weights<S>(70, loops);
  const Matrix<S> dense(W), I = Matrix<S>::Identity(70, 70);
  const Vector<S> d = dense.rowwise().sum();
  const Matrix<S> D = d.asDiagonal(), inverse = d.cwiseInverse().asDiagonal();
  const Matrix<S> root = d.cwiseSqrt().cwiseInverse().asDiagonal();
  const Matrix<S> L = D - dense, P = inverse * dense, A = root * dense * root;
  const S tolerance = test::tol<S>(1e-14);

  CHECK(test::max_abs_diff(degrees(W, two), d) < tolerance);
  CHECK(test::max_abs_diff(Matrix<S>(laplacian(W, two)), L) < tolerance);
  CHECK(test::max_abs_diff(Matrix<S>(walk_matrix(W, two)), P) < tolerance);
  CHECK(test::max_abs_diff(Matrix<S>(symmetric_walk_matrix(W, two)), A) < tolerance);
  CHECK(test::max_abs_diff(Matrix<S>(symmetric_laplacian(W, two)), (I - A).eval()) < tolerance);
  CHECK(test::max_abs_diff(Matrix<S>(walk_laplacian(W, two)), (I - P).eval()) < tolerance);

  CHECK(test::max_abs_diff(degrees(dense, two), d) < tolerance);
  CHECK(test::max_abs_diff(laplacian(dense, two), L) < tolerance);
  CHECK(test::max_abs_diff(walk_matrix(dense, two), P) < tolerance);
  CHECK(test::max_abs_diff(symmetric_walk_matrix(dense, two), A) < tolerance);
  CHECK(test::max_abs_diff(symmetric_laplacian(dense, two), (I - A).eval()) < tolerance);
  CHECK(test::max_abs_diff(walk_laplacian(dense, two), (I - P).eval()) < tolerance);

  const Matrix<S> As(symmetric_walk_matrix(W, two)), Ls(symmetric_laplacian(W, two));
  CHECK(test::same_bytes(As, As.transpose().eval()));
  CHECK(test::same_bytes(Ls, Ls.transpose().eval()));
  CHECK(laplacian(W, two).isCompressed());
}

TEMPLATE_TEST_CASE("Density normalisation divides by the density to the power alpha",
                   "[graph][laplacian]", float, double) {
  using S = TestType;
  const SparseMatrix<S> K = random_weights<S>(40, SelfLoops::kernel);
  const Vector<S> q = Matrix<S>(K).rowwise().sum();
  for (const double alpha : {0.0, 0.5, 1.0}) {
    const Matrix<S> found(density_normalized(K, static_cast<S>(alpha), two));
    const Matrix<S> from_dense = density_normalized(Matrix<S>(K), static_cast<S>(alpha), two);
    Matrix<S> expected(K);
    for (Index i = 0; i < 40; ++i)
      for (Index j = 0; j < 40; ++j)
        expected(i, j) /= static_cast<S>(std::pow(static_cast<double>(q(i) * q(j)), alpha));
    CHECK(test::max_abs_diff(found, expected) < test::tol<S>(1e-15));
    CHECK(test::max_abs_diff(from_dense, expected) < test::tol<S>(1e-15));
    CHECK(test::same_bytes(found, found.transpose().eval()));
  }
}

TEST_CASE("Proposition 1: the Laplacian is positive semidefinite", "[graph][laplacian]") {
  const SparseMatrix<double> W = random_weights<double>(60, SelfLoops::none);
  const Matrix<double> dense(W), L(laplacian(W, two));
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Vector<double> f = Random(seed).normal_matrix<double>(60, 1);
    double energy = 0;
    for (Index i = 0; i < 60; ++i)
      for (Index j = 0; j < 60; ++j) energy += dense(i, j) * std::pow(f(i) - f(j), 2) / 2;
    CHECK(std::abs(f.dot(L * f) - energy) < 1e-12 * energy);
    CHECK(energy > 0);
  }
  const Decomposition spectrum(L);
  CHECK(spectrum.values.minCoeff() > -1e-13);
  CHECK((L * Vector<double>::Ones(60)).norm() < 1e-13);
}

TEST_CASE("Proposition 2: the eigenvalues of the walk are real and at most 1 in modulus",
          "[graph][laplacian][contract39]") {
  for (const auto loops : {SelfLoops::none, SelfLoops::kernel}) {
    const SparseMatrix<double> W = random_weights<double>(60, loops);
    const Vector<double> root = degrees(W, two).cwiseSqrt();
    const Matrix<double> P(walk_matrix(W, two));
    const Decomposition symmetric(Matrix<double>(symmetric_walk_matrix(W, two)));
    CHECK(symmetric.values.cwiseAbs().maxCoeff() < 1 + 1e-12);
    for (Index j = 0; j < 60; ++j) {  // independent eigenvectors of P: it has no other eigenvalues
      const Vector<double> psi = symmetric.U.col(j).cwiseQuotient(root);
      CHECK((P * psi - symmetric.values(j) * psi).norm() < 1e-12 * psi.norm());
    }
  }
}

TEST_CASE("Identities (1) to (8) between the walk and its symmetric conjugate",
          "[graph][laplacian][anchorD2]") {
  const Index n = 60;
  const SparseMatrix<double> W = random_weights<double>(n, SelfLoops::kernel);
  const Vector<double> d = degrees(W, two);
  const Matrix<double> P(walk_matrix(W, two)), Lrw(walk_laplacian(W, two));
  const Matrix<double> I = Matrix<double>::Identity(n, n), D = d.asDiagonal();
  const Decomposition s(Matrix<double>(symmetric_walk_matrix(W, two)));
  const Matrix<double> Lambda = s.values.asDiagonal();
  const Matrix<double> Psi = d.cwiseSqrt().cwiseInverse().asDiagonal() * s.U;
  const Matrix<double> Phi = d.cwiseSqrt().asDiagonal() * s.U;
  const auto gap = [](const Matrix<double>& a, const Matrix<double>& b) {
    return test::max_abs_diff(a, b);
  };
  const double tolerance = 1e-12;
  CHECK(gap(P * Psi, Psi * Lambda) < tolerance);              // (1)
  CHECK(gap(Lrw * Psi, Psi * (I - Lambda)) < tolerance);      // (2)
  CHECK(gap(Phi, D * Psi) < tolerance);                       // (3)
  CHECK(gap(Phi.transpose() * Psi, I) < tolerance);           // (4)
  CHECK(gap(Phi * Psi.transpose(), I) < tolerance);           // (5)
  CHECK(gap(P, Psi * Lambda * Phi.transpose()) < tolerance);  // (6)
  CHECK(gap(Psi.transpose() * D * Psi, I) < tolerance);       // (7)
  CHECK(gap(P.transpose() * Phi, Phi * Lambda) < tolerance);  // (8)
}

TEST_CASE("Anchors D1, D2: the walk's top eigenvector, stationary distribution and trace",
          "[graph][laplacian][anchorD1][anchorD2][contract39]") {
  const SparseMatrix<double> W = random_weights<double>(80, SelfLoops::kernel);
  const Vector<double> d = degrees(W, two);
  const Matrix<double> P(walk_matrix(W, two));
  const Decomposition s(Matrix<double>(symmetric_walk_matrix(W, two)));
  CHECK(std::abs(s.values(0) - 1) < 1e-12);
  CHECK(s.values(1) < 1 - 1e-6);  // connected
  CHECK(s.values.minCoeff() > -1 - 1e-12);
  Vector<double> psi = s.U.col(0).cwiseQuotient(d.cwiseSqrt());
  if (psi(0) < 0) psi = -psi;
  CHECK((psi.array() - 1 / std::sqrt(d.sum())).abs().maxCoeff() < 1e-12);
  const Vector<double> stationary = d / d.sum();
  CHECK((P.transpose() * stationary - stationary).norm() < 1e-15);
  CHECK((P.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-14);
  CHECK(std::abs(P.trace() - s.values.sum()) < 1e-10);
}

TEST_CASE("Anchor D5: the generalised eigenvalues of L f = mu D f are 1 - lambda(P)",
          "[graph][laplacian][anchorD5]") {
  const SparseMatrix<double> W = random_weights<double>(60, SelfLoops::none);
  const Matrix<double> D = degrees(W, two).asDiagonal();
  const test::DenseEigen general(Matrix<double>(laplacian(W, two)), D);
  const Decomposition s(Matrix<double>(symmetric_walk_matrix(W, two)));
  CHECK(test::max_abs_diff(general.eigenvalues(), (1 - s.values.array()).matrix().eval()) < 1e-12);
  const Matrix<double> gram = general.eigenvectors().transpose() * D * general.eigenvectors();
  CHECK(test::max_abs_diff(gram, Matrix<double>::Identity(60, 60)) < 1e-12);
}

TEST_CASE("A vertex of degree zero is named, never divided by", "[graph][laplacian][contract37]") {
  const auto graph = sample::unit_graph<double>(5, {{0, 1}, {1, 2}, {2, 4}});
  const SparseMatrix<double> W =
      affinity(graph, BinaryKernel<double>(), SelfLoops::none, Parallel(1));
  const auto refused = [&](auto&& make) {
    try {
      make();
    } catch (const DisconnectedGraphError& error) {
      CHECK(error.sizes() == std::vector<Index>{4, 1});
      return std::string(error.what()).find("E: vertex 3 has degree 0") == 0;
    }
    return false;
  };
  CHECK(refused([&] { walk_matrix(W, two, "E"); }));
  CHECK(refused([&] { walk_laplacian(W, two, "E"); }));
  CHECK(refused([&] { symmetric_walk_matrix(W, two, "E"); }));
  CHECK(refused([&] { symmetric_laplacian(W, two, "E"); }));
  CHECK(refused([&] { density_normalized(W, 1.0, two, "E"); }));
  CHECK(refused([&] { walk_matrix(Matrix<double>(W), two, "E"); }));
  CHECK(Matrix<double>(laplacian(W, two))(3, 3) == 0);  // L = D - W needs no inverse
}

TEST_CASE("The matrices of a graph have the same bytes for any number of threads",
          "[graph][laplacian][contract56]") {
  const SparseMatrix<double> W = random_weights<double>(400, SelfLoops::kernel);
  const Matrix<double> dense(W);
  const auto all = [&](int n_threads) {
    const Parallel parallel(n_threads);
    Matrix<double> sum(400, 5 * 400);
    sum << Matrix<double>(laplacian(W, parallel)), Matrix<double>(walk_matrix(W, parallel)),
        Matrix<double>(symmetric_laplacian(W, parallel)),
        Matrix<double>(density_normalized(W, 0.5, parallel)), symmetric_laplacian(dense, parallel);
    return sum;
  };
  const Matrix<double> one = all(1);
  for (const int threads : {2, 3, 8}) CHECK(test::same_bytes(one, all(threads)));
}
