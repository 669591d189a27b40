#include "unfurl/core/parallel.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using unfurl::Index;
using unfurl::Parallel;

TEST_CASE("every item is visited exactly once", "[parallel]") {
  for (const int n_threads : {1, 2, 3, 8})
    for (const Index n : {0, 1, 2, 63, 64, 65, 1000}) {
      const Parallel parallel(n_threads);
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(n));
      parallel.for_each(
          n, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; }, 7);
      for (const auto& count : visits) REQUIRE(count == 1);
    }
}

TEST_CASE("blocks depend on the size of the problem only", "[parallel][contract56]") {
  for (const int n_threads : {1, 2, 8}) {
    const Parallel parallel(n_threads);
    std::vector<std::pair<Index, Index>> blocks(4);
    parallel.for_blocks(100, 30, [&](const Parallel::Block& b) {
      blocks[static_cast<std::size_t>(b.number)] = {b.begin, b.end};
      if (b.worker < 0 || b.worker >= parallel.n_threads()) throw std::logic_error("worker");
    });
    CHECK(blocks == std::vector<std::pair<Index, Index>>{{0, 30}, {30, 60}, {60, 90}, {90, 100}});
  }
}

TEST_CASE("a reduction has the same bytes for any number of threads", "[parallel][contract56]") {
  const auto harmonic = [](int n_threads) {
    return Parallel(n_threads).reduce(
        100000, 777, 0.0,
        [](const Parallel::Block& b) {
          double sum = 0;
          for (Index i = b.begin; i < b.end; ++i) sum += 1 / static_cast<double>(i + 1);
          return sum;
        },
        [](double a, double b) { return a + b; });
  };
  const double one = harmonic(1);
  CHECK(std::abs(one - 12.090146129863428) < 1e-12);
  for (const int n_threads : {2, 3, 8}) CHECK(harmonic(n_threads) == one);
}

TEST_CASE("the exception of the lowest block reaches the caller, once", "[parallel][contract53]") {
  for (const int n_threads : {1, 2, 3, 8}) {
    const Parallel parallel(n_threads);
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::string message;
      try {
        parallel.for_each(
            500,
            [](Index i) {
              if (i >= 123) throw std::runtime_error(std::to_string(i));
            },
            1);
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      REQUIRE(message == "123");
      // The object is usable afterwards.
      std::atomic<Index> count{0};
      parallel.for_each(
          50, [&](Index) { ++count; }, 1);
      REQUIRE(count == 50);
    }
  }
}

TEST_CASE("nested calls run where they are made", "[parallel]") {
  const Parallel parallel(4);
  std::atomic<Index> count{0};
  parallel.for_each(
      20,
      [&](Index) {
        const auto outer = std::this_thread::get_id();
        parallel.for_each(
            30, [&](Index) { count += std::this_thread::get_id() == outer ? 1 : 1000000; }, 3);
      },
      1);
  CHECK(count == 600);
}

TEST_CASE("a user's own threads may each use the layer", "[parallel]") {
  std::atomic<int> n_right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      const Parallel parallel(3);
      const Index sum = parallel.reduce(
          1000, 10, Index{0},
          [](const Parallel::Block& b) {
            Index s = 0;
            for (Index i = b.begin; i < b.end; ++i) s += i;
            return s;
          },
          [](Index a, Index b) { return a + b; });
      if (sum == 499500) ++n_right;
    });
  for (auto& thread : threads) thread.join();
  CHECK(n_right == 6);
}

TEST_CASE("reductions to bool do not share bits between threads", "[parallel]") {
  const bool all = Parallel(8).reduce(
      10000, 1, true, [](const Parallel::Block& b) { return b.begin != 9999; },
      [](bool a, bool b) { return a && b; });
  CHECK_FALSE(all);
}

TEST_CASE("progress is told on the calling thread and may end the work", "[parallel]") {
  Parallel parallel(2);
  const auto caller = std::this_thread::get_id();
  bool elsewhere = false;
  double last = 0;
  parallel.on_progress([&](double fraction) {
    elsewhere = elsewhere || std::this_thread::get_id() != caller;
    if (fraction < last || fraction > 1) elsewhere = true;
    last = fraction;
    if (fraction > 0.3) throw std::runtime_error("enough");
  });
  std::atomic<Index> count{0};
  const auto slow = [&](Index) {
    ++count;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  CHECK_THROWS_AS(parallel.for_each(200, slow, 1), std::runtime_error);
  CHECK_FALSE(elsewhere);
  CHECK(count < 200);
}
