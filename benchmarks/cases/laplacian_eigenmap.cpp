// LaplacianEigenmap with weights 0 and 1, as scikit-learn has them: neighbors=10 components=2
#include "unfurl/laplacian_eigenmap.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    unfurl::LaplacianEigenmapOptions options;
    options.n_neighbors = arguments.count("neighbors", 10);
    options.n_components = arguments.count("components", 2);
    options.on_disconnected = unfurl::OnDisconnected::largest_component;
    bench::fit<double>(arguments,
                       unfurl::LaplacianEigenmap<double, unfurl::BinaryKernel<double>>(options));
  });
}
