#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/tsne/repulsion.hpp"
#include "unfurl/tsne/wide_repulsion.hpp"

namespace unfurl::detail {

/// Repulsion with far cells of a 2^Dim-tree taken as one point in their centre of mass (Barnes and
/// Hut 1986; van der Maaten 2014): O(n log n).
///
/// The points are sorted along a Morton curve, so that a cell is a run of them. A few that follow
/// each other walk the tree together: a cell is far when its side is at most theta times its
/// distance from the box around them. What they meet is collected without a branch, which would be
/// guessed wrong half the time, and then met by all of them in a few vector instructions. Cells end
/// at the resolution of the curve, so points that coincide share a leaf and do no harm; a point
/// meets itself at distance 0, where it feels nothing, and is taken out of the count.
///
/// Sums run in the order of the curve: the same bytes for any number of threads.
template <class Real, int Dim>
class BarnesHut {
 public:
  static constexpr int dimension = Dim;

  BarnesHut(double theta, double degrees_of_freedom = 1)
      : theta_(static_cast<Real>(theta)), nu_(degrees_of_freedom) {}

  /// \param Y Dim x n
  void operator()(const Matrix<Real>& Y, Repulsion<Real>& out, const Parallel& parallel) {
    build(Y, parallel);
    out.forces.resize(Dim, Y.cols());
    out.normalizer = parallel.reduce(
        Y.cols(), 8 * group_size, 0.0,
        [&](const Parallel::Block& block) {
          double sum = 0;
          for (Index begin = block.begin; begin < block.end; begin += group_size)
            sum += walk(begin, std::min<Index>(begin + group_size, block.end), out.forces);
          return sum;
        },
        [](double all, double part) { return all + part; });
  }

  void build(const Matrix<Real>& Y, const Parallel& parallel) {
    sort_points(Y, parallel);
    grow_tree();
  }

  using Point = std::array<Real, static_cast<std::size_t>(Dim)>;

  /// What a point meets wherever in a box it is: the centres of far cells, and the points of near
  /// ones.
  /// \param take take(position, number of points there)
  template <class Take>
  void for_surroundings(const Point& low, const Point& high, Take&& take) const {
    std::array<int, most_open> open;
    std::size_t n_open = 1;
    open[0] = 0;
    while (n_open > 0) {
      const Node& node = node_at(open[--n_open]);
      if (is_far(node, low, high))
        take(node.center, node.count);
      else if (node.leaf)
        for (int j = node.begin; j < node.end; ++j) take(sorted_point(j), Real(1));
      else
        for (int child = node.end; child-- > node.begin;) open[n_open++] = child;
    }
  }

 private:
  static constexpr std::size_t dim = static_cast<std::size_t>(Dim);
  static constexpr int lanes = 8, group_size = 32, leaf_size = 16;
  static constexpr int bits = 60 / Dim, n_children = 1 << Dim;
  /// A walk leaves at most so many nodes to be opened: all children but one on each level.
  static constexpr std::size_t most_open = static_cast<std::size_t>(bits * n_children + 1);
  using Lanes = Eigen::Array<Real, lanes, 1>;

  struct Node {
    Point center;
    Real count;
    Real reach;      // squared distance from which it is far
    int begin, end;  // a leaf's points, or a node's children
    bool leaf;
  };

  /// Positions along the Morton curve, and the points in that order.
  void sort_points(const Matrix<Real>& Y, const Parallel& parallel) {
    const Index n = Y.cols();
    const Point low = set_extent(Y, parallel);
    const double cells = static_cast<double>(std::uint64_t{1} << bits);
    const double scale = side_ > 0 ? cells / static_cast<double>(side_) : 0;
    codes_.resize(static_cast<std::size_t>(n));
    order_.resize(static_cast<std::size_t>(n));
    parallel.for_each(
        n,
        [&](Index i) {
          std::uint64_t code = 0;
          for (int c = 0; c < Dim; ++c) {
            const double at =
                static_cast<double>(Y(c, i) - low[static_cast<std::size_t>(c)]) * scale;
            code |= spread(static_cast<std::uint64_t>(std::min(std::max(at, 0.0), cells - 1))) << c;
          }
          codes_[static_cast<std::size_t>(i)] = code;
          order_[static_cast<std::size_t>(i)] = static_cast<int>(i);
        },
        4096);
    sort_codes();
    for (auto& x : x_) x.resize(static_cast<std::size_t>(n + leaf_size));  // see meet_leaf
    parallel.for_each(
        n,
        [&](Index at) {
          const auto to = static_cast<std::size_t>(at);
          for (std::size_t c = 0; c < dim; ++c) x_[c][to] = Y(static_cast<Index>(c), order_[to]);
        },
        4096);
  }

