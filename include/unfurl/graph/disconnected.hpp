#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/graph/components.hpp"
#include "unfurl/graph/graph.hpp"

namespace unfurl {

/// What an estimator does when its neighbourhood graph is not connected.
enum class OnDisconnected {
  error,              ///< throw DisconnectedGraphError; nothing is guessed
  bridge,             ///< join the components by their shortest links (a minimum spanning tree)
  largest_component,  ///< embed the largest component only; which rows are left is reported
  allow               ///< keep the components: spectral methods give one null vector for each
};

/// A graph after the policy has been applied.
template <class Scalar>
struct ResolvedGraph {
  Graph<Scalar> graph = {};  ///< what the estimator goes on with
  /// The rows of the data that are vertices of `graph`, ascending. Empty: all of them.
  std::vector<Index> kept = {};
  std::vector<Edge<Scalar>> bridges = {};  ///< added by OnDisconnected::bridge
  Index n_components = 0;                  ///< before any repair
};

/// Applies an estimator's option.
/// \param where begins the text of an error: pass the estimator's name
/// \param graph the neighbourhood graph as it was found
/// \param policy the option
/// \param bridge called as bridge(Graph&) when links have to be added, and returns them: a call of
///   bridge_components with the index or the distances at hand
/// \throws DisconnectedGraphError for OnDisconnected::error and more than one component
template <class Scalar, class Bridge>
ResolvedGraph<Scalar> resolve_disconnected(std::string_view where, Graph<Scalar> graph,
                                           OnDisconnected policy, Bridge&& bridge) {
  const Components components = connected_components(graph);
  ResolvedGraph<Scalar> result;
  result.n_components = components.count();
  if (components.count() > 1) {
    switch (policy) {
      case OnDisconnected::error:
        throw disconnected_graph_error(
            where, components,
            "raise n_neighbors (or radius), or set on_disconnected to bridge or "
            "largest_component");
      case OnDisconnected::bridge:
        result.bridges = bridge(graph);
        break;
      case OnDisconnected::largest_component: {
        auto part = component(graph, components, components.largest());
        graph = std::move(part.graph);
        result.kept = std::move(part.vertices);
        break;
      }
      case OnDisconnected::allow:
        break;
    }
  }
  result.graph = std::move(graph);
  return result;
}

}  // namespace unfurl
