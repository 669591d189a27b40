// Principal component analysis: look at 64-dimensional data in two dimensions.
//
// Reads 1797 handwritten digits of 8 x 8 pixels, finds the plane in which they spread most, writes
// their picture to pca.svg in the current directory, and places digits that the plane was not
// fitted to.

// [readme]
#include <fstream>

#include "unfurl/pca.hpp"
#include "unfurl/plot/svg.hpp"

unfurl::PCA<> fit_and_draw(const Eigen::MatrixXd& X) {  // rows are samples
  unfurl::PCAOptions options;
  options.n_components = 2;
  unfurl::PCA<> pca(options);
  const Eigen::MatrixXd Y = pca.fit_transform(X);  // n_samples x 2
  std::ofstream("pca.svg") << unfurl::scatter_plot(Y);
  return pca;  // pca.transform(X_new) draws new samples into the same picture
}
// [readme]

#include <cstddef>
#include <exception>
#include <iostream>
#include <vector>

#include "support/digits.hpp"

/// The middle of the points whose label is `digit`; the first row of Y has the label number
/// `first`.
Eigen::RowVectorXd middle(const Eigen::MatrixXd& Y, const std::vector<int>& labels,
                          Eigen::Index first, int digit) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(Y.cols());
  double count = 0;
  for (Eigen::Index i = 0; i < Y.rows(); ++i)
    if (labels[static_cast<std::size_t>(first + i)] == digit) {
      sum += Y.row(i);
      ++count;
    }
  return sum / count;
}

int main() try {
  const example::Digits digits = example::read_digits();
  const Eigen::Index n_train = 1500, n_new = digits.images.rows() - n_train;
  const unfurl::PCA<> pca = fit_and_draw(digits.images.topRows(n_train));
  const double explained = pca.explained_variance_ratio().sum();
  std::cout << "two of 64 dimensions keep " << 100 * explained << " % of the variance\n";

  // New zeros come to lie where the zeros are, although nobody told the plane what a zero is.
  const Eigen::MatrixXd Y_new = pca.transform(digits.images.bottomRows(n_new));
  const auto zeros = middle(pca.embedding(), digits.labels, 0, 0);
  const auto ones = middle(pca.embedding(), digits.labels, 0, 1);
  const auto new_zeros = middle(Y_new, digits.labels, n_train, 0);
  const double to_zeros = (new_zeros - zeros).norm(), to_ones = (new_zeros - ones).norm();
  std::cout << "new zeros lie " << to_zeros << " from the zeros and " << to_ones
            << " from the ones\n";

  const bool right = explained > 0.25 && explained < 0.35 && to_zeros < 0.2 * to_ones;
  std::cout << (right ? "the picture is in pca.svg\n" : "not what was expected\n");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "pca: " << error.what() << "\n";
  return 1;
}
