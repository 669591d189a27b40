#include "unfurl/lle.hpp"

#include "graph_options.hpp"
#include "method.hpp"

namespace embed {
namespace {

Estimator make_lle(Settings& settings) {
  unfurl::LLEOptions options;
  settings.read_common(options);
  read_graph_options(settings, options);
  settings.read("regularization", options.regularization);
  return unfurl::LLE<>(options);
}

}  // namespace

Method lle() { return {"lle", "LLE", make_lle, load<unfurl::LLE<>>, kept_rows<unfurl::LLE<>>}; }

}  // namespace embed
