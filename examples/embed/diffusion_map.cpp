#include "unfurl/diffusion_map.hpp"

#include "graph_options.hpp"
#include "method.hpp"

namespace embed {
namespace {

Estimator make_diffusion_map(Settings& settings) {
  unfurl::DiffusionMapOptions options;
  settings.read_common(options);
  read_graph_options(settings, options);
  settings.read("bandwidth", options.bandwidth);
  settings.read("alpha", options.alpha);
  settings.read("time", options.time);
  return unfurl::DiffusionMap<>(options);
}

}  // namespace

Method diffusion_map() {
  return {"diffusion-map", "DiffusionMap", make_diffusion_map, load<unfurl::DiffusionMap<>>,
          kept_rows<unfurl::DiffusionMap<>>};
}

}  // namespace embed
