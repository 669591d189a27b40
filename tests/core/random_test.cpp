#include "unfurl/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "support/catch.hpp"

using unfurl::Index;
using unfurl::Random;

TEST_CASE("the engine is xoshiro256++ seeded by splitmix64: the same on every platform",
          "[random][contract57]") {
  // Computed independently (Python, arbitrary-precision integers) from the published algorithms.
  Random random(42);
  CHECK(random.next() == 17056219654762134955ULL);
  CHECK(random.next() == 4131456301973499873ULL);
  CHECK(random.next() == 14560503218493481955ULL);
}

TEST_CASE("seeds and streams give different sequences, the same seed the same", "[random]") {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (std::uint64_t stream = 0; stream < 4; ++stream) first.insert(Random(seed, stream).next());
  CHECK(first.size() == 200);
  CHECK(Random(7, 2).next() == Random(7, 2).next());
}

TEST_CASE("uniform numbers fill the unit interval evenly", "[random]") {
  Random random(1);
  double sum = 0, squares = 0, low = 1, high = 0;
  constexpr int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    sum += u;
    squares += u * u;
    low = std::min(low, u);
    high = std::max(high, u);
  }
  CHECK(low >= 0);
  CHECK(high < 1);
  CHECK(std::abs(sum / n - 0.5) < 4 * 0.2887 / std::sqrt(n));
  CHECK(std::abs(squares / n - 1.0 / 3) < 4 * 0.2981 / std::sqrt(n));
}

TEST_CASE("normal numbers have the moments and tails of the normal law", "[random]") {
  Random random(2);
  double sum = 0, squares = 0, fourth = 0;
  int beyond_two = 0;
  constexpr int n = 400000;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    if (std::abs(x) > 2) ++beyond_two;
  }
  CHECK(std::abs(sum / n) < 4 / std::sqrt(n));
  CHECK(std::abs(squares / n - 1) < 4 * std::sqrt(2.0 / n));
  CHECK(std::abs(fourth / n - 3) < 4 * std::sqrt(96.0 / n));
  CHECK(std::abs(beyond_two / static_cast<double>(n) - 0.0455) < 4 * std::sqrt(0.0455 / n));
}

TEST_CASE("below is unbiased and in range", "[random]") {
  Random random(3);
  int counts[7] = {};
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int count : counts) CHECK(std::abs(count - 10000) < 4 * 93);
}

TEST_CASE("a sample has no repeats", "[random]") {
  const auto chosen = Random(4).sample(100, 40);
  CHECK(std::set<Index>(chosen.begin(), chosen.end()).size() == 40);
  CHECK(*std::max_element(chosen.begin(), chosen.end()) < 100);
  CHECK(*std::min_element(chosen.begin(), chosen.end()) >= 0);
  auto all = Random(4).sample(10, 10);
  std::sort(all.begin(), all.end());
  for (Index i = 0; i < 10; ++i) CHECK(all[static_cast<std::size_t>(i)] == i);
}
