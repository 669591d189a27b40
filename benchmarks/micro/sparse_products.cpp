// Products of a sparse symmetric matrix, the Laplacian of a Swiss roll, with one vector.
#include <benchmark/benchmark.h>

#include "swiss_roll_graph.hpp"
#include "unfurl/graph/affinity.hpp"
#include "unfurl/graph/graph_operator.hpp"
#include "unfurl/graph/laplacian.hpp"
#include "unfurl/kernels/radial.hpp"
#include "unfurl/spectral/operators.hpp"

namespace {

using unfurl::SparseMatrix;

SparseMatrix<double> affinities(Eigen::Index n, const unfurl::Parallel& parallel) {
  return unfurl::affinity(micro::swiss_roll_graph(n, parallel), unfurl::BinaryKernel<double>(),
                          unfurl::SelfLoops::none, parallel);
}

template <class Operator>
void multiply(benchmark::State& state, const Operator& op, Eigen::Index n_entries) {
  const Eigen::VectorXd x = Eigen::VectorXd::Random(op.rows());
  Eigen::VectorXd y(op.rows());
  for (auto _ : state) {
    op.perform_op(x.data(), y.data());
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * n_entries);
}

void laplacian_matrix(benchmark::State& state) {
  const unfurl::Parallel parallel;
  const SparseMatrix<double> L =
      unfurl::symmetric_laplacian(affinities(state.range(0), parallel), parallel);
  multiply(state, unfurl::SparseOperator<double>(L, parallel), L.nonZeros());
}

/// Never formed: its entries come from the affinities and the degrees.
void laplacian_operator(benchmark::State& state) {
  const unfurl::Parallel parallel;
  const SparseMatrix<double> W = affinities(state.range(0), parallel);
  multiply(state,
           unfurl::GraphOperator<double>(W, unfurl::GraphMatrix::symmetric_laplacian, parallel),
           W.nonZeros());
}

void sizes(benchmark::internal::Benchmark* each) {
  each->Arg(10000)->Arg(100000)->Unit(benchmark::kMicrosecond)->UseRealTime();
}
BENCHMARK(laplacian_matrix)->Apply(sizes);
BENCHMARK(laplacian_operator)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
