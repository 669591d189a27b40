#include "support/oracle.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <stdexcept>

namespace test {

DenseEigen::DenseEigen(const Matrix<double>& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> solver(A);
  if (solver.info() != Eigen::Success) throw std::runtime_error("DenseEigen: no convergence");
  eigenvalues_ = solver.eigenvalues();
  eigenvectors_ = solver.eigenvectors();
}

DenseEigen::DenseEigen(const Matrix<double>& A, const Matrix<double>& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix<double>> solver(A, B);
  if (solver.info() != Eigen::Success) throw std::runtime_error("DenseEigen: no convergence");
  eigenvalues_ = solver.eigenvalues();
  eigenvectors_ = solver.eigenvectors();
}

Vector<double> dense_eigenvalues(const Matrix<double>& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> solver(A, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success)
    throw std::runtime_error("dense_eigenvalues: no convergence");
  return solver.eigenvalues();
}

DenseSVD::DenseSVD(const Matrix<double>& A) {
  const Eigen::JacobiSVD<Matrix<double>> svd(A, Eigen::ComputeThinV);
  singular_values = svd.singularValues();
  V = svd.matrixV();
}

Matrix<double> orthogonal_factor(const Matrix<double>& A) {
  return Eigen::HouseholderQR<Matrix<double>>(A).householderQ() *
         Matrix<double>::Identity(A.rows(), A.cols());
}

Matrix<double> least_squares(const Matrix<double>& A, const Matrix<double>& B) {
  return Eigen::HouseholderQR<Matrix<double>>(A).solve(B);
}

double sine_between(const Matrix<double>& a, const Matrix<double>& b) {
  const Matrix<double> qa = orthogonal_factor(a), qb = orthogonal_factor(b);
  return DenseSVD(qb - qa * (qa.transpose() * qb)).singular_values(0);
}

}  // namespace test
