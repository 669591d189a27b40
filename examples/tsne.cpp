// t-SNE: a map of handwritten digits in which like lies beside like, and new digits placed on it.
//
// 1500 digits of 8 x 8 pixels make the map, which knows nothing of what they show; the remaining
// 297 are placed on it one by one. A digit is then read by looking at its ten nearest on the map.

#include "unfurl/tsne.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fstream>
#include <iostream>
#include <vector>

#include "support/digits.hpp"
#include "unfurl/plot/svg.hpp"

/// The most frequent label among the ten nearest, for each row of Y_new.
std::vector<int> read_digits_on(const Eigen::MatrixXd& Y, const std::vector<int>& labels,
                                const Eigen::MatrixXd& Y_new) {
  const auto index = unfurl::KdTree{}.build(Eigen::MatrixXd(Y.transpose()));
  const auto near = unfurl::knn_query(index, Eigen::MatrixXd(Y_new.transpose()), 10);
  std::vector<int> read;
  for (Eigen::Index i = 0; i < near.size(); ++i) {
    std::array<int, 10> votes{};
    for (Eigen::Index e = 0; e < 10; ++e)
      ++votes[static_cast<std::size_t>(labels[static_cast<std::size_t>(near.indices(i)[e])])];
    read.push_back(static_cast<int>(std::max_element(votes.begin(), votes.end()) - votes.begin()));
  }
  return read;
}

int main() try {
  const example::Digits digits = example::read_digits();
  const Eigen::Index n_train = 1500, n_new = digits.images.rows() - n_train;

  unfurl::TSNEOptions options;
  options.perplexity = 30;
  options.progress = [](const unfurl::Progress& p) {
    if (p.iteration % 250 == 0 && p.iteration > 0)
      std::cout << "iteration " << p.iteration << ": divergence " << p.objective << "\n";
    return unfurl::Control::proceed;
  };
  unfurl::TSNE<> tsne(options);
  const Eigen::MatrixXd Y = tsne.fit_transform(digits.images.topRows(n_train));
  const Eigen::MatrixXd Y_new = tsne.transform(digits.images.bottomRows(n_new));

  const std::vector<int> known(digits.labels.begin(), digits.labels.begin() + n_train);
  const std::vector<int> read = read_digits_on(Y, known, Y_new);
  Eigen::Index n_right = 0;
  for (Eigen::Index i = 0; i < n_new; ++i)
    n_right +=
        read[static_cast<std::size_t>(i)] == digits.labels[static_cast<std::size_t>(n_train + i)]
            ? 1
            : 0;
  std::cout << n_right << " of " << n_new << " new digits are read right on the map\n";

  unfurl::ScatterOptions look;
  look.title = "t-SNE of 1500 digits";
  look.labels = known;
  std::ofstream("tsne.svg") << unfurl::scatter_plot(Y, look);

  const bool right = tsne.kl_divergence() < 0.9 && 10 * n_right > 9 * n_new;
  std::cout << (right ? "the map is in tsne.svg\n" : "not what was expected\n");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "tsne: " << error.what() << "\n";
  return 1;
}
