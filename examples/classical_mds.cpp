// Classical multidimensional scaling: from a table of distances to a map.
//
// All that is given is how far ten European cities are from each other. ClassicalMDS finds points
// in the plane with nearly these distances: the map, up to a rotation and a reflection, which
// distances do not tell. A second table, of walks around a square, shows distances that no map of
// any dimension can have.

#include "unfurl/classical_mds.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

struct City {
  std::string name;
  double latitude, longitude;  // degrees
};

/// Along the surface of the earth, in kilometres.
double great_circle(const City& a, const City& b) {
  const double degree = 3.14159265358979323846 / 180;
  const double up = std::sin((b.latitude - a.latitude) * degree / 2);
  const double across = std::sin((b.longitude - a.longitude) * degree / 2);
  return 2 * 6371 *
         std::asin(std::sqrt(up * up + std::cos(a.latitude * degree) *
                                           std::cos(b.latitude * degree) * across * across));
}

int main() {
  const std::vector<City> cities = {{"Athens", 37.98, 23.73}, {"Berlin", 52.52, 13.40},
                                    {"Dublin", 53.35, -6.26}, {"Helsinki", 60.17, 24.94},
                                    {"Lisbon", 38.72, -9.14}, {"London", 51.51, -0.13},
                                    {"Madrid", 40.42, -3.70}, {"Paris", 48.86, 2.35},
                                    {"Rome", 41.90, 12.50},   {"Vienna", 48.21, 16.37}};
  const Eigen::Index n = static_cast<Eigen::Index>(cities.size());
  Eigen::MatrixXd D(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      D(i, j) =
          great_circle(cities[static_cast<std::size_t>(i)], cities[static_cast<std::size_t>(j)]);

  unfurl::ClassicalMDS<> mds;  // two dimensions unless the options say otherwise
  const Eigen::MatrixXd& map = mds.fit_distances(D).embedding();
  double worst = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    std::cout << cities[static_cast<std::size_t>(i)].name << "\t" << std::lround(map(i, 0))
              << " km\t" << std::lround(map(i, 1)) << " km\n";
    for (Eigen::Index j = 0; j < n; ++j)
      worst = std::max(worst, std::abs((map.row(i) - map.row(j)).norm() - D(i, j)));
  }
  std::cout << "the map is wrong by at most " << std::lround(worst)
            << " km, because the earth is round (stress " << mds.stress() << ")\n";

  // Four corners of a square, distances walked along its sides: opposite corners are 2 apart both
  // ways round, and both of the others would have to lie at the one point half way.
  Eigen::Matrix4d walks;
  walks << 0, 1, 2, 1,  //
      1, 0, 1, 2,       //
      2, 1, 0, 1,       //
      1, 2, 1, 0;
  const unfurl::EuclideanTest test = unfurl::euclidean_test(walks);
  std::cout << "walks around a square " << (test.embeddable ? "are" : "are not")
            << " distances between points; eigenvalues " << test.eigenvalues.transpose() << "\n";

  const bool right = worst < 20 && mds.stress() < 0.02 && !test.embeddable &&
                     std::abs(test.eigenvalues(3) + 1) < 1e-12;
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
