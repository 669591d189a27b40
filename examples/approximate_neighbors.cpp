// Approximate neighbours, for sets so large that exact search takes most of the time.
//
// NnDescent takes the place of the exact searches, in `unfurl::knn` and in the estimators. It
// measures on a sample what share of the true neighbours it has found, and goes on until that is
// what was asked for.
#include <chrono>
#include <iostream>
#include <unfurl/core/random.hpp>
#include <unfurl/laplacian_eigenmap.hpp>
#include <unfurl/neighbors/knn.hpp>
#include <unfurl/neighbors/nn_descent.hpp>
#include <utility>

using unfurl::Index;

int main() {
  // 30 touching clusters in 30 dimensions, one sample a row.
  unfurl::Random random(1);
  const Eigen::MatrixXd centers = random.normal_matrix<double>(30, 30);
  Eigen::MatrixXd X = random.normal_matrix<double>(20000, 30);
  for (Index i = 0; i < X.rows(); ++i) X.row(i) += centers.row(i % 30);

  auto seconds = [began = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(began, now)).count();
  };
  const unfurl::NeighborList<double> exact = unfurl::knn(X, 10);
  std::cout << "exact: " << seconds() << " s\n";

  unfurl::NnDescent search;
  search.recall = 0.95;  // of the true neighbours
  const auto index = search.build(Eigen::MatrixXd(X.transpose()), 10);
  const unfurl::NeighborList<double> found = unfurl::knn_self(index, 10);
  std::cout << "approximate: " << seconds() << " s\n" << index.note() << "\n";

  // The measured share is that of a sample: compare with all.
  Index hits = 0;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index e = 0; e < 10; ++e) hits += found.distances(i)[e] <= exact.distances(i)[9];
  const double recall = static_cast<double>(hits) / static_cast<double>(found.total());
  std::cout << "recall of all lists: " << recall << "\n";

  // In an estimator the search is a template parameter. Lists may also be handed over, once for
  // many estimators.
  unfurl::LaplacianEigenmapOptions options;
  using Kernel = unfurl::GaussianKernel<double>;
  unfurl::LaplacianEigenmap<double, Kernel, unfurl::NnDescent> eigenmap(options, Kernel{}, search);
  const Eigen::MatrixXd Y = eigenmap.fit_transform(X);
  std::cout << "embedded " << Y.rows() << " samples\n";

  return recall > 0.94 && Y.allFinite() ? 0 : 1;
}
