// One neighbour search for many estimators.
//
// Looking for neighbours is often the longest part of a fit. `fit_neighbors` takes lists that are
// there already, here the ten nearest of each point, from the library or from your own search. The
// maps are those of `fit`, to the bit; new points have no lists, so they need a `fit` on points.

#include <iostream>

#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/isomap.hpp"
#include "unfurl/laplacian_eigenmap.hpp"
#include "unfurl/neighbors/knn.hpp"

int main() {
  const Eigen::MatrixXd X = unfurl::swiss_roll(600).points;
  const unfurl::NeighborList<double> neighbors = unfurl::knn(X, 10);

  unfurl::Isomap<> isomap;
  unfurl::LaplacianEigenmap<> eigenmap;
  isomap.fit_neighbors(neighbors);
  eigenmap.fit_neighbors(neighbors);
  std::cout << "Isomap: eigenvalues " << isomap.eigenvalues().transpose()
            << "\nLaplacianEigenmap: eigenvalues " << eigenmap.eigenvalues().transpose() << "\n";

  const bool right = isomap.embedding() == unfurl::Isomap<>().fit_transform(X) &&
                     eigenmap.embedding() == unfurl::LaplacianEigenmap<>().fit_transform(X);
  std::cout << (right ? "the same maps as from the points\n" : "not what was expected\n");
  return right ? 0 : 1;
}
