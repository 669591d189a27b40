#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "settings.hpp"
#include "unfurl/any_estimator.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/io/model.hpp"

namespace embed {

using Estimator = unfurl::AnyEstimator<double>;

/// An estimator as the command knows it.
struct Method {
  std::string name;   ///< on the command line
  std::string title;  ///< of its class, and in model files
  Estimator (*make)(Settings&);
  Estimator (*load)(const std::filesystem::path&);
  /// The rows of the input that were embedded; empty: all.
  std::vector<unfurl::Index> (*kept)(const Estimator&);
};

/// All of them.
const std::vector<Method>& methods();

// Each is compiled in a file of its own.
Method pca();
Method classical_mds();
Method isomap();
Method lle();
Method laplacian_eigenmap();
Method diffusion_map();
Method tsne();

template <class E>
Estimator load(const std::filesystem::path& file) {
  return unfurl::load_model<E>(file);
}

/// Of an estimator that embeds every row.
inline std::vector<unfurl::Index> all_rows(const Estimator&) { return {}; }

/// Of one with the option on_disconnected.
template <class E>
std::vector<unfurl::Index> kept_rows(const Estimator& estimator) {
  const E* const held = estimator.target<E>();
  return held ? held->kept_samples() : std::vector<unfurl::Index>();
}

}  // namespace embed
