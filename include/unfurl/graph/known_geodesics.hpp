#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/geodesics.hpp"
#include "unfurl/graph/joints.hpp"
#include "unfurl/graph/placement_sums.hpp"
#include "unfurl/graph/wide_minima.hpp"

namespace unfurl::detail {

/// Places new points by the geodesics of their joints, which are kept: the distances of a point are
/// the least of a few rows of the matrix. Points that are joined to the same vertices go through it
/// together, a piece of the sources at a time, and each block of rows is fetched once.
template <class Real>
class KnownGeodesics {
 public:
  explicit KnownGeodesics(const Geodesics<Real>& geodesics)
      : geodesics_(geodesics), lengths_(geodesics.lengths), upper_(geodesics.every()) {}

  /// \returns coordinates x points
  Matrix<double> place(const std::vector<Joints<Real>>& joints, const PlacementSums& wanted,
                       const Parallel& parallel) const {
    std::vector<std::pair<int, Index>> order;  // neighbours share most of their rows
    for (const Joints<Real>& point : joints)
      order.emplace_back(point.starts.front().vertex, static_cast<Index>(order.size()));
    std::sort(order.begin(), order.end());
    Matrix<double> Y =
        Matrix<double>::Zero(wanted.n_coordinates(), static_cast<Index>(joints.size()));
    std::vector<Matrix<Real>> workers(static_cast<std::size_t>(parallel.n_threads()));
    for (auto next = order.begin(); next != order.end();) {
      const auto first = next;
      Group group(geodesics_.paths.size());
      while (next != order.end() && !group.full())
        group.add(joints[static_cast<std::size_t>((next++)->second)]);
      group.assign_places();
      std::vector<Matrix<double>> parts(static_cast<std::size_t>(wanted.n_parts()));
      parallel.for_blocks(wanted.n_sources(), wanted.per_part(), [&](const auto& block) {
        parts[static_cast<std::size_t>(block.number)] = sums_of_part(
            group, block.begin, block.end, wanted, workers[static_cast<std::size_t>(block.worker)]);
      });
      for (const Matrix<double>& part : parts)
        for (Index i = 0; i < part.cols(); ++i)
          for (Index c = 0; c < part.rows(); ++c) Y(c, first[i].second) += part(c, i);
    }
    return Y;
  }

 private:
  static constexpr Index piece = PlacementSums::piece;
  using Packet = typename Lanes<Real>::Packet;
  static constexpr Index packet_size = Lanes<Real>::packet_size;
  static constexpr int width = 64 / sizeof(Real);  // vertices in a line of the cache

  /// Points that are placed together, and the blocks of `width` vertices that they are joined to.
  struct Group {
    struct Point {
      double shortest;
      std::size_t end_of_joints, end_of_reads;
    };
    struct Read {
      int block, place;
    };
    std::vector<Point> points = {};
    std::vector<PathStart<Real>> joints = {};  // once read: vertices are counted from place 0 on
    std::vector<Read> reads = {};              // in the order in which the points need them
    int n_places = 0;                          // for blocks at a time

    explicit Group(Index n_vertices)
        : last_use_(static_cast<std::size_t>((n_vertices + width - 1) / width), none) {}

    void add(const Joints<Real>& point) {
      for (const auto& start : point.starts) {
        std::size_t& last = last_use_[static_cast<std::size_t>(start.vertex / width)];
        if (last == none) ++n_blocks_;
        last = points.size();
        joints.push_back(start);
      }
      points.push_back({point.shortest, joints.size(), 0});
    }

    /// More would leave the caches, whatever the order.
    bool full() const { return n_blocks_ * width >= 16384 || points.size() >= 16384; }

    /// A block that no later point needs gives its place to another, so that few are in use.
    void assign_places() {
      std::vector<int> places(last_use_.size(), -1), vacant, here;
      std::size_t joint = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        here.clear();
        for (; joint < points[i].end_of_joints; ++joint) {
          int& vertex = joints[joint].vertex;
          const int block = vertex / width;
          int& place = places[static_cast<std::size_t>(block)];
          if (place < 0) {
            if (vacant.empty()) vacant.push_back(n_places++);
            place = vacant.back();
            vacant.pop_back();
            reads.push_back({block, place});
          }
          vertex = place * width + vertex % width;
          here.push_back(block);
        }
        points[i].end_of_reads = reads.size();
        for (const int block : here) {
          int& place = places[static_cast<std::size_t>(block)];
          if (last_use_[static_cast<std::size_t>(block)] > i || place < 0) continue;
          vacant.push_back(place);
          place = -1;
        }
      }
    }