  /// The side of the square around the points, and its low corner.
  Point set_extent(const Matrix<Real>& Y, const Parallel& parallel) {
    struct Box {
      Point low, high;
    };
    const auto at = [&](Index i) {
      Point point;
      for (std::size_t c = 0; c < dim; ++c) point[c] = Y(static_cast<Index>(c), i);
      return point;
    };
    const auto join = [](Box box, const Box& other) {
      for (std::size_t c = 0; c < dim; ++c) {
        box.low[c] = std::min(box.low[c], other.low[c]);
        box.high[c] = std::max(box.high[c], other.high[c]);
      }
      return box;
    };
    const Box box = parallel.reduce(
        Y.cols(), 4096, Box{at(0), at(0)},
        [&](const Parallel::Block& block) {
          Box part{at(block.begin), at(block.begin)};
          for (Index i = block.begin; i < block.end; ++i) part = join(part, {at(i), at(i)});
          return part;
        },
        join);
    Real side = 0;
    for (std::size_t c = 0; c < dim; ++c) side = std::max(side, box.high[c] - box.low[c]);
    side_ = side * Real(1.0001);
    return box.low;
  }

  Point sorted_point(int at) const {
    Point point;
    for (std::size_t c = 0; c < dim; ++c) point[c] = x_[c][static_cast<std::size_t>(at)];
    return point;
  }

  /// Puts Dim - 1 zeros between the bits.
  static std::uint64_t spread(std::uint64_t x) {
    if (Dim == 1) return x;
    std::uint64_t result = 0;
    if (Dim == 2) {
      x &= 0xffffffffULL;
      x = (x | (x << 16)) & 0x0000ffff0000ffffULL;
      x = (x | (x << 8)) & 0x00ff00ff00ff00ffULL;
      x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0fULL;
      x = (x | (x << 2)) & 0x3333333333333333ULL;
      return (x | (x << 1)) & 0x5555555555555555ULL;
    }
    for (int b = 0; b < bits; ++b) result |= ((x >> b) & 1) << (Dim * b);
    return result;
  }

  /// By code, equal ones by index. The leading 33 bits that are not all alike are sorted by their
  /// digits, which tells almost all points apart; runs of the rest are sorted by comparing.
  void sort_codes() {
    const std::size_t n = codes_.size();
    other_codes_.resize(n);
    other_order_.resize(n);
    std::uint64_t used = 0;
    for (const std::uint64_t code : codes_) used |= code ^ codes_[0];
    constexpr int digit = 11;
    constexpr std::uint64_t mask = (1 << digit) - 1;
    int low = 0;
    while ((used >> low) >> (3 * digit) != 0) ++low;
    for (int shift = low; shift < low + 3 * digit && (used >> shift) != 0; shift += digit) {
      std::array<std::uint32_t, (1 << digit)> start{};
      for (const std::uint64_t code : codes_) ++start[(code >> shift) & mask];
      std::uint32_t total = 0;
      for (auto& count : start) total += std::exchange(count, total);
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t to = start[(codes_[i] >> shift) & mask]++;
        other_codes_[to] = codes_[i];
        other_order_[to] = order_[i];
      }
      codes_.swap(other_codes_);
      order_.swap(other_order_);
    }
    for (std::size_t begin = 0, end; begin < n; begin = end) {
      for (end = begin + 1; end < n && codes_[end] >> low == codes_[begin] >> low;) ++end;
      if (end - begin > 1) sort_run(begin, end);
    }
  }

  void sort_run(std::size_t begin, std::size_t end) {
    std::vector<std::pair<std::uint64_t, int>> run;
    for (std::size_t i = begin; i < end; ++i) run.emplace_back(codes_[i], order_[i]);
    std::sort(run.begin(), run.end());
    for (std::size_t i = begin; i < end; ++i) {
      codes_[i] = run[i - begin].first;
      order_[i] = run[i - begin].second;
    }
  }

  const Node& node_at(int i) const { return nodes_[static_cast<std::size_t>(i)]; }

  /// Its side is at most theta times the distance between its centre and the box.
  static bool is_far(const Node& node, const Point& low, const Point& high) {
    Real squared = 0;
    for (std::size_t c = 0; c < dim; ++c) {
      const Real gap = std::max(low[c] - node.center[c], node.center[c] - high[c]);
      squared += gap > 0 ? gap * gap : Real(0);
    }
    return node.reach <= squared;
  }

