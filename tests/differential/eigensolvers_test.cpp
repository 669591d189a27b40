#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/graphs.hpp"
#include "support/matrix.hpp"
#include "unfurl/spectral/auto_solver.hpp"

// Dense, forward (Lanczos on the complement), shift-invert and the automatic choice give the same
// eigenvalues and the same subspaces, or say that they cannot. What belongs together by a repeated
// eigenvalue is compared as one subspace; single vectors and signs never are.

using namespace unfurl;

namespace {

struct HardMatrix {
  std::string name;
  SparseMatrix<double> A;  ///< symmetric, positive semi-definite
};

/// Weights between points that are near each other.
SparseMatrix<double> weighted_laplacian(const Matrix<double>& X, double radius) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.rows(); ++j) {
      const double squared = (X.row(i) - X.row(j)).squaredNorm();
      if (i != j && squared < radius * radius)
        entries.emplace_back(i, j, std::exp(-2 * squared / (radius * radius)));
    }
  SparseMatrix<double> W(X.rows(), X.rows());
  W.setFromTriplets(entries.begin(), entries.end());
  return test::normalized_laplacian(W);
}

std::vector<HardMatrix> hard_matrices() {
  const Index n = 408;  // more than are solved densely by default
  std::vector<HardMatrix> all;
  Matrix<double> square(n, 2), lattice(n, 2);
  Random random(3);
  for (Index i = 0; i < n; ++i) {
    square.row(i) << random.uniform(), random.uniform();
    lattice.row(i) << static_cast<double>(i % 24), static_cast<double>(i / 24);
  }
  all.push_back({"random points of a square", weighted_laplacian(square, 0.12)});
  all.push_back({"lattice", weighted_laplacian(lattice, 1.5)});
  all.push_back({"three pieces", test::normalized_laplacian(test::copies(test::cycle(136), 3))});
  SparseMatrix<double> weak = test::copies(test::grid(12, 17), 2);
  weak.coeffRef(0, 204) = weak.coeffRef(204, 0) = 1e-6;  // the pieces hang together by a thread
  all.push_back({"a weak link", test::normalized_laplacian(weak)});
  for (const int exponent : {-490, 480})
    all.push_back({"times 2^" + std::to_string(exponent), all[1].A * std::ldexp(1.0, exponent)});
  return all;
}

/// The pairs against all eigenvalues by Eigen.
void check_against(const test::DenseEigen& dense, Index k, const EigenPairs<double>& pairs) {
  const Vector<double>& values = dense.eigenvalues();
  const double norm = values.cwiseAbs().maxCoeff();
  REQUIRE(pairs.values.size() == k);
  CHECK(test::max_abs_diff((pairs.values / norm).eval(), (values.head(k) / norm).eval()) < 1e-9);
  CHECK(pairs.info.complete);
  // The first m span what the dense ones do wherever a gap follows.
  for (Index m = 1; m <= k; ++m) {
    if (values(m) - values(m - 1) < 1e-6 * norm) continue;
    CAPTURE(m);
    CHECK(test::subspace_distance(pairs.vectors.leftCols(m), dense.eigenvectors().leftCols(m)) <
          1e-6);
  }
}

}  // namespace

TEST_CASE("Every eigensolver finds the same eigenvalues and subspaces",
          "[differential][contract41]") {
  for (const HardMatrix& matrix : hard_matrices()) {
    CAPTURE(matrix.name);
    const test::DenseEigen dense{Matrix<double>(matrix.A)};
    constexpr Index k = 4;
    const auto check = [&](const char* solver, const EigenPairs<double>& pairs) {
      CAPTURE(solver, pairs.info.path);
      check_against(dense, k, pairs);
    };
    check("dense", DenseSolver{}(matrix.A, k, Which::smallest));
    check("forward", LanczosSolver{}(matrix.A, k, Which::smallest));
    check("shift-invert", ShiftInvertSolver{}(matrix.A, k, Which::smallest));
    check("automatic", AutoSolver{}(matrix.A, k, Which::smallest));
    check("automatic, dense matrix", AutoSolver{}(Matrix<double>(matrix.A), k, Which::smallest));
  }
}

TEST_CASE("Eigenpairs have the same bytes for 1 to 8 threads", "[differential][contract56]") {
  for (const HardMatrix& matrix : hard_matrices()) {
    if (matrix.name != "three pieces" && matrix.name != "a weak link") continue;  // time
    CAPTURE(matrix.name);
    Matrix<double> forward, inverted;
    for (const int n_threads : {1, 2, 5, 8}) {
      const Parallel parallel(n_threads);
      const auto a = LanczosSolver{0, 0, &parallel}(matrix.A, 3, Which::largest).vectors;
      const auto b = ShiftInvertSolver{0, 0, 0, &parallel}(matrix.A, 3, Which::smallest).vectors;
      if (n_threads == 1) forward = a, inverted = b;
      CHECK(test::same_bytes(a, forward));
      CHECK(test::same_bytes(b, inverted));
    }
  }
}

TEST_CASE("Eigenpairs in float are those in double, up to its rounding", "[differential]") {
  for (const HardMatrix& matrix : hard_matrices()) {
    if (matrix.name.find("2^") != std::string::npos) continue;  // beyond the range of float
    CAPTURE(matrix.name);
    const auto wide = AutoSolver{}(matrix.A, 4, Which::smallest);
    const auto narrow =
        AutoSolver{}(SparseMatrix<float>(matrix.A.cast<float>()), 4, Which::smallest);
    CHECK(test::max_abs_diff(narrow.values, wide.values) < 1e-5);
  }
}
