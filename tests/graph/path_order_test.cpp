#include "unfurl/graph/path_order.hpp"

#include <algorithm>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/graph/path_batch.hpp"
#include "unfurl/graph/shortest_paths.hpp"

using namespace unfurl;

namespace {

/// A sheet of `rows` by `columns` vertices with uneven edges, some of them 0, and so many edges
/// from anywhere to anywhere.
template <class Scalar>
Graph<Scalar> sheet(Index rows, Index columns, int n_shortcuts = 0) {
  Random random(4);
  std::vector<Edge<Scalar>> edges;
  for (const auto& [i, j] : sample::product_pairs(sample::path_pairs(rows), rows,
                                                  sample::path_pairs(columns), columns)) {
    const double length = random.uniform();
    edges.push_back({i, j, static_cast<Scalar>(length < 0.02 ? 0 : length)});
  }
  const auto anywhere = [&] {
    return static_cast<Index>(random.uniform() * static_cast<double>(rows * columns));
  };
  for (int s = 0; s < n_shortcuts; ++s) {
    const Index i = anywhere(), j = anywhere();
    if (i != j) edges.push_back({i, j, Scalar(0.5)});
  }
  return graph_from_edges(rows * columns, edges, Parallel(1));
}

}  // namespace

TEST_CASE("An order of paths ascends and knows which neighbours come before", "[graph][paths]") {
  const detail::PathGraph<double> graph(sheet<double>(9, 11), Path::lengths);
  const Index limit = 80, n_unreached = 7;
  const auto distance = [&](Index v) {
    return v < n_unreached ? detail::PathBatch<double>::unreached
                           : static_cast<double>((v * 37) % 50) / 5;
  };
  detail::PathOrder<double> order;
  order.assign(graph, limit, distance);
  REQUIRE(order.size() == limit);
  const double step = 1 / (16 * graph.buckets_per_length());
  for (Index place = 0; place < limit; ++place) {
    const int v = order.vertex(place);
    CHECK(order.place(v) == place);
    CHECK((v < n_unreached) == (place >= limit - n_unreached));
    if (place > 0) CHECK(distance(order.vertex(place - 1)) <= distance(v) + step);
    std::vector<int> earlier,
        listed(order.neighbors() + order.begin(place), order.neighbors() + order.end(place));
    for (Index e = graph.begin(v); e < graph.end(v); ++e) {
      const int u = graph.neighbors()[e];
      if (u >= limit || order.place(u) >= place) continue;
      CHECK(order.lengths()[order.begin(place) + earlier.size()] == graph.lengths()[e]);
      earlier.push_back(u);
    }
    CHECK(listed == earlier);
  }
  order.clear();
  CHECK(order.size() == 0);
}

TEMPLATE_TEST_CASE("Walks in the order of an earlier one find the same bytes",
                   "[graph][paths][contract56]", float, double) {
  const auto graph = GENERATE(
      sheet<TestType>(30, 40), sheet<TestType>(30, 40, 12), sheet<TestType>(2, 500, 3),
      sample::unit_graph<TestType>(900, sample::path_pairs(900)),
      // Several components, one of them of a single vertex.
      sample::unit_graph<TestType>(
          1001, sample::product_pairs(sample::path_pairs(2), 20, sample::path_pairs(50), 50)));
  const Path path = GENERATE(Path::lengths, Path::hops);
  const auto all = all_shortest_paths<TestType>(graph, path, Parallel(1));
  for (Index source = 0; source < graph.n_vertices(); source += 13)
    CHECK(test::same_bytes(all.col(source),
                           shortest_paths<TestType>(graph, {source}, path, Parallel(1))));
}

TEST_CASE("A walk far from the earlier one makes an order of its own", "[graph][paths]") {
  using Batch = detail::PathBatch<double>;
  const detail::PathGraph<double> graph(sheet<double>(30, 40), Path::lengths);
  const auto walk = [&](Batch& batch, Index limit, std::vector<int> starts) {
    batch.prepare(limit);
    for (std::size_t s = 0; s < starts.size(); ++s)
      batch.add(static_cast<Index>(s), {starts[s], 0.25 * static_cast<double>(s)});
    return Matrix<double>(batch.walk().topLeftCorner(static_cast<Index>(starts.size()), limit));
  };
  Batch batch(graph);
  for (const Index limit : {1200, 1200, 700, 1200})
    for (const auto& starts : std::vector<std::vector<int>>{{5},
                                                            {5},
                                                            {7, 3},
                                                            {600, 601, 602},
                                                            {601},
                                                            {0, 650},
                                                            {649},
                                                            {20, 699, 350},
                                                            {1, 2, 3}}) {
      Batch fresh(graph);
      CHECK(test::same_bytes(walk(batch, limit, starts), walk(fresh, limit, starts)));
    }
}
