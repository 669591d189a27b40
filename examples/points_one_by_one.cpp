// New points arriving one by one: each is placed on the map as it comes, and the map stays.
//
// `transform` is const and safe from many threads, and where a point comes to lie does not depend
// on what comes with it. It cannot tell by itself that the world has changed; here each point is
// compared with what the map makes of it, and when several in a row fit badly, the map is fitted
// again with them.

#include <algorithm>
#include <iostream>

#include "unfurl/core/random.hpp"
#include "unfurl/pca.hpp"

/// A point near a plane in ten dimensions; after point 300 the plane is another one.
Eigen::RowVectorXd next_point(unfurl::Random& random, int number) {
  Eigen::RowVectorXd x = 0.1 * random.normal_matrix<double>(1, 10);
  const Eigen::Index first = number < 300 ? 0 : 4;
  x.segment(first, 2) += 3 * random.normal_matrix<double>(1, 2);
  return x;
}

int main() {
  unfurl::Random random(1);
  Eigen::MatrixXd X(200, 10);
  for (int i = 0; i < 200; ++i) X.row(i) = next_point(random, i);
  unfurl::PCA<> pca;
  pca.fit(X);
  const auto misfit = [&](const Eigen::RowVectorXd& x) {
    return (x - pca.inverse_transform(pca.transform(x))).norm();
  };
  double usual = 0;
  for (int i = 0; i < 200; ++i) usual = std::max(usual, misfit(X.row(i)));

  int n_bad = 0, fitted_again_at = 0;
  for (int number = 200; number < 500; ++number) {
    const Eigen::RowVectorXd x = next_point(random, number);
    const Eigen::MatrixXd y = pca.transform(x);  // 1 x 2, its place
    if (number % 50 == 0)
      std::cout << "point " << number << " at " << y << ", misfit " << misfit(x) << "\n";
    n_bad = misfit(x) > 2 * usual ? n_bad + 1 : 0;
    X.topRows(199) = X.bottomRows(199).eval();  // remember the last 200
    X.row(199) = x;
    if (n_bad < 10 || fitted_again_at > 0) continue;
    pca.fit(X.bottomRows(10));
    fitted_again_at = number;
    std::cout << "ten points in a row fit badly: fitted again at point " << number << "\n";
  }

  // One by one or all at once is the same.
  const Eigen::MatrixXd batch = pca.transform(X);
  double difference = 0;
  for (int i = 0; i < 200; ++i)
    difference = std::max(difference, (pca.transform(X.row(i)) - batch.row(i)).norm());
  const bool right = difference == 0 && fitted_again_at >= 309 && fitted_again_at < 330;
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
