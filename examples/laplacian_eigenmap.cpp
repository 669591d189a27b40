// Laplacian eigenmap: a closed curve becomes a circle.
//
// The slowest waves on a closed curve are a sine and a cosine of the way around it: two
// coordinates, and with them a circle, whatever the curve looks like in space. Both waves have the
// same eigenvalue; a solver that misses one of such a pair would draw a line. On a circle of evenly
// spaced points everything is known exactly, so it is checked exactly; then a knot.

#include "unfurl/laplacian_eigenmap.hpp"

#include <cmath>
#include <iostream>

#include "unfurl/datasets/circle.hpp"
#include "unfurl/datasets/trefoil.hpp"

/// Number of turns around the origin that the rows of Y make in their order, back to the first; 0
/// when they do not go round in one direction.
long turns(const Eigen::MatrixXd& Y) {
  const Eigen::Index n = Y.rows();
  double angle = 0;
  bool forwards = false, backwards = false;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::RowVector2d a = Y.row(i), b = Y.row((i + 1) % n);
    const double step = std::atan2(a(0) * b(1) - a(1) * b(0), a.dot(b));
    angle += step;
    (step > 0 ? forwards : backwards) = true;
  }
  return forwards && backwards ? 0 : std::lround(std::abs(angle) / (2 * 3.14159265358979323846));
}

int main() {
  const Eigen::MatrixXd circle = unfurl::circle(1000).points;
  unfurl::LaplacianEigenmap<> map;  // 10 neighbours, two dimensions
  map.fit(circle);
  const Eigen::VectorXd radii = map.embedding().rowwise().norm();
  const double unevenness = radii.maxCoeff() / radii.minCoeff() - 1;
  std::cout << "1000 points of a circle\n"
            << "  radius in the embedding " << radii.minCoeff() << " to " << radii.maxCoeff()
            << ": max / min - 1 = " << unevenness << "\n"
            << "  eigenvalues " << map.eigenvalues()(0) << " and " << map.eigenvalues()(1) << "\n"
            << "  " << map.report().certificate << "\n";

  // The exact value: five neighbours on each side, weighted by a Gaussian of their distance.
  double weighted = 0, total = 0;
  for (int j = 1; j <= 5; ++j) {
    const double step = 2 * 3.14159265358979323846 * j / 1000;
    const double chord = 2 * std::sin(step / 2) / map.bandwidth();
    weighted += std::exp(-chord * chord / 2) * std::cos(step);
    total += std::exp(-chord * chord / 2);
  }
  const double exact = 1 - weighted / total;
  const double error = (map.eigenvalues().array() / exact - 1).abs().maxCoeff();
  std::cout << "  exact value " << exact << ", relative error " << error << "\n";
  bool right = map.report().certified && unevenness < 1e-6 && error < 1e-8;

  const unfurl::Dataset<> knot = unfurl::trefoil(1000);
  const long knot_turns = turns(map.fit_transform(knot.points));
  std::cout << "1000 points of a trefoil knot\n  times that they go round in the embedding: "
            << knot_turns << ", in the order of the knot\n";
  right = right && map.report().certified && knot_turns == 1;

  // New points, half way between the old ones, come to lie between them.
  const Eigen::MatrixXd both = unfurl::trefoil(2000).points;  // every second one is an old one
  const long new_turns = turns(map.transform(both));
  std::cout << "  with 1000 new points between them: " << new_turns << "\n";
  right = right && new_turns == 1;

  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
