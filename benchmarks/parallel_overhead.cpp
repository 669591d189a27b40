// What a parallel region costs: workers kept waiting on a condition variable (unfurl::Parallel)
// against threads started afresh for every region. Two cores, 16 November 2026: 8 against 28
// microseconds with 2 threads, 17 against 87 with 4.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "unfurl/core/parallel.hpp"

namespace {

template <class Region>
double microseconds_a_region(Region&& region) {
  constexpr int regions = 3000;
  double best = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < regions; ++i) region();
    const std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - began;
    best = std::min(best, elapsed.count() / regions);
  }
  return best;
}

}  // namespace

int main() {
  std::printf("threads   kept workers   fresh threads   (microseconds a region without work)\n");
  for (const int n_threads : {1, 2, 4, 8}) {
    const unfurl::Parallel parallel(n_threads);
    const double kept = microseconds_a_region([&] {
      parallel.for_each(
          n_threads, [](unfurl::Index) {}, 1);
    });
    const double fresh = microseconds_a_region([&] {
      std::vector<std::thread> threads;
      for (int t = 1; t < n_threads; ++t) threads.emplace_back([] {});
      for (auto& thread : threads) thread.join();
    });
    std::printf("%7d   %12.1f   %13.1f\n", n_threads, kept, fresh);
  }
}
