// Shortest paths on the graph of a Swiss roll, from some sources: by length in float and double,
// and by number of edges.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "swiss_roll_graph.hpp"
#include "unfurl/graph/shortest_paths.hpp"

namespace {

using Eigen::Index;

template <class Out>
void shortest_paths(benchmark::State& state, unfurl::Path path) {
  const unfurl::Parallel parallel;
  const auto graph = micro::swiss_roll_graph(state.range(0), parallel);
  std::vector<Index> sources(static_cast<std::size_t>(state.range(1)));
  std::iota(sources.begin(), sources.end(), Index{0});
  for (auto _ : state)
    benchmark::DoNotOptimize(unfurl::shortest_paths<Out>(graph, sources, path, parallel).data());
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(1));
}

void lengths_in_float(benchmark::State& state) {
  shortest_paths<float>(state, unfurl::Path::lengths);
}
void lengths_in_double(benchmark::State& state) {
  shortest_paths<double>(state, unfurl::Path::lengths);
}
void hops(benchmark::State& state) { shortest_paths<float>(state, unfurl::Path::hops); }

void sizes(benchmark::internal::Benchmark* each) {
  each->Args({10000, 256})->Args({100000, 64})->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK(lengths_in_float)->Apply(sizes);
BENCHMARK(lengths_in_double)->Apply(sizes);
BENCHMARK(hops)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