  /// Nodes level by level, the children of one next to each other.
  void grow_tree() {
    const Real wide = 1 / (theta_ * theta_);
    const auto add = [&](int begin, int end, int level) {
      Node node;
      const Real side = std::ldexp(side_, -level);
      node.reach = side * side * wide;
      node.begin = begin, node.end = end;
      node.count = static_cast<Real>(end - begin);
      node.leaf = end - begin <= leaf_size || level == bits;
      nodes_.push_back(node);
    };
    nodes_.clear();
    add(0, static_cast<int>(codes_.size()), 0);
    std::size_t at = 0;
    for (int level = 0; at < nodes_.size(); ++level) {
      const int shift = Dim * (bits - 1 - level);
      for (const std::size_t next_level = nodes_.size(); at < next_level; ++at) {
        if (nodes_[at].leaf) continue;
        const int first_child = static_cast<int>(nodes_.size());
        for (int begin = nodes_[at].begin, end = begin; begin < nodes_[at].end; begin = end) {
          const std::uint64_t cell = codes_[static_cast<std::size_t>(begin)] >> shift;
          end = static_cast<int>(std::upper_bound(codes_.begin() + begin,
                                                  codes_.begin() + nodes_[at].end, cell,
                                                  [&](std::uint64_t value, std::uint64_t code) {
                                                    return value < (code >> shift);
                                                  }) -
                                 codes_.begin());
          add(begin, end, level + 1);
        }
        nodes_[at].begin = first_child;
        nodes_[at].end = static_cast<int>(nodes_.size());
      }
    }
    // Centres of mass, from the leaves upwards.
    for (at = nodes_.size(); at-- > 0;) {
      Node& node = nodes_[at];
      node.center.fill(Real(0));
      for (int i = node.begin; i < node.end; ++i)
        for (std::size_t c = 0; c < dim; ++c)
          node.center[c] += node.leaf ? x_[c][static_cast<std::size_t>(i)]
                                      : node_at(i).count * node_at(i).center[c];
      for (Real& coordinate : node.center) coordinate /= node.count;
    }
  }

  /// What a group has to meet, in portions.
  struct Sources {
    static constexpr int room = 256;
    std::array<std::array<Real, room>, dim> x;
    std::array<Real, room> weight;
    int count = 0;
  };

  /// Some points of a group and what they feel.
  struct Part {
    std::array<Lanes, dim> x, force;
    Lanes sum = Lanes::Zero();
  };
  using Group = std::array<Part, group_size / lanes>;

  /// The group that starts at `begin`, through the tree; returns its part of Z.
  double walk(Index begin, Index end, Matrix<Real>& forces) const {
    Group group;
    Sources sources;
    Point low = sorted_point(static_cast<int>(begin)), high = low;
    for (Index s = 0; s < group_size; ++s) {
      const Point own = sorted_point(static_cast<int>(std::min(begin + s, end - 1)));
      for (std::size_t c = 0; c < dim; ++c) {
        group[static_cast<std::size_t>(s / lanes)].x[c](s % lanes) = own[c];
        low[c] = std::min(low[c], own[c]);
        high[c] = std::max(high[c], own[c]);
      }
    }
    for (Part& part : group)
      for (Lanes& force : part.force) force.setZero();

    std::array<int, most_open> open;
    std::array<int, static_cast<std::size_t>(n_children)> near;
    std::size_t n_open = 1;
    open[0] = 0;
    if (nodes_[0].leaf) meet_leaf(nodes_[0], group, sources), n_open = 0;
    while (n_open > 0) {
      const Node& parent = node_at(open[--n_open]);
      std::size_t n_near = 0;
      if (sources.count > Sources::room - n_children) meet(group, sources);
      for (int child = parent.begin; child < parent.end; ++child) {
        const Node& node = node_at(child);
        const bool far = is_far(node, low, high);
        const auto to = static_cast<std::size_t>(sources.count);
        for (std::size_t c = 0; c < dim; ++c) sources.x[c][to] = node.center[c];
        sources.weight[to] = node.count;
        sources.count += far;
        near[n_near] = child;
        n_near += !far & node.leaf;
        open[n_open] = child;
        n_open += !far & !node.leaf;
      }
      for (std::size_t i = 0; i < n_near; ++i) meet_leaf(node_at(near[i]), group, sources);
    }
    meet(group, sources);

    double total = 0;
    for (Index s = 0; s < end - begin; ++s) {
      const Part& part = group[static_cast<std::size_t>(s / lanes)];
      const Index i = order_[static_cast<std::size_t>(begin + s)];
      for (std::size_t c = 0; c < dim; ++c)
        forces(static_cast<Index>(c), i) = part.force[c](s % lanes);
      total += static_cast<double>(part.sum(s % lanes)) - 1;
    }
    return total;
  }