   private:
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();
    std::vector<std::size_t> last_use_;  // of blocks, by points
    Index n_blocks_ = 0;
  };

  /// Over the sources from `begin` to `end`.
  /// \param rows room for a column for each vertex of the blocks in use
  Matrix<double> sums_of_part(const Group& group, Index begin, Index end,
                              const PlacementSums& wanted, Matrix<Real>& rows) const {
    Matrix<double> sums =
        Matrix<double>::Zero(wanted.n_coordinates(), static_cast<Index>(group.points.size()));
    rows.resize(piece, width * static_cast<Index>(group.n_places));
    for (Index first = begin; first < end; first += piece) {
      const Index count = std::min(piece, end - first);
      std::size_t joint = 0, read = 0;
      double* sums_of_point = sums.data();
      for (const auto& point : group.points) {
        for (; read < point.end_of_reads; ++read) {
          if (read + 1 < group.reads.size()) prefetch(group.reads[read + 1].block, first, count);
          const auto& [block, place] = group.reads[read];
          transcribe(block, first, count, rows.data() + Index{place} * width * piece);
        }
        Real more[static_cast<std::size_t>(piece)];
        take_least(rows, group.joints.data() + joint, group.joints.data() + point.end_of_joints,
                   more);
        wanted.add(first, point.shortest, more, sums_of_point);
        joint = point.end_of_joints;
        sums_of_point += sums.rows();
      }
    }
    return sums;
  }

  /// The lengths between a block of vertices (columns of the result) and `count` sources.
  void transcribe(Index block, Index first, Index count, Real* to) const {
    const Index n = lengths_.rows(), begin = block * width, end = std::min(begin + width, n);
    for (Index i = 0; i < count; i += width) {
      if (upper_ && begin >= first + i + width) continue;
      const Real* const from = lengths_.data() + (first + i) * n + begin;
      if (begin + width <= n && i + width <= count)
        transpose(from, n, width, width, to + i);  // of fixed size, for the compiler
      else
        transpose(from, n, end - begin, std::min<Index>(width, count - i), to + i);
    }
    for (Index v = begin; v < end; ++v, to += piece) {
      if (upper_ && v > first)  // what is below the diagonal of G
        std::copy_n(lengths_.data() + v * n + first, std::min(count, v - first), to);
      std::fill_n(to + count, piece - count, Real(0));
    }
  }

  static void transpose(const Real* from, Index stride, Index n_rows, Index n_columns, Real* to) {
    for (Index i = 0; i < n_columns; ++i)
      for (Index r = 0; r < n_rows; ++r) to[r * piece + i] = from[i * stride + r];
  }

  /// Lets the memory bring it, from many columns at once.
  void prefetch(Index block, Index first, Index count) const {
    const Index n = lengths_.rows(), begin = block * width, end = std::min(begin + width, n);
    for (Index j = first; j < first + count; ++j)
      if (!upper_ || begin <= j) detail::prefetch(lengths_.data() + j * n + begin);
    for (Index v = begin; upper_ && v < end; ++v)
      for (Index i = first; i < std::min(first + count, v); i += width)
        detail::prefetch(lengths_.data() + v * n + i);
  }

  static void take_least(const Matrix<Real>& rows, const PathStart<Real>* begin,
                         const PathStart<Real>* end, Real* least) {
    using namespace Eigen::internal;
    if constexpr (chooses_lanes)
      if (has_wide_lanes())
        return WideMinima<Real>::template take<piece>(rows.data(), begin, end, least);
    constexpr Index n_packets = 4;
    static_assert(piece % (n_packets * packet_size) == 0);
    for (Index at = 0; at < piece; at += n_packets * packet_size) {
      Packet own[static_cast<std::size_t>(n_packets)];
      for (Packet& packet : own) packet = pset1<Packet>((std::numeric_limits<Real>::max)());
      for (const PathStart<Real>* start = begin; start < end; ++start) {
        const Packet length = pset1<Packet>(start->length);
        const Real* const row = rows.data() + start->vertex * piece + at;
        for (Index p = 0; p < n_packets; ++p)
          own[p] = pmin(own[p], padd(length, ploadu<Packet>(row + p * packet_size)));
      }
      for (Index p = 0; p < n_packets; ++p) pstoreu(least + at + p * packet_size, own[p]);
    }
  }

  const Geodesics<Real>& geodesics_;
  const Matrix<Real>& lengths_;
  bool upper_;
};

}  // namespace unfurl::detail
