#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/path_graph.hpp"
#include "unfurl/graph/path_order.hpp"

namespace unfurl::detail {

/// Where a path starts: at vertex `vertex` (of the PathGraph) with `length` already behind it.
template <class Scalar>
struct PathStart {
  int vertex;
  Scalar length;
};

/// Shortest paths from 16 sources at once. Sources that lie close together share almost all of
/// their work: an edge is tried for all of them in one go. Vertices wait in buckets by distance,
/// several edges wide, and go through again when a source still gains (label correcting; Denardo
/// and Fox 1979), so the result is exact for any sources; distant ones only cost more visits.
/// Sources close to those of an earlier walk do without buckets for all but the vertices around
/// them: the others take their distances from their neighbours in the order of that walk, and only
/// where one turns out to have come too late for a neighbour the buckets set it right.
///
/// The result is, for each source and vertex, the least of the sums over all paths, each summed up
/// from its source on (rounded additions keep the order of their arguments): it does not depend on
/// the order of the work or on which sources are together.
template <class Scalar>
class PathBatch {
 public:
  static constexpr Index lanes = 16;
  /// Finite, so that differences are numbers.
  static constexpr Scalar unreached = std::numeric_limits<Scalar>::max() / 4;

  explicit PathBatch(const PathGraph<Scalar>& graph)
      : graph_(graph),
        distances_(lanes, graph.size()),
        waits_(static_cast<std::size_t>(graph.size()), 0),
        buckets_(n_buckets) {}

  /// Forgets the last walk. The next one reaches the vertices below `limit`; from others, whose
  /// distances are known, it may start.
  void prepare(Index limit) {
    if (limit != limit_) order_.clear();
    limit_ = static_cast<int>(limit);
    distances_.leftCols(limit).setConstant(unreached);
    current_ = 0;
    starts_.clear();
  }

  /// Source s is this far from the vertex of `start`. A source may start at many.
  void add(Index s, const PathStart<Scalar>& start) {
    Scalar& distance = distances_(s, start.vertex);
    distance = start.vertex < limit_ ? std::min(distance, start.length) : start.length;
    if (start.vertex < limit_) starts_.push_back(start.vertex);
    wait(start.vertex, start.length);
  }

  /// Distances from the sources. Column v of the result holds those of vertex v, below the limit;
  /// where there is no path, and in the rows of absent sources, at least `unreached`. Valid until
  /// `prepare`.
  const Matrix<Scalar>& walk() {
    Index near = 0;  // of the order, that the sources are among
    if (order_.size() > 0)
      for (const int v : starts_) near = std::max(near, order_.place(v) + 1);
    if (near > 0 && near <= limit_ / few) {
      walk_in_order(near);
    } else {
      empty_buckets();
      remember_order();
    }
    return distances_;
  }

 private:
  static constexpr Index n_buckets = 64;
  static constexpr Index few = 4;  // of this fraction of the vertices a walk costs little

  using Packet = typename Lanes<Scalar>::Packet;
  static constexpr Index packet_size = Lanes<Scalar>::packet_size;
  static constexpr Index n_packets = lanes / packet_size;

  void empty_buckets() {
    for (; n_waiting_ > 0; ++current_) {
      // A vertex may come back into the bucket that is being emptied.
      std::vector<int>& bucket = buckets_[static_cast<std::size_t>(current_ % n_buckets)];
      for (std::size_t at = 0; at < bucket.size(); ++at) visit(bucket[at]);
      n_waiting_ -= static_cast<Index>(bucket.size());
      bucket.clear();
    }
  }

  /// Of the first source; none when so much of the graph is as near to it as where the others start
  /// that the next walk would gain nothing.
  void remember_order() {
    const auto distance = [this](Index v) { return distances_(0, v); };
    Scalar farthest = 0;
    for (const int v : starts_) farthest = std::max(farthest, distance(v));
    Index near = 0;
    for (Index v = 0; v < limit_; ++v) near += distance(v) <= farthest;
    if (near <= limit_ / few)
      order_.assign(graph_, limit_, distance);
    else
      order_.clear();
  }

