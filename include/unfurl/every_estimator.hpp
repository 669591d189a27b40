#pragma once

#include <tuple>

#include "unfurl/classical_mds.hpp"
#include "unfurl/diffusion_map.hpp"
#include "unfurl/isomap.hpp"
#include "unfurl/laplacian_eigenmap.hpp"
#include "unfurl/lle.hpp"
#include "unfurl/pca.hpp"
#include "unfurl/tsne.hpp"

namespace unfurl {

/// All estimators with their default policies. With this header AnyEstimator<Scalar>::load(in)
/// reads any model, at the price of compiling every estimator.
template <class Scalar>
struct EveryEstimator {
  /// With their default search, kernel and solver.
  using types = std::tuple<PCA<Scalar>, ClassicalMDS<Scalar>, Isomap<Scalar>, LLE<Scalar>,
                           LaplacianEigenmap<Scalar>, DiffusionMap<Scalar>, TSNE<Scalar>>;
};

}  // namespace unfurl
