#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/boxes.hpp"
#include "unfurl/neighbors/distance.hpp"

namespace unfurl::detail {

/// The nearest points of several queries at once, a lane of vector registers each. The queries walk
/// the boxes together: a box is entered when one of them wants it, and a point is compared with all
/// of them and takes its place in their lists without a branch. The closer together the queries
/// are, the more of the work is of use to all.
///
/// A list holds keys: squared distances whose last bits are replaced by the number of the visit, so
/// that distance and point are moved by one instruction. Keys order points up to the bits that are
/// missing; distances are taken anew from the points in a list, and a list is right when all of
/// them are nearer than the next key, without its number, which no other point is below. Squares
/// that are not normal numbers count as the smallest one: some programs have others taken for 0.
template <class Scalar>
class LaneSearch {
  using Packet = typename Lanes<Scalar>::Packet;
  static constexpr Index packet_size = Lanes<Scalar>::packet_size;
  static constexpr Index n_packets = packet_size < 8 ? 8 / packet_size : 1;
  using Bits = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;

 public:
  /// Most queries at once.
  static constexpr Index lanes = n_packets * packet_size;
  /// A point that enters costs so many steps as there are neighbours: for more, other lists are
  /// better.
  static constexpr Index most_neighbors = 256;

  /// \param k how many neighbours are wanted, at most as many as there are points
  LaneSearch(const Boxes<Scalar>& boxes, Index k)
      : boxes_(boxes),
        last_(k + 1),
        // Of many features more points are visited.
        numbers_((Bits{1} << (sizeof(Scalar) == 8     ? 20
                              : boxes.dimension() < 6 ? 12
                                                      : 14)) -
                 1),
        queries_(static_cast<std::size_t>(boxes.dimension() * lanes)),
        keys_(static_cast<std::size_t>((last_ + 1) * lanes)) {}

  /// \param queries one after the other in memory
  /// \param count of them, at least 1, at most `lanes`
  void find(const Scalar* queries, Index count) {
    const Index d = boxes_.dimension();
    for (Index lane = 0; lane < lanes; ++lane)
      for (Index i = 0; i < d; ++i)
        queries_.data()[i * lanes + lane] = queries[std::min(lane, count - 1) * d + i];
    // Nothing comes before the first row.
    std::fill_n(keys_.begin(), lanes, -std::numeric_limits<Scalar>::infinity());
    std::fill(keys_.begin() + lanes, keys_.end(), std::numeric_limits<Scalar>::infinity());
    visited_.clear();
    Index home = boxes_.leaf_near(queries);
    look_at_leaf(home);
    for (Index level = 1; level < boxes_.n_levels(); ++level) {
      look_around(level, home);
      home /= Boxes<Scalar>::fan;
    }
  }

  /// The nearest points of a query of the last `find`, by (distance, name).
  /// \param query the same
  /// \param names what the points are called, by their places
  /// \returns false when there are too few, or others may be as near as the last: nothing useful
  ///   is written then
  bool write(Index lane, const Scalar* query, const std::vector<Index>& names, Index* indices,
             Scalar* distances) const {
    const Index k = last_ - 1, d = boxes_.dimension();
    if (!all_visited() || !(row(k)[lane] < std::numeric_limits<Scalar>::infinity())) return false;
    for (Index j = 0; j < k; ++j) {
      const Index place = place_of(row(j + 1)[lane]);
      const std::pair<Scalar, Index> entry(
          std::sqrt(squared_distance(query, boxes_.points().data() + place * d, d)),
          names[static_cast<std::size_t>(place)]);
      Index at = j;  // changes places only with those at nearly the same distance
      for (; at > 0 && entry < std::pair(distances[at - 1], indices[at - 1]); --at) {
        distances[at] = distances[at - 1];
        indices[at] = indices[at - 1];
      }
      distances[at] = entry.first;
      indices[at] = entry.second;
    }
    const Scalar next = without_number(row(last_)[lane]);
    return next > least && distances[k - 1] < std::sqrt(next);
  }

 private:
  static constexpr Index fan = Boxes<Scalar>::fan;
  static constexpr Scalar least = (std::numeric_limits<Scalar>::min)();

  Scalar without_number(Scalar key) const {
    Bits bits;
    std::memcpy(&bits, &key, sizeof bits);
    bits &= ~numbers_;
    std::memcpy(&key, &bits, sizeof bits);
    return key;
  }

