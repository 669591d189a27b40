// Neighbours of every point, in float: k=10. Writes the distances, ascending. With recall=0.99
// approximate ones, and then exact ones to compare with.
#include "unfurl/neighbors/knn.hpp"

#include "../support/measure.hpp"
#include "../support/recall.hpp"
#include "unfurl/neighbors/nn_descent.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    const unfurl::Matrix<float> X = arguments.data<float>();
    const bench::Index k = arguments.count("k", 10);
    const std::string wanted = arguments.text("recall");
    unfurl::NeighborList<float> found;
    const bench::Measured search([&] {
      found = wanted.empty() ? unfurl::knn(X, k)
                             : unfurl::knn(X, k, unfurl::NnDescent{std::stod(wanted)});
    });
    unfurl::Matrix<float> distances(X.rows(), k);
    for (bench::Index i = 0; i < X.rows(); ++i)
      for (bench::Index e = 0; e < k; ++e) distances(i, e) = found.distances(i)[e];
    arguments.write(distances);
    std::cout << '{';
    bench::print(search);
    if (!wanted.empty()) {
      unfurl::NeighborList<float> exact;
      const bench::Measured exact_search([&] { exact = unfurl::knn(X, k); });
      std::cout << ", \"exact_seconds\": " << exact_search.seconds()
                << ", \"recall\": " << bench::recall(found, exact);
    }
    std::cout << "}\n";
  });
}
