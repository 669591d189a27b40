#include "unfurl/laplacian_eigenmap.hpp"

#include "graph_options.hpp"
#include "method.hpp"

namespace embed {
namespace {

Estimator make_laplacian_eigenmap(Settings& settings) {
  unfurl::LaplacianEigenmapOptions options;
  settings.read_common(options);
  read_graph_options(settings, options);
  settings.read("bandwidth", options.bandwidth);
  return unfurl::LaplacianEigenmap<>(options);
}

}  // namespace

Method laplacian_eigenmap() {
  return {"laplacian-eigenmap", "LaplacianEigenmap", make_laplacian_eigenmap,
          load<unfurl::LaplacianEigenmap<>>, kept_rows<unfurl::LaplacianEigenmap<>>};
}

}  // namespace embed
