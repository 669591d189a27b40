#include "unfurl/classical_mds.hpp"

#include "method.hpp"

namespace embed {
namespace {

Estimator make_classical_mds(Settings& settings) {
  unfurl::ClassicalMDSOptions options;
  settings.read_common(options);
  settings.read("n-landmarks", options.n_landmarks);
  return unfurl::ClassicalMDS<>(options);
}

}  // namespace

Method classical_mds() {
  return {"classical-mds", "ClassicalMDS", make_classical_mds, load<unfurl::ClassicalMDS<>>,
          all_rows};
}

}  // namespace embed
