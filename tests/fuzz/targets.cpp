#include "fuzz/targets.hpp"

#include "fuzz/csv.hpp"
#include "fuzz/fit_any.hpp"
#include "fuzz/idx.hpp"
#include "fuzz/model.hpp"
#include "fuzz/npy.hpp"

namespace fuzz {

const std::vector<std::pair<std::string, Target>>& targets() {
  static const std::vector<std::pair<std::string, Target>> all = {
      {"npy", npy},
      {"csv", csv},
      {"idx", idx},
      {"model_pca", model<unfurl::PCA>},
      {"model_classical_mds", model<unfurl::ClassicalMDS>},
      {"model_isomap", model<unfurl::Isomap>},
      {"model_lle", model<unfurl::LLE>},
      {"model_laplacian_eigenmap", model<unfurl::LaplacianEigenmap>},
      {"model_diffusion_map", model<unfurl::DiffusionMap>},
      {"model_tsne", model<unfurl::TSNE>},
      {"fit_any", fit_any},
  };
  return all;
}

}  // namespace fuzz
