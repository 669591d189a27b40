// An eigensolver of your own: a class with a call operator, in place of the library's choice.
//
// Here Jacobi's method of 1846: rotations that make one entry after the other zero until nothing
// but the eigenvalues is left. Slow, short and very accurate. ClassicalMDS draws a table of
// distances with it; the library verifies what it returns and writes that to the report.

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

#include "unfurl/classical_mds.hpp"
#include "unfurl/core/random.hpp"

struct JacobiSolver {
  // Exactly k orthonormal pairs of a symmetric matrix, from the end of the spectrum that is asked
  // for. Estimators that hand over a sparse matrix or an operator call it with that.
  unfurl::EigenPairs<double> operator()(const Eigen::MatrixXd& matrix, Eigen::Index k,
                                        unfurl::Which which) const {
    const Eigen::Index n = matrix.rows();
    Eigen::MatrixXd A = matrix, V = Eigen::MatrixXd::Identity(n, n);
    const double small = 1e-14 * A.norm();
    for (double largest = 1; largest > 0;) {
      largest = 0;
      for (Eigen::Index q = 1; q < n; ++q)
        for (Eigen::Index p = 0; p < q; ++p) {
          if (std::abs(A(p, q)) <= small) continue;
          largest = std::max(largest, std::abs(A(p, q)));
          Eigen::JacobiRotation<double> rotation;
          rotation.makeJacobi(A, p, q);
          A.applyOnTheLeft(p, q, rotation.adjoint());
          A.applyOnTheRight(p, q, rotation);
          V.applyOnTheRight(p, q, rotation);
        }
    }
    std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) {
      return which == unfurl::Which::largest ? A(i, i) > A(j, j) : A(i, i) < A(j, j);
    });
    unfurl::EigenPairs<double> pairs{Eigen::VectorXd(k), Eigen::MatrixXd(n, k)};
    for (Eigen::Index i = 0; i < k; ++i) {
      const Eigen::Index at = order[static_cast<std::size_t>(i)];
      pairs.values(i) = A(at, at);
      pairs.vectors.col(i) = V.col(at);
    }
    pairs.info.path = "Jacobi rotations";
    pairs.info.complete = true;  // all eigenvalues were found, so none was missed
    pairs.info.evidence = "all eigenvalues were computed";
    return pairs;
  }
};

static_assert(unfurl::is_eigen_solver_v<JacobiSolver, Eigen::MatrixXd>);

int main() {
  const Eigen::Index n = 40;
  const Eigen::MatrixXd X = unfurl::Random(1).normal_matrix<double>(n, 3);
  Eigen::MatrixXd D(n, n);
  for (Eigen::Index i = 0; i < n; ++i) D.row(i) = (X.rowwise() - X.row(i)).rowwise().norm();

  unfurl::ClassicalMDSOptions options;
  options.n_components = 3;
  unfurl::ClassicalMDS<double, JacobiSolver> mine(options);
  unfurl::ClassicalMDS<> usual(options);
  const Eigen::MatrixXd Y = mine.fit_distances(D).embedding();
  const double difference = (Y - usual.fit_distances(D).embedding()).cwiseAbs().maxCoeff();
  std::cout << mine.report().solver << ", certified: " << mine.report().certificate
            << "\nlargest difference from the library's own: " << difference << "\n";

  const bool right = difference < 1e-10 && mine.report().certified && mine.stress() < 1e-10;
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
