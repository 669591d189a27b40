#pragma once

#include "unfurl/core/types.hpp"

// Eigen's own decompositions, to compare with; compiled once for all tests.
namespace test {

using unfurl::Index;
using unfurl::Matrix;
using unfurl::Vector;

/// All eigenpairs of a symmetric matrix, ascending.
class DenseEigen {
 public:
  explicit DenseEigen(const Matrix<double>& A);
  /// A v = lambda B v, V^T B V = I.
  DenseEigen(const Matrix<double>& A, const Matrix<double>& B);
  const Vector<double>& eigenvalues() const { return eigenvalues_; }
  const Matrix<double>& eigenvectors() const { return eigenvectors_; }

 private:
  Vector<double> eigenvalues_;
  Matrix<double> eigenvectors_;
};

/// Those of a symmetric matrix, ascending: several times faster than with vectors.
Vector<double> dense_eigenvalues(const Matrix<double>& A);

/// A = U diag(singular_values) V^T, descending.
struct DenseSVD {
  explicit DenseSVD(const Matrix<double>& A);
  Vector<double> singular_values;
  Matrix<double> V;
};

/// Q of A = Q R, with as many columns as A.
Matrix<double> orthogonal_factor(const Matrix<double>& A);

/// Minimises |A X - B|.
Matrix<double> least_squares(const Matrix<double>& A, const Matrix<double>& B);

/// Sine of the largest angle between the column spaces.
double sine_between(const Matrix<double>& a, const Matrix<double>& b);
template <class A, class B>
double subspace_distance(const A& a, const B& b) {
  return sine_between(a.template cast<double>(), b.template cast<double>());
}

}  // namespace test
