#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "faults/fits.hpp"
#include "support/catch.hpp"
#include "unfurl/neighbors/brute_force.hpp"

using namespace unfurl;
using test::Any;
using test::saved;

namespace {

/// What a user's own code throws: no std::exception, so that nobody takes it for anything else.
struct Mine {
  Index call;
};

/// Counts the calls of a user's code and throws at one of them, once.
struct Trap {
  std::atomic<Index> n_calls{0}, throws_at{0}, n_thrown{0};

  void call() {
    const Index now = ++n_calls;
    if (now != throws_at) return;
    ++n_thrown;
    throw Mine{now};
  }
  void set(Index at) {
    n_calls = n_thrown = 0;
    throws_at = at;
  }
};

// One for all: kernels, searches and solvers are made by default where a model is loaded.
Trap trap;

struct OwnKernel {
  double operator()(double squared_distance) const {
    trap.call();
    return std::exp(-squared_distance);
  }
};

/// Brute force, which a user might have written.
struct OwnSearch {
  struct OwnIndex {
    BruteForceIndex<double> exact;
    Index size() const { return exact.size(); }
    Index dimension() const { return exact.dimension(); }
    void knn(const double* query, Index k, Index* indices, double* distances) const {
      trap.call();
      exact.knn(query, k, indices, distances);
    }
    void radius(const double* query, double r, std::vector<Index>& indices,
                std::vector<double>& distances) const {
      trap.call();
      exact.radius(query, r, indices, distances);
    }
  };
  OwnIndex build(Matrix<double> points) const {
    trap.call();
    return {BruteForce{}.build<double>(std::move(points))};
  }
};

struct OwnSolver {
  template <class A>
  EigenPairs<typename A::Scalar> operator()(const A& a, Index k, Which which) const {
    trap.call();
    return DenseSolver{}(a, k, which);
  }
};

/// The estimators that take a user's code, with as much of it as they take.
std::vector<std::pair<std::string, Any>> own_estimators(int n_threads) {
  IsomapOptions isomap;
  LLEOptions lle;
  LaplacianEigenmapOptions map;
  DiffusionMapOptions sparse, dense;
  TSNEOptions tsne;
  tsne.perplexity = 4;
  tsne.max_iter = 2;
  isomap.n_neighbors = lle.n_neighbors = map.n_neighbors = 6;
  sparse.n_neighbors = 6;
  isomap.n_threads = lle.n_threads = map.n_threads = n_threads;
  sparse.n_threads = dense.n_threads = tsne.n_threads = n_threads;
  using Walk = DiffusionMap<double, OwnKernel, OwnSearch, OwnSolver>;
  return {{"Isomap", Isomap<double, OwnSearch, OwnSolver>(isomap)},
          {"LLE", LLE<double, OwnSearch, OwnSolver>(lle)},
          {"LaplacianEigenmap", LaplacianEigenmap<double, OwnKernel, OwnSearch, OwnSolver>(map)},
          {"DiffusionMap, sparse", Walk(sparse)},
          {"DiffusionMap", Walk(dense)},
          {"TSNE", TSNE<double, OwnSearch>(tsne)}};
}

/// Lets `action` throw at every step-th call of the user's code: the same exception comes out, once
/// and on this thread, and the model is what it was.
/// \returns the number of calls tried
Index throw_at_each_call(const Any& model, const std::function<void()>& action, Index step) {
  const std::string before = saved(model);
  trap.set(0);
  action();
  const Index n_calls = trap.n_calls;
  const std::string after = saved(model);
  Index n_tried = 0;
  for (Index at = 1; at <= n_calls; at += step, ++n_tried) {
    CAPTURE(at);
    trap.set(at);
    Index caught = 0;
    try {
      action();
    } catch (const Mine& mine) {
      caught = mine.call;
    }
    REQUIRE(trap.n_thrown == 1);
    REQUIRE(caught == at);
    REQUIRE(saved(model) == after);
  }
  CHECK(after == before);
  trap.set(0);
  return n_tried;
}

}  // namespace

TEST_CASE("what a user's kernel, search or solver throws at any call arrives and harms nothing",
          "[faults][contract53][contract54]") {
  for (const int n_threads : {1, 4}) {
    const auto X = test::sheet(n_threads == 1 ? 30 : 150, 5);
    const Index step = n_threads == 1 ? 1 : 29;
    for (auto& own : own_estimators(n_threads)) {
      auto& model = own.second;
      CAPTURE(own.first, n_threads);
      trap.set(0);
      model.fit(X);
      CHECK(throw_at_each_call(
                model, [&] { model.fit(X); }, step) > 1);
      CHECK(throw_at_each_call(
                model, [&] { model.transform(X.topRows(20)); }, step) >= 1);
    }
  }
}

TEST_CASE("a fit that is cancelled at any call of progress leaves the former model",
          "[faults][contract53]") {
  const auto samples = test::sheet(30, 5), others = test::sheet(24, 6);
  Index n_calls = 0, stop_at = 0;
  std::string stage;
  const ProgressFunction progress = [&](const Progress& p) {
    stage = p.stage;
    return ++n_calls == stop_at ? Control::stop : Control::proceed;
  };
  for (const test::Route& route : test::small_routes(1, progress)) {
    CAPTURE(route.name);
    const auto X = route.input(samples, samples);
    stop_at = 0;
    Any former = route.blank;
    former.fit(route.input(others, others));
    const std::string before = saved(former);
    n_calls = 0;
    Any complete = route.blank;
    complete.fit(X);
    const Index calls = n_calls;
    CHECK(calls >= 3);
    for (Index at = 1; at <= calls; ++at) {
      CAPTURE(at);
      Any trial = former;
      n_calls = 0;
      stop_at = at;
      bool cancelled = false;
      try {
        trial.fit(X);
      } catch (const CancelledError&) {
        cancelled = true;
      }
      if (n_calls < at) break;  // how many there are within a stage depends on the time it takes
      REQUIRE(n_calls == at);
      if (cancelled) {
        REQUIRE(saved(trial) == before);
        continue;
      }
      // Only a descent keeps what it has reached.
      REQUIRE(stage == "descent");
      const auto* tsne = trial.target<TSNE<double>>();
      REQUIRE(tsne != nullptr);
      CHECK(tsne->stopped_early());
      CHECK(tsne->embedding().allFinite());
      CHECK(tsne->n_samples() == X.rows());
      CHECK(trial.transform(X).allFinite());
    }
  }
}
