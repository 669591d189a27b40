#include "unfurl/graph/components.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/disconnected.hpp"

using namespace unfurl;

namespace {

/// Labels by repeated relabelling of every edge: slow and obvious.
std::vector<int> labels_by_relabelling(const Graph<double>& graph) {
  std::vector<int> label(static_cast<std::size_t>(graph.n_vertices()));
  std::iota(label.begin(), label.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < graph.n_vertices(); ++i)
      for (Index e = 0; e < graph.degree(i); ++e) {
        int& a = label[std::size_t(i)];
        int& b = label[std::size_t(graph.neighbors(i)[e])];
        if (a != b) a = b = std::min(a, b), changed = true;
      }
  }
  std::vector<int> lowest = label;  // one representative each, ascending
  std::sort(lowest.begin(), lowest.end());
  lowest.erase(std::unique(lowest.begin(), lowest.end()), lowest.end());
  for (int& l : label)
    l = static_cast<int>(std::lower_bound(lowest.begin(), lowest.end(), l) - lowest.begin());
  return label;
}

Graph<double> two_paths_and_a_point() {  // {0, 2, 4}, {1, 3, 5, 6}, {7}
  return sample::unit_graph<double>(8, {{0, 2}, {2, 4}, {1, 3}, {3, 5}, {5, 6}});
}

const auto no_bridge = [](Graph<double>&) -> std::vector<Edge<double>> {
  throw std::logic_error("bridge was called");
};

}  // namespace

TEST_CASE("Components agree with the obvious way to find them", "[graph][components]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = 40;
    const auto graph =
        sample::random_graph<double>(n, 0.002 * static_cast<double>(seed), seed, false);
    const Components found = connected_components(graph);
    CHECK(found.label == labels_by_relabelling(graph));
    REQUIRE(std::accumulate(found.sizes.begin(), found.sizes.end(), Index{0}) == n);
    for (Index c = 0; c < found.count(); ++c)
      CHECK(std::count(found.label.begin(), found.label.end(), static_cast<int>(c)) ==
            found.sizes[std::size_t(c)]);
  }
}

TEST_CASE("Edges of length zero connect", "[graph][components][contract33]") {
  const auto graph = graph_from_edges<double>(3, {{0, 1, 0.0}, {1, 2, 0.0}}, Parallel(1));
  CHECK(connected_components(graph).count() == 1);
}

TEST_CASE("A weight that has underflowed does not connect", "[graph][components][contract38]") {
  SparseMatrix<double> W(3, 3);
  W.insert(0, 1) = W.insert(1, 0) = 0.5;
  W.insert(1, 2) = W.insert(2, 1) = 0.0;
  CHECK(connected_components(W).label == std::vector<int>{0, 0, 1});
  CHECK(connected_components(Matrix<double>(W)).label == std::vector<int>{0, 0, 1});
  CHECK_THROWS_AS(require_connected("DiffusionMap", W), DisconnectedGraphError);
  W.coeffRef(1, 2) = W.coeffRef(2, 1) = 1e-300;
  CHECK(connected_components(W).count() == 1);
  CHECK_NOTHROW(require_connected("DiffusionMap", W));
}

TEST_CASE("A disconnected graph is refused with its components, sizes and a remedy",
          "[graph][components][contract35][contract36][contract37]") {
  try {
    require_connected("Isomap", two_paths_and_a_point());
    FAIL("accepted");
  } catch (const DisconnectedGraphError& error) {
    CHECK(error.n_components() == 3);
    CHECK(error.sizes() == std::vector<Index>{4, 3, 1});
    const std::string message = error.what();
    CHECK(message.find("Isomap: ") == 0);
    CHECK(message.find("3 connected components, of sizes 4, 3 and 1") != std::string::npos);
    CHECK(message.find("vertex 7") != std::string::npos);
    CHECK(message.find("n_neighbors") != std::string::npos);
    CHECK(message.find("on_disconnected") != std::string::npos);
  }
  CHECK_NOTHROW(require_connected("Isomap", sample::unit_graph<double>(5, sample::path_pairs(5))));
  // Very many components do not make a very long message.
  try {
    require_connected("Isomap", graph_from_edges<double>(5000, {}, Parallel(1)));
    FAIL("accepted");
  } catch (const DisconnectedGraphError& error) {
    CHECK(error.n_components() == 5000);
    CHECK(std::string(error.what()).size() < 400);
  }
}

TEST_CASE("The largest component keeps its edges and knows its vertices",
          "[graph][components][contract35]") {
  const auto graph = two_paths_and_a_point();
  const auto part = largest_component(graph);
  CHECK(part.vertices == std::vector<Index>{1, 3, 5, 6});
  CHECK(sample::well_formed(part.graph));
  CHECK(sample::same_graph(part.graph, sample::unit_graph<double>(4, sample::path_pairs(4))));

  const auto random = sample::random_graph<double>(200, 0.006, 3, false);
  const auto most = largest_component(random);
  const auto components = connected_components(random);
  REQUIRE(components.count() > 1);
  CHECK(most.graph.n_vertices() == components.sizes[std::size_t(components.largest())]);
  CHECK(connected_components(most.graph).count() == 1);
  for (Index i = 0; i < most.graph.n_vertices(); ++i)
    for (Index j = 0; j < most.graph.n_vertices(); ++j)
      CHECK(most.graph.length(i, j) ==
            random.length(most.vertices[std::size_t(i)], most.vertices[std::size_t(j)]));
}

TEST_CASE("Of equally large components the one with the lowest vertex is taken",
          "[graph][components]") {
  const auto graph = sample::unit_graph<double>(7, {{1, 4}, {2, 5}, {3, 6}});
  CHECK(largest_component(graph).vertices == std::vector<Index>{1, 4});
  CHECK(largest_component(Graph<double>()).vertices.empty());
}

TEST_CASE("The policy for disconnected graphs does what it says",
          "[graph][components][contract35][contract36]") {
  const auto graph = two_paths_and_a_point();
  CHECK_THROWS_AS(resolve_disconnected("LLE", graph, OnDisconnected::error, no_bridge),
                  DisconnectedGraphError);

  const auto allowed = resolve_disconnected("LLE", graph, OnDisconnected::allow, no_bridge);
  CHECK(allowed.n_components == 3);
  CHECK(allowed.kept.empty());
  CHECK(sample::same_graph(allowed.graph, graph));

  const auto part =
      resolve_disconnected("LLE", graph, OnDisconnected::largest_component, no_bridge);
  CHECK(part.n_components == 3);
  CHECK(part.kept == std::vector<Index>{1, 3, 5, 6});
  CHECK(part.graph.n_vertices() == 4);

  const auto bridged =
      resolve_disconnected("LLE", graph, OnDisconnected::bridge, [](Graph<double>& g) {
        const std::vector<Edge<double>> links = {{0, 1, 1.0}, {6, 7, 1.0}};
        g = with_edges(g, links, Parallel(1));
        return links;
      });
  CHECK(bridged.n_components == 3);
  CHECK(bridged.bridges.size() == 2);
  CHECK(connected_components(bridged.graph).count() == 1);

  const auto connected = sample::unit_graph<double>(3, sample::path_pairs(3));
  for (const auto policy : {OnDisconnected::error, OnDisconnected::bridge,
                            OnDisconnected::largest_component, OnDisconnected::allow}) {
    const auto same = resolve_disconnected("LLE", connected, policy, no_bridge);
    CHECK(same.n_components == 1);
    CHECK(same.kept.empty());
    CHECK(sample::same_graph(same.graph, connected));
  }
}
