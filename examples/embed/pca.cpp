#include "unfurl/pca.hpp"

#include "method.hpp"

namespace embed {
namespace {

Estimator make_pca(Settings& settings) {
  using unfurl::PCASolver;
  unfurl::PCAOptions options;
  settings.read_common(options);
  settings.read("whiten", options.whiten);
  settings.read("solver", options.solver,
                {{"automatic", PCASolver::automatic},
                 {"full", PCASolver::full},
                 {"lanczos", PCASolver::lanczos},
                 {"randomized", PCASolver::randomized}});
  settings.read("n-oversamples", options.n_oversamples);
  settings.read("n-power-iterations", options.n_power_iterations);
  settings.read("variance-fraction", options.variance_fraction);
  return unfurl::PCA<>(options);
}

}  // namespace

Method pca() { return {"pca", "PCA", make_pca, load<unfurl::PCA<>>, all_rows}; }

}  // namespace embed