  /// \param near so many vertices of the order are reached by buckets
  void walk_in_order(Index near) {
    // What counts as waiting does not go into a bucket: it has its turn below.
    for (Index place = near; place < order_.size(); ++place)
      waits_[static_cast<std::size_t>(order_.vertex(place))] = 1;
    empty_buckets();
    for (Index place = near; place < order_.size(); ++place) {
      const int v = order_.vertex(place);
      waits_[static_cast<std::size_t>(v)] = 0;
      if (!settle(v, place)) {
        visit(v);
        empty_buckets();
      }
    }
  }

  /// Takes the shortest paths to v through earlier neighbours. \returns false when it comes too
  /// late: one of these has a shorter path through v
  bool settle(int v, Index place) {
    using namespace Eigen::internal;
    const int* const neighbors = order_.neighbors();
    const Scalar* const lengths = order_.lengths();
    Packet own[static_cast<std::size_t>(n_packets)];
    for (Index p = 0; p < n_packets; ++p) own[p] = ploadu<Packet>(packet_of(v, p));
    for (std::size_t e = order_.begin(place); e < order_.end(place); ++e) {
      const Packet length = pset1<Packet>(lengths[e]);
      for (Index p = 0; p < n_packets; ++p)
        own[p] = pmin(own[p], padd(ploadu<Packet>(packet_of(neighbors[e], p)), length));
    }
    for (Index p = 0; p < n_packets; ++p) pstoreu(packet_of(v, p), own[p]);
    Packet gained = pset1<Packet>(Scalar(0));
    for (std::size_t e = order_.begin(place); e < order_.end(place); ++e) {
      const Packet length = pset1<Packet>(lengths[e]);
      for (Index p = 0; p < n_packets; ++p)
        gained =
            por(gained, pcmp_lt(padd(own[p], length), ploadu<Packet>(packet_of(neighbors[e], p))));
    }
    return !any_lane(gained);
  }

  Scalar* packet_of(int v, Index p) {
    return distances_.data() + Index{v} * lanes + p * packet_size;
  }

  /// Offers the neighbours of u a path through u.
  void visit(int u) {
    using namespace Eigen::internal;
    waits_[static_cast<std::size_t>(u)] = 0;
    Packet own[static_cast<std::size_t>(n_packets)];
    for (Index p = 0; p < n_packets; ++p) own[p] = ploadu<Packet>(packet_of(u, p));
    for (Index e = graph_.begin(u); e < graph_.end(u); ++e) {
      const int v = graph_.neighbors()[e];
      if (v >= limit_) break;  // nor can those that follow gain
      const Packet length = pset1<Packet>(graph_.lengths()[e]);
      const bool waits = waits_[static_cast<std::size_t>(v)] != 0;
      bool gains = false;
      Packet last = pset1<Packet>(Scalar(0));  // of the paths that gain
      for (Index p = 0; p < n_packets; ++p) {
        Scalar* const theirs = packet_of(v, p);
        const Packet before = ploadu<Packet>(theirs);
        const Packet through = padd(own[p], length);
        const Packet gained = pcmp_lt(through, before);
        if (!any_lane(gained)) continue;
        gains = true;
        pstoreu(theirs, pmin(through, before));
        if (!waits) last = pmax(last, pand(gained, through));
      }
      if (gains && !waits) wait(v, predux_max(last));
    }
  }

  /// Into the bucket of the last source that has gained: by then all of them have arrived.
  void wait(int v, Scalar length) {
    if (std::exchange(waits_[static_cast<std::size_t>(v)], char(1))) return;
    const Scalar bucket = std::max(Scalar(0), length * graph_.buckets_per_length());
    const Index ahead = current_ + n_buckets - 1;
    const Index at = bucket < static_cast<Scalar>(ahead)
                         ? std::max(current_, static_cast<Index>(bucket))
                         : ahead;
    buckets_[static_cast<std::size_t>(at % n_buckets)].push_back(v);
    ++n_waiting_;
  }

  const PathGraph<Scalar>& graph_;
  Matrix<Scalar> distances_;  // lanes x n
  std::vector<char> waits_;
  std::vector<std::vector<int>> buckets_;  // a ring; bucket b is b % n_buckets
  Index current_ = 0, n_waiting_ = 0;
  int limit_ = 0;
  std::vector<int> starts_;  // below the limit
  PathOrder<Scalar> order_;  // of an earlier walk; empty: there is none of use
};

}  // namespace unfurl::detail
