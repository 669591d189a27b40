// The program of a user of the package. (All headers together are tests/headers/.)
#include <unfurl/core/random.hpp>
#include <unfurl/pca.hpp>

int main() {
  const Eigen::MatrixXd X = unfurl::Random(1).normal_matrix<double>(20, 3);
  unfurl::PCA<> pca;
  const Eigen::MatrixXd Y = pca.fit_transform(X);
  return Y.rows() == 20 && Y.cols() == 2 ? 0 : 1;
}
