// Locally linear embedding: keep how each point is composed of its neighbours.
//
// 2000 points of a sheet bent to the letter S. Each is written as a mixture of its twenty nearest,
// and LLE finds places in the plane with the same mixtures. Distances are not kept, the sheet comes
// out as a square, but neighbours stay neighbours. Then 500 points arrive that the map has not
// seen, and are placed by the same rule.

#include "unfurl/lle.hpp"

#include <iostream>

#include "unfurl/datasets/s_curve.hpp"
#include "unfurl/quality/trustworthiness.hpp"

/// How much of the variance of the true coordinates is an affine function of the embedding: columns
/// of Y have mean 0, are orthogonal and of squared norm n, which makes the regression a product.
double explained(const Eigen::MatrixXd& Y, const Eigen::MatrixXd& truth, int coordinate) {
  const Eigen::VectorXd c = truth.col(coordinate).array() - truth.col(coordinate).mean();
  return (Y.transpose() * c).squaredNorm() / static_cast<double>(Y.rows()) / c.squaredNorm();
}

int main() {
  const unfurl::Dataset<> sheet = unfurl::s_curve(2500);
  const Eigen::MatrixXd X = sheet.points.topRows(2000), X_new = sheet.points.bottomRows(500);

  unfurl::LLEOptions options;
  options.n_neighbors = 20;
  options.regularization = 1e-4;  // less than usual: there is no noise to guard against
  unfurl::LLE<> lle(options);
  const Eigen::MatrixXd Y = lle.fit_transform(X);
  const double trust = unfurl::trustworthiness(X, Y);
  const double along = explained(Y, sheet.coordinates.topRows(2000), 0);
  const double across = explained(Y, sheet.coordinates.topRows(2000), 1);
  std::cout << "a point differs from the mixture of its neighbours by "
            << lle.reconstruction_error() << " (mean square; the map has variance 1)\n"
            << "trustworthiness " << trust << " (1: neighbours in the picture are neighbours)\n"
            << "the plane explains " << 100 * along << " % of the position along the S, "
            << 100 * across << " % of that across\n"
            << lle.report().certificate << "\n";

  // New points: the map stays as it is.
  Eigen::MatrixXd all(2500, 2);
  all << Y, lle.transform(X_new);
  const double trust_new = unfurl::trustworthiness(sheet.points, all);
  const bool same = lle.transform(X.row(0)) == Y.row(0);
  std::cout << "with 500 new points placed on it, trustworthiness " << trust_new << "\n"
            << "an old point comes " << (same ? "" : "not ") << "back to its place\n";

  const bool right = lle.report().certified && trust > 0.99 && trust_new > 0.99 && same &&
                     along > 0.9 && across > 0.9;
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
