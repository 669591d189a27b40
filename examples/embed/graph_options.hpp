#pragma once

#include "settings.hpp"
#include "unfurl/graph/disconnected.hpp"

namespace embed {

/// The options of the estimators that stand on a neighbourhood graph.
template <class Options>
void read_graph_options(Settings& settings, Options& options) {
  using unfurl::OnDisconnected;
  settings.read("n-neighbors", options.n_neighbors);
  settings.read("radius", options.radius);
  settings.read("on-disconnected", options.on_disconnected,
                {{"error", OnDisconnected::error},
                 {"bridge", OnDisconnected::bridge},
                 {"largest-component", OnDisconnected::largest_component},
                 {"allow", OnDisconnected::allow}});
}

}  // namespace embed