  void meet_leaf(const Node& leaf, Group& group, Sources& sources) const {
    for (int first = leaf.begin; first < leaf.end; first += leaf_size) {
      if (sources.count > Sources::room - leaf_size) meet(group, sources);
      // A fixed number is copied, of which those beyond the leaf do not count.
      for (std::size_t c = 0; c < dim; ++c)
        std::copy_n(x_[c].data() + first, leaf_size, sources.x[c].data() + sources.count);
      std::fill_n(sources.weight.data() + sources.count, leaf_size, Real(1));
      sources.count += std::min(leaf_size, leaf.end - first);
    }
  }

  void meet(Group& group, Sources& sources) const {
    if (sources.count % 2 == 1) {  // a partner without weight
      const auto last = static_cast<std::size_t>(sources.count++);
      for (std::size_t c = 0; c < dim; ++c) sources.x[c][last] = sources.x[c][last - 1];
      sources.weight[last] = 0;
    }
    for (Part& part : group)
      if (nu_ == 1)
        meet_in_pairs(part, sources);
      else
        meet_one_by_one(part, sources);
    sources.count = 0;
  }

  /// Two sources share one division: 1 / a = b / (a b).
  static void meet_in_pairs(Part& part, const Sources& sources) {
    if constexpr (chooses_lanes)
      if (has_wide_lanes()) return meet_in_vectors(part, sources);
    const Real largest = Real(1e18);  // the product stays finite
    Part own = part;                  // in registers
    for (std::size_t at = 0; at < static_cast<std::size_t>(sources.count); at += 2) {
      std::array<Lanes, dim> gap, gap2;
      Lanes a = Lanes::Ones(), b = Lanes::Ones();
      for (std::size_t c = 0; c < dim; ++c) {
        gap[c] = own.x[c] - sources.x[c][at];
        gap2[c] = own.x[c] - sources.x[c][at + 1];
        a += gap[c] * gap[c];
        b += gap2[c] * gap2[c];
      }
      a = a.min(largest);
      b = b.min(largest);
      const Lanes inverse = (a * b).inverse();
      const Lanes w = b * inverse, w2 = a * inverse;
      const Lanes u = sources.weight[at] * w, u2 = sources.weight[at + 1] * w2;
      own.sum += u;
      own.sum += u2;
      for (std::size_t c = 0; c < dim; ++c) {
        own.force[c] += (u * w) * gap[c];
        own.force[c] += (u2 * w2) * gap2[c];
      }
    }
    part = own;
  }

  static void meet_in_vectors(Part& part, const Sources& sources) {
    for (int s = 0; s < lanes; s += WideRepulsion<Real, dim>::lanes) {
      std::array<const Real*, dim> x, from;
      std::array<Real*, dim> force;
      for (std::size_t c = 0; c < dim; ++c) {
        x[c] = part.x[c].data() + s;
        from[c] = sources.x[c].data();
        force[c] = part.force[c].data() + s;
      }
      WideRepulsion<Real, dim>::meet(x, from, sources.weight.data(),
                                     static_cast<std::size_t>(sources.count), part.sum.data() + s,
                                     force);
    }
  }

  void meet_one_by_one(Part& part, const Sources& sources) const {
    for (std::size_t at = 0; at < static_cast<std::size_t>(sources.count); ++at) {
      std::array<Lanes, dim> gap;
      Lanes squared = Lanes::Zero();
      for (std::size_t c = 0; c < dim; ++c) {
        gap[c] = part.x[c] - sources.x[c][at];
        squared += gap[c] * gap[c];
      }
      const Lanes w = (squared / static_cast<Real>(nu_) + Real(1)).inverse();
      const Lanes u = sources.weight[at] * w.pow(static_cast<Real>((nu_ + 1) / 2));
      part.sum += u;
      for (std::size_t c = 0; c < dim; ++c) part.force[c] += (u * w) * gap[c];
    }
  }

  Real theta_;
  double nu_;
  Real side_ = 0;
  std::array<std::vector<Real>, dim> x_;  // in the order of the curve
  std::vector<std::uint64_t> codes_, other_codes_;
  std::vector<int> order_, other_order_;
  std::vector<Node> nodes_;
};

}  // namespace unfurl::detail
