// Three eigenpairs: of the Laplacian of a Swiss roll by shift-invert and by products alone, and of
// a dense matrix.
#include <benchmark/benchmark.h>

#include "swiss_roll_graph.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/graph/affinity.hpp"
#include "unfurl/graph/laplacian.hpp"
#include "unfurl/kernels/radial.hpp"
#include "unfurl/spectral/dense.hpp"
#include "unfurl/spectral/lanczos.hpp"
#include "unfurl/spectral/shift_invert.hpp"

namespace {

using unfurl::Matrix;
using unfurl::SparseMatrix;
using unfurl::Which;

SparseMatrix<double> laplacian(Eigen::Index n, const unfurl::Parallel& parallel) {
  return unfurl::symmetric_laplacian(
      unfurl::affinity(micro::swiss_roll_graph(n, parallel), unfurl::BinaryKernel<double>(),
                       unfurl::SelfLoops::none, parallel),
      parallel);
}

Matrix<double> covariance(Eigen::Index n) {
  const Matrix<double> X = unfurl::Random(1).normal_matrix<double>(n, n);
  return X * X.transpose();
}

template <class Solver, class A>
void solve(benchmark::State& state, Solver solver, const A& a, Which which) {
  for (auto _ : state) benchmark::DoNotOptimize(solver(a, 3, which).values.data());
}

void shift_invert(benchmark::State& state) {
  const unfurl::Parallel parallel;
  solve(state, unfurl::ShiftInvertSolver{0, 0, 0, &parallel}, laplacian(state.range(0), parallel),
        Which::smallest);
}
BENCHMARK(shift_invert)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond)->UseRealTime();

void lanczos_sparse(benchmark::State& state) {
  const unfurl::Parallel parallel;
  solve(state, unfurl::LanczosSolver{0, 0, &parallel}, laplacian(state.range(0), parallel),
        Which::largest);
}
BENCHMARK(lanczos_sparse)->Arg(10000)->Unit(benchmark::kMillisecond)->UseRealTime();

void lanczos_dense(benchmark::State& state) {
  const unfurl::Parallel parallel;
  solve(state, unfurl::LanczosSolver{0, 0, &parallel}, covariance(state.range(0)), Which::largest);
}
BENCHMARK(lanczos_dense)->Arg(2000)->Unit(benchmark::kMillisecond)->UseRealTime();

void dense(benchmark::State& state) {
  solve(state, unfurl::DenseSolver{}, covariance(state.range(0)), Which::largest);
}
BENCHMARK(dense)->Arg(200)->Arg(400)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
