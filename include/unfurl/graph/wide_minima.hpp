#pragma once

#include <cstddef>
#include <limits>
#include <utility>

#include "unfurl/core/types.hpp"
#include "unfurl/core/wide.hpp"

namespace unfurl::detail {

/// KnownGeodesics::take_least for AVX2.
template <class Real>
class WideMinima;

#ifdef UNFURL_CHOOSES_LANES
template <class Real>
class WideMinima {
 public:
  /// least(i) = the least of start.length + rows(i, start.vertex), for i < size
  template <Index size, class Start>
  static void take(const Real* rows, const Start* begin, const Start* end, Real* least) {
    constexpr Index at_once = 8 * Lanes::size;  // as many as there are registers for
    static_assert(size % at_once == 0);
    for (Index at = 0; at < size; at += at_once)
      take_vectors<size>(std::make_index_sequence<8>(), rows + at, begin, end, least + at);
  }

 private:
  using Lanes = Wide<Real>;
  using Vector = typename Lanes::Vector;

  template <Index size, class Start, std::size_t... I>
  UNFURL_WIDE static void take_vectors(std::index_sequence<I...>, const Real* rows,
                                       const Start* begin, const Start* end, Real* least) {
    constexpr Index lanes = Lanes::size;
    Vector own[] = {(Vector{} + (static_cast<void>(I), (std::numeric_limits<Real>::max)()))...};
    for (const Start* start = begin; start < end; ++start) {
      const Real* const row = rows + start->vertex * size;
      Vector sums[sizeof...(I)];
      (Lanes::load(row + static_cast<Index>(I) * lanes, sums[I]), ...);
      ((sums[I] += start->length), ...);
      ((own[I] = sums[I] < own[I] ? sums[I] : own[I]), ...);
    }
    (Lanes::store(own[I], least + static_cast<Index>(I) * lanes), ...);
  }
};
#endif

}  // namespace unfurl::detail
