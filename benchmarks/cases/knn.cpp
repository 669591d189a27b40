// Neighbours of every point, in float: k=10. Writes the distances, ascending.
#include "unfurl/neighbors/knn.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    const unfurl::Matrix<float> X = arguments.data<float>();
    const bench::Index k = arguments.count("k", 10);
    unfurl::NeighborList<float> found;
    const bench::Measured search([&] { found = unfurl::knn(X, k); });
    unfurl::Matrix<float> distances(X.rows(), k);
    for (bench::Index i = 0; i < X.rows(); ++i)
      for (bench::Index e = 0; e < k; ++e) distances(i, e) = found.distances(i)[e];
    arguments.write(distances);
    std::cout << '{';
    bench::print(search);
    std::cout << "}\n";
  });
}
