#include "unfurl/neighbors/collectors.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "unfurl/core/random.hpp"

using namespace unfurl;

TEST_CASE("NearestK keeps the first k by distance, then index, in any order of offers",
          "[neighbors]") {
  const Index k = GENERATE(1, 2, 10, 32, 33, 100);
  CAPTURE(k);
  Random random(static_cast<std::uint64_t>(k));
  std::vector<std::pair<double, Index>> offers;
  for (Index i = 0; i < 400; ++i)  // many ties
    offers.emplace_back(static_cast<double>(random.below(50)), i);
  for (std::size_t i = offers.size(); i > 1; --i) std::swap(offers[i - 1], offers[random.below(i)]);
  detail::NearestK<double> nearest(k);
  const double infinity = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 2; ++round) {  // it can be used again
    nearest.offer(std::numeric_limits<double>::quiet_NaN(), 1000);
    nearest.offer(infinity, 1001);
    CHECK_FALSE(nearest.complete());
    for (const auto& offer : offers) nearest.offer(offer.first, offer.second);
    REQUIRE(nearest.complete());
    std::vector<std::pair<double, Index>> sorted = offers;
    std::sort(sorted.begin(), sorted.end());
    // Exact while the entries are in order; else it lags behind by a quarter of k at most.
    const auto last = static_cast<std::size_t>(k) - 1, lag = k > 32 ? last / 4 + 1 : 0;
    CHECK(nearest.limit() >= sorted[last].first);
    CHECK(nearest.limit() <= sorted[last + lag].first);
    std::vector<Index> indices(static_cast<std::size_t>(k));
    std::vector<double> distances(static_cast<std::size_t>(k));
    nearest.write(indices.data(), distances.data());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      CHECK(distances[i] == sorted[i].first);
      CHECK(indices[i] == sorted[i].second);
    }
  }
}
