#include "unfurl/isomap.hpp"

#include "graph_options.hpp"
#include "method.hpp"

namespace embed {
namespace {

Estimator make_isomap(Settings& settings) {
  unfurl::IsomapOptions options;
  settings.read_common(options);
  read_graph_options(settings, options);
  settings.read("path", options.path,
                {{"lengths", unfurl::Path::lengths}, {"hops", unfurl::Path::hops}});
  settings.read("n-landmarks", options.n_landmarks);
  return unfurl::Isomap<>(options);
}

}  // namespace

Method isomap() {
  return {"isomap", "Isomap", make_isomap, load<unfurl::Isomap<>>, kept_rows<unfurl::Isomap<>>};
}

}  // namespace embed
