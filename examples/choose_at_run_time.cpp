// Choosing an estimator while the program runs: AnyEstimator holds any of them.
//
// The program takes a name: choose_at_run_time mds. What is held behaves as itself, with its own
// options, report and errors; only those estimators are compiled that are named here.

#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "unfurl/any_estimator.hpp"
#include "unfurl/classical_mds.hpp"
#include "unfurl/datasets/blobs.hpp"
#include "unfurl/pca.hpp"

using Maker = std::function<unfurl::AnyEstimator<>(Eigen::Index n_components)>;

const std::map<std::string, Maker> makers = {
    {"pca",
     [](Eigen::Index n_components) {
       unfurl::PCAOptions options;
       options.n_components = n_components;
       return unfurl::PCA<>(options);
     }},
    {"mds",
     [](Eigen::Index n_components) {
       unfurl::ClassicalMDSOptions options;
       options.n_components = n_components;
       return unfurl::ClassicalMDS<>(options);
     }},
};

int main(int argc, char** argv) {
  unfurl::BlobsOptions in_five_dimensions;
  in_five_dimensions.n_features = 5;
  const Eigen::MatrixXd X = unfurl::blobs(200, in_five_dimensions).points;

  bool right = true;
  for (const auto& [name, make] : makers) {
    if (argc > 1 && name != argv[1]) continue;
    unfurl::AnyEstimator<> map = make(2);
    const Eigen::MatrixXd Y = map.fit_transform(X);
    const Eigen::MatrixXd again = map.transform(X.topRows(3));
    std::cout << name << ": " << Y.rows() << " x " << Y.cols() << ", " << map.report().solver
              << "\n";
    // What only one kind has is reached by asking for that kind.
    if (const auto* pca = map.target<unfurl::PCA<>>())
      std::cout << "  keeps " << 100 * pca->explained_variance_ratio().sum()
                << " % of the variance\n";
    right = right && (again - Y.topRows(3)).norm() < 1e-9;
  }
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