  Index place_of(Scalar key) const {
    Bits bits;
    std::memcpy(&bits, &key, sizeof bits);
    const auto visit = static_cast<Index>(bits & numbers_);
    return visited_[static_cast<std::size_t>(visit / fan)] * fan + visit % fan;
  }

  bool all_visited() const { return visited_.size() * fan <= numbers_; }

  /// The other children of the node of `level` that `home`, where the search has been, is one of.
  void look_around(Index level, Index home) {
    const auto [begin, end] = boxes_.children(level, home / fan);
    for (Index child = begin; child < end; ++child)
      if (child != home && wanted(level - 1, child)) look_into(level - 1, child);
  }

  void look_into(Index level, Index node) {
    if (level == 0) return look_at_leaf(node);
    const auto [begin, end] = boxes_.children(level, node);
    for (Index child = begin; child < end; ++child)
      if (wanted(level - 1, child)) look_into(level - 1, child);
  }

  void look_at_leaf(Index leaf) {
    const auto number = static_cast<Bits>(visited_.size() * fan);
    visited_.push_back(leaf);
    if (!all_visited()) return;  // there is no number left
    const auto [begin, end] = boxes_.children(0, leaf);
    for (Index i = begin; i < end; ++i) offer(i, number + static_cast<Bits>(i - begin));
  }

  /// sum + t * t, as add_square does it.
  static Packet plus_square(const Packet& sum, const Packet& t) {
    if constexpr (packet_size == 1)
      return add_square(sum, t);
    else
      return Eigen::internal::pmadd(t, t, sum);
  }

  /// A query is nearer to the box than to the last point in its list.
  bool wanted(Index level, Index node) const {
    using namespace Eigen::internal;
    const Index d = boxes_.dimension();
    const Scalar *low = boxes_.low(level, node), *high = boxes_.high(level, node);
    const Packet zero = pset1<Packet>(Scalar(0));
    for (Index p = 0; p < lanes; p += packet_size) {
      const Scalar* queries = queries_.data() + p;
      Packet sum = zero;
      for (Index i = 0; i < d; ++i, queries += lanes) {
        const Packet query = ploadu<Packet>(queries);
        const Packet outside =
            pmax(psub(pset1<Packet>(low[i]), query), psub(query, pset1<Packet>(high[i])));
        sum = plus_square(sum, pmax(outside, zero));
      }
      if (any_lane(pcmp_lt(sum, ploadu<Packet>(row(last_) + p)))) return true;
    }
    return false;
  }

  void offer(Index place, Bits number) {
    using namespace Eigen::internal;
    const Index d = boxes_.dimension();
    const Scalar* const point = boxes_.points().data() + place * d;
    Scalar keep, add;
    const Bits others = ~numbers_;
    std::memcpy(&keep, &others, sizeof keep);
    std::memcpy(&add, &number, sizeof add);
    for (Index p = 0; p < lanes; p += packet_size) {
      const Scalar* queries = queries_.data() + p;
      Packet sum = pset1<Packet>(Scalar(0));
      for (Index i = 0; i < d; ++i, queries += lanes)
        sum = plus_square(sum, psub(ploadu<Packet>(queries), pset1<Packet>(point[i])));
      const Packet key =
          por(pand(pmax(sum, pset1<Packet>(least)), pset1<Packet>(keep)), pset1<Packet>(add));
      if (any_lane(pcmp_lt(key, ploadu<Packet>(row(last_) + p)))) insert(key, p);
    }
  }

  /// Each row from the last on becomes the one before it, the new key, or stays as it is.
  void insert(const Packet& key, Index lane) {
    using namespace Eigen::internal;
    Scalar* const first = row(0) + lane;
    Packet own = ploadu<Packet>(row(last_) + lane);
    for (Scalar* at = row(last_) + lane; at != first; at -= lanes) {
      const Packet before = ploadu<Packet>(at - lanes);
      pstoreu(at, pmax(before, pmin(key, own)));
      own = before;
    }
  }

  const Scalar* row(Index r) const { return keys_.data() + r * lanes; }
  Scalar* row(Index r) { return keys_.data() + r * lanes; }

  const Boxes<Scalar>& boxes_;
  Index last_;                   // row of the (k + 1)-th, which tells whether the others are right
  Bits numbers_;                 // the last bits of a key
  std::vector<Scalar> queries_;  // a row a feature
  std::vector<Scalar> keys_;     // a row a neighbour, from row 1 on, nearest first
  std::vector<Index> visited_;   // leaves; point j of the i-th one has number fan i + j
};

}  // namespace unfurl::detail
