// How many principal components are real? The answer of random matrix theory.
//
// 200 features of 400 samples: noise of variance 1 in every direction, and three directions with
// more. The sample's eigenvalues of noise alone would spread from 0.09 to 2.91 (the edges of the
// Marchenko-Pastur law), so sizes mislead: variances 9 and 5 can be seen, and come out too large;
// 1.3, below the threshold 1.71 of Baik, Ben Arous and Péché, leaves no trace in the eigenvalues.

#include <cmath>
#include <fstream>
#include <iostream>

#include "unfurl/core/random.hpp"
#include "unfurl/pca.hpp"
#include "unfurl/plot/svg.hpp"

int main() {
  const Eigen::Index n = 400, p = 200;
  Eigen::MatrixXd X = unfurl::Random(1).normal_matrix<double>(n, p);
  X.col(0) *= std::sqrt(9.0);
  X.col(1) *= std::sqrt(5.0);
  X.col(2) *= std::sqrt(1.3);

  unfurl::PCA<> pca;
  const unfurl::SpectrumTest test = pca.fit(X).spectrum_test();
  std::cout << "noise " << test.noise_variance << " (truth 1), edge " << test.upper_edge
            << ", seen from a variance of " << test.bbp_threshold << " on\n"
            << test.n_significant << " components stand out of noise (truth: 2 can be seen)\n";
  if (test.n_significant != 2) return 1;

  // An eigenvalue above the edge is larger than the variance it comes from, and its direction is
  // tilted: both by amounts that are known.
  bool right = std::abs(test.noise_variance - 1) < 0.1;
  const double truth[] = {9, 5};
  for (Eigen::Index i = 0; i < 2; ++i) {
    const double cosine = std::abs(pca.components()(i, i));  // with the true direction
    std::cout << "eigenvalue " << test.eigenvalues(i) << ": variance " << test.spikes(i)
              << " (truth " << truth[i] << "), cosine with the true direction " << test.cosines(i)
              << " (truth " << cosine << ")\n";
    right = right && std::abs(test.spikes(i) - truth[i]) < 0.2 * truth[i] &&
            std::abs(test.cosines(i) - cosine) < 0.05;
  }

  unfurl::ScreeOptions options;
  options.title = "Two of 200 components stand out";
  options.noise_eigenvalues = test.noise_eigenvalues;
  options.upper_edge = test.upper_edge;
  std::ofstream("marchenko_pastur.svg") << unfurl::scree_plot(test.eigenvalues, options);
  std::cout << (right ? "the picture is in marchenko_pastur.svg\n" : "not what was expected\n");
  return right ? 0 : 1;
}
