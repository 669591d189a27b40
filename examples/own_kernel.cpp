// A kernel of your own: a callable that turns a squared distance into a similarity.
//
// Here 1 / (1 + d² / s²), whose long tail keeps far points a little similar where a Gaussian has
// already forgotten them. The program builds the affinities of points on a circle with it and
// looks at the random walk they define.

#include <Eigen/Core>
#include <cmath>
#include <iostream>
#include <optional>

#include "unfurl/core/parallel.hpp"
#include "unfurl/graph/affinity.hpp"
#include "unfurl/graph/laplacian.hpp"
#include "unfurl/graph/neighbor_bandwidth.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/kernels/bandwidth.hpp"
#include "unfurl/neighbors/knn.hpp"

struct CauchyKernel {
  double scale = 0;  // a length; 0: not chosen yet

  // All that is required of a kernel.
  double operator()(double squared_distance) const {
    return 1 / (1 + squared_distance / (scale * scale));
  }

  // With these two, the scale can be set by an estimator's option `bandwidth` or from the data.
  double bandwidth() const { return scale; }
  CauchyKernel with_bandwidth(double length) const { return {length}; }
};

static_assert(unfurl::is_kernel_v<CauchyKernel, double>);
static_assert(unfurl::has_bandwidth_v<CauchyKernel, double>);

int main() {
  const int n = 60;
  Eigen::MatrixXd X(n, 2);  // rows are samples
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * 3.14159265358979323846 * i / n;
    X.row(i) << std::cos(angle), std::sin(angle);
  }

  const unfurl::Parallel parallel;  // all cores
  const unfurl::NeighborList<double> neighbors = unfurl::knn(X, 4);
  const unfurl::Graph<double> graph =
      unfurl::neighbor_graph(neighbors, unfurl::Symmetry::either, parallel);

  // The scale: none asked for, none in the kernel, so it comes from the data.
  const auto scaled = unfurl::scale_kernel<double>("own_kernel", CauchyKernel{}, std::nullopt, [&] {
    return unfurl::median_bandwidth(neighbors);
  });
  std::cout << "scale " << scaled.bandwidth.value << ": " << scaled.bandwidth.source << "\n";

  const auto W = unfurl::affinity(graph, scaled.kernel, unfurl::SelfLoops::kernel, parallel);
  const auto P = unfurl::walk_matrix(W, parallel);
  std::cout << "from point 0 the walk stays with probability " << P.coeff(0, 0)
            << " and moves to point 1 with " << P.coeff(0, 1) << ", to point 2 with "
            << P.coeff(0, 2) << "\n";

  // On a circle everything is known: the scale is the distance of second neighbours, the point
  // itself weighs 1, first neighbours 1 / (1 + r²) with r the ratio of the distances, second 1/2.
  const double first = 2 * std::sin(3.14159265358979323846 / n);
  const double second = 2 * std::sin(2 * 3.14159265358979323846 / n);
  const double near = 1 / (1 + first * first / (second * second));
  const double degree = 1 + 2 * near + 2 * 0.5;
  const bool right = std::abs(scaled.bandwidth.value - second) < 1e-12 &&
                     std::abs(P.coeff(0, 0) - 1 / degree) < 1e-12 &&
                     std::abs(P.coeff(0, 1) - near / degree) < 1e-12 &&
                     std::abs(P.coeff(0, 2) - 0.5 / degree) < 1e-12;
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
