// Building an index and asking it for the neighbours of every point: in few dimensions the tree, in
// many the matrix product. The choice between them: neighbor_search.cpp.
#include <benchmark/benchmark.h>

#include "unfurl/core/random.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/neighbors/knn.hpp"

namespace {

using Eigen::Index;

void build_tree(benchmark::State& state) {
  const unfurl::Matrix<double> points = unfurl::swiss_roll(state.range(0)).points.transpose();
  for (auto _ : state)
    benchmark::DoNotOptimize(unfurl::build_index(unfurl::KdTree{}, points, 10).size());
  state.SetItemsProcessed(state.iterations() * points.cols());
}
BENCHMARK(build_tree)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond)->UseRealTime();

template <class Search>
void ask(benchmark::State& state, const unfurl::Matrix<double>& points) {
  const Index k = state.range(1);
  const unfurl::Parallel parallel;
  const auto index = unfurl::build_index(Search{}, points, k);
  for (auto _ : state) benchmark::DoNotOptimize(unfurl::knn_self(index, k, parallel).indices(0));
  state.SetItemsProcessed(state.iterations() * points.cols());
}

void ask_tree(benchmark::State& state) {
  ask<unfurl::KdTree>(state, unfurl::swiss_roll(state.range(0)).points.transpose());
}
BENCHMARK(ask_tree)
    ->Args({10000, 10})
    ->Args({100000, 10})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void ask_brute_force(benchmark::State& state) {
  ask<unfurl::BruteForce>(state, unfurl::Random(1).normal_matrix<double>(50, state.range(0)));
}
BENCHMARK(ask_brute_force)
    ->Args({5000, 15})
    ->Args({5000, 90})
    ->Args({20000, 15})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
