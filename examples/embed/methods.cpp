#include <vector>

#include "method.hpp"

namespace embed {

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      pca(), classical_mds(), isomap(), lle(), laplacian_eigenmap(), diffusion_map(), tsne()};
  return all;
}

}  // namespace embed
