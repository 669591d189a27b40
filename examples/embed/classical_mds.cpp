#include "unfurl/classical_mds.hpp"

#include "method.hpp"

namespace embed {
namespace {

Estimator make(Settings& settings) {
  unfurl::ClassicalMDSOptions options;
  settings.read_common(options);
  settings.read("n-landmarks", options.n_landmarks);
  return unfurl::ClassicalMDS<>(options);
}

}  // namespace

Method classical_mds() {
  return {"classical-mds", "ClassicalMDS", make, load<unfurl::ClassicalMDS<>>, all_rows};
}

}  // namespace embed
