// The parts of a gradient of t-SNE: attraction, and repulsion by every pair, by the tree and on the
// grid. Blobs on a map of the extent it has early (the grid's time) and late (the tree's).
#include <benchmark/benchmark.h>

#include <cmath>

#include "unfurl/core/random.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/tsne/affinities.hpp"
#include "unfurl/tsne/attraction.hpp"
#include "unfurl/tsne/barnes_hut.hpp"
#include "unfurl/tsne/mesh.hpp"
#include "unfurl/tsne/repulsion.hpp"

namespace {

using Eigen::Index;
using unfurl::Matrix;

/// n points around ten centres, one a column; the map is about `extent` wide.
Matrix<float> blobs(Index n, double extent) {
  unfurl::Random random(3);
  const Matrix<float> centers = random.normal_matrix<float>(2, 10);
  Matrix<float> Y = random.normal_matrix<float>(2, n) / 4;
  for (Index i = 0; i < n; ++i) Y.col(i) += centers.col(i % 10);
  const float width = Y.maxCoeff() - Y.minCoeff();
  return Y * (static_cast<float>(extent) / width);
}

double wide(Index n) { return 0.8 * std::sqrt(static_cast<double>(n)); }

void attraction(benchmark::State& state) {
  const unfurl::Parallel parallel;
  const Matrix<float> Y = blobs(state.range(0), wide(state.range(0)));
  const auto conditional = unfurl::detail::conditional_affinities(
      unfurl::knn(Matrix<float>(Y.transpose()), 90), {30.0}, parallel);
  const auto P = unfurl::detail::joint_affinities(conditional.lists, parallel, "tsne_gradient");
  Matrix<float> forces;
  for (auto _ : state) unfurl::detail::attraction(P, Y, 1, forces, parallel);
  state.SetItemsProcessed(state.iterations() * P.nonZeros());
}

template <class Repel>
void repulsion(benchmark::State& state, Repel repel, double extent) {
  const unfurl::Parallel parallel;
  const Matrix<float> Y = blobs(state.range(0), extent);
  unfurl::detail::Repulsion<float> push;
  for (auto _ : state) repel(Y, push, parallel);
  state.SetItemsProcessed(state.iterations() * Y.cols());
}

void exact(benchmark::State& state) {
  repulsion(state, unfurl::detail::ExactRepulsion(), wide(state.range(0)));
}
void barnes_hut(benchmark::State& state) {
  repulsion(state, unfurl::detail::BarnesHut<float, 2>(0.5), wide(state.range(0)));
}
void mesh_early(benchmark::State& state) {
  repulsion(state, unfurl::detail::MeshRepulsion<2>(0.5), 5);
}
void mesh_late(benchmark::State& state) {
  repulsion(state, unfurl::detail::MeshRepulsion<2>(0.5), wide(state.range(0)));
}

void sizes(benchmark::internal::Benchmark* each) {
  each->Arg(10000)->Arg(70000)->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK(attraction)->Apply(sizes);
BENCHMARK(exact)->Arg(2000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(barnes_hut)->Apply(sizes);
BENCHMARK(mesh_early)->Apply(sizes);
BENCHMARK(mesh_late)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
