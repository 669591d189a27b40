#include "fuzz/targets.hpp"

#include "fuzz/csv.hpp"
#include "fuzz/fit_any.hpp"
#include "fuzz/idx.hpp"
#include "fuzz/model.hpp"
#include "fuzz/npy.hpp"

namespace fuzz {

// Each is compiled on its own, from estimator.cpp.
#define UNFURL_FUZZ_ESTIMATOR(E)                                   \
  extern template void model<unfurl::E>(const std::string& bytes); \
  extern template void fit<unfurl::E>(const std::string& bytes);
UNFURL_FUZZ_ESTIMATOR(PCA)
UNFURL_FUZZ_ESTIMATOR(ClassicalMDS)
UNFURL_FUZZ_ESTIMATOR(Isomap)
UNFURL_FUZZ_ESTIMATOR(LLE)
UNFURL_FUZZ_ESTIMATOR(LaplacianEigenmap)
UNFURL_FUZZ_ESTIMATOR(DiffusionMap)
UNFURL_FUZZ_ESTIMATOR(TSNE)
#undef UNFURL_FUZZ_ESTIMATOR

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
