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

namespace unfurl::detail {

/// Repulsion with far cells of a 2^Dim-tree taken as one point in their centre of mass (Barnes and
/// Hut 1986; van der Maaten 2014): O(n log n).
///
/// The points are sorted along a Morton curve, so that a cell is a run of them. A leaf holds up to
/// 16, which walk the tree together: a cell is far when its side is at most theta times its
/// distance from the box around them, and then all 16 take it in a few vector instructions. Cells
/// end at the resolution of the curve, so points that coincide share a leaf and do no harm; a point
/// meets itself at distance 0, where it feels nothing, and is taken out of the count.
///
/// Sums run in the order of the curve: the same bytes for any number of threads.
template <class Real, int Dim>
class BarnesHut {
 public:
  BarnesHut(double theta, double degrees_of_freedom = 1)
      : theta_(static_cast<Real>(theta)), nu_(degrees_of_freedom) {}

  /// \param Y Dim x n
  void operator()(const Matrix<Real>& Y, Repulsion<Real>& out, const Parallel& parallel) {
    build(Y);
    out.forces.resize(Dim, Y.cols());
    const auto n_groups = static_cast<Index>(groups_.size());
    out.normalizer = parallel.reduce(
        n_groups, 8, 0.0,
        [&](const Parallel::Block& block) {
          double sum = 0;
          for (Index g = block.begin; g < block.end; ++g)
            sum += walk(groups_[static_cast<std::size_t>(g)], out.forces);
          return sum;
        },
        [](double all, double part) { return all + part; });
  }

  void build(const Matrix<Real>& Y) {
    sort_points(Y);
    grow_tree();
  }

  /// What a point beside those of the tree feels: Σ_j u w (y - y_j) into `force`, and Σ_j u_j.
  double at(const Real* y, Real* force) const {
    double sum = 0;
    for (int c = 0; c < Dim; ++c) force[c] = 0;
    const auto meet = [&](const Point& point, Real squared, Real weight) {
      const Real w = 1 / (1 + squared / static_cast<Real>(nu_)), u = weight * heavy_tail(w, nu_);
      sum += static_cast<double>(u);
      for (std::size_t c = 0; c < dim; ++c) force[c] += u * w * (y[c] - point[c]);
    };
    const auto squared_distance_to = [&](const Point& point) {
      Real squared = 0;
      for (std::size_t c = 0; c < dim; ++c) squared += (y[c] - point[c]) * (y[c] - point[c]);
      return squared;
    };
    const int n_nodes = static_cast<int>(nodes_.size());
    for (int i = 0; i < n_nodes;) {
      const Node& node = nodes_[static_cast<std::size_t>(i)];
      const Real squared = squared_distance_to(node.center);
      if (node.side * node.side <= theta_ * theta_ * squared) {
        meet(node.center, squared, node.count);
        i = node.next;
      } else if (node.leaf) {
        for (int j = node.begin; j < node.end; ++j) {
          const Point point = sorted_point(j);
          meet(point, squared_distance_to(point), Real(1));
        }
        i = node.next;
      } else {
        ++i;
      }
    }
    return sum;
  }

 private:
  static constexpr std::size_t dim = static_cast<std::size_t>(Dim);
  static constexpr int lanes = 16, bits = 60 / Dim;
  using Lanes = Eigen::Array<Real, lanes, 1>;
  using Point = std::array<Real, dim>;

  struct Node {
    Point center;
    Real count, side;
    int begin, end;  // its points
    int next;        // the first node after its subtree, in the order of a walk
    int parent;
    bool leaf;
  };
  struct Group {
    int begin, end;
  };

  /// Positions along the Morton curve, and the points in that order.
  void sort_points(const Matrix<Real>& Y) {
    const Index n = Y.cols();
    Real side = 0;
    Point low;
    for (int c = 0; c < Dim; ++c) {
      low[static_cast<std::size_t>(c)] = Y.row(c).minCoeff();
      side = std::max(side, Y.row(c).maxCoeff() - low[static_cast<std::size_t>(c)]);
    }
    side_ = side * Real(1.0001);
    const double cells = static_cast<double>(std::uint64_t{1} << bits);
    const double scale = side_ > 0 ? cells / static_cast<double>(side_) : 0;
    codes_.resize(static_cast<std::size_t>(n));
    order_.resize(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) {
      std::uint64_t code = 0;
      for (int c = 0; c < Dim; ++c) {
        const double at = static_cast<double>(Y(c, i) - low[static_cast<std::size_t>(c)]) * scale;
        code |= spread(static_cast<std::uint64_t>(std::min(std::max(at, 0.0), cells - 1))) << c;
      }
      codes_[static_cast<std::size_t>(i)] = code;
      order_[static_cast<std::size_t>(i)] = static_cast<int>(i);
    }
    radix_sort();
    for (int c = 0; c < Dim; ++c) {
      auto& x = x_[static_cast<std::size_t>(c)];
      x.resize(static_cast<std::size_t>(n));
      for (std::size_t at = 0; at < order_.size(); ++at) x[at] = Y(c, order_[at]);
    }
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

  /// By code, keeping the order of equal ones; 11 bits at a time.
  void radix_sort() {
    const std::size_t n = codes_.size();
    other_codes_.resize(n);
    other_order_.resize(n);
    constexpr int digit = 11;
    std::uint64_t used = 0;
    for (const std::uint64_t code : codes_) used |= code ^ codes_[0];
    for (int shift = 0; shift < Dim * bits; shift += digit) {
      constexpr std::uint64_t mask = (1 << digit) - 1;
      if (((used >> shift) & mask) == 0) continue;
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
  }

  /// Nodes in the order of a walk: a node, then its subtree.
  void grow_tree() {
    nodes_.clear();
    groups_.clear();
    struct Task {
      int begin, end, level, parent;
    };
    std::vector<Task> todo(1, {0, static_cast<int>(codes_.size()), 0, -1});
    while (!todo.empty()) {
      const Task task = todo.back();
      todo.pop_back();
      const int own = static_cast<int>(nodes_.size());
      Node node;
      node.begin = task.begin, node.end = task.end, node.parent = task.parent;
      node.side = std::ldexp(side_, -task.level);
      node.leaf = task.end - task.begin <= lanes || task.level == bits;
      node.count = static_cast<Real>(task.end - task.begin);
      node.center.fill(Real(0));
      node.next = own + 1;
      nodes_.push_back(node);
      if (node.leaf) {
        for (int at = task.begin; at < task.end; at += lanes)
          groups_.push_back({at, std::min(at + lanes, task.end)});
        continue;
      }
      // Children from the last to the first, so that the first is grown next.
      const int shift = Dim * (bits - 1 - task.level);
      int end = task.end;
      while (end > task.begin) {
        const std::uint64_t cell = codes_[static_cast<std::size_t>(end - 1)] >> shift;
        const auto first = std::lower_bound(
            codes_.begin() + task.begin, codes_.begin() + end, cell,
            [&](std::uint64_t code, std::uint64_t value) { return (code >> shift) < value; });
        const int begin = static_cast<int>(first - codes_.begin());
        todo.push_back({begin, end, task.level + 1, own});
        end = begin;
      }
    }
    // Centres of mass and the ends of subtrees, from the leaves upwards.
    for (std::size_t at = nodes_.size(); at-- > 0;) {
      Node& node = nodes_[at];
      for (std::size_t c = 0; c < dim; ++c) {
        if (node.leaf) {
          Real sum = 0;
          for (int i = node.begin; i < node.end; ++i) sum += x_[c][static_cast<std::size_t>(i)];
          node.center[c] = sum / node.count;
        } else {
          node.center[c] /= node.count;
        }
      }
      if (node.parent < 0) continue;
      Node& parent = nodes_[static_cast<std::size_t>(node.parent)];
      for (std::size_t c = 0; c < dim; ++c) parent.center[c] += node.count * node.center[c];
      parent.next = std::max(parent.next, node.next);
    }
  }

  /// One group through the tree; returns its part of Z.
  double walk(const Group& group, Matrix<Real>& forces) const {
    const int count = group.end - group.begin;
    std::array<Lanes, dim> x, force;
    Point low, high;
    for (std::size_t c = 0; c < dim; ++c) {
      const Real* const own = x_[c].data() + group.begin;
      low[c] = *std::min_element(own, own + count);
      high[c] = *std::max_element(own, own + count);
      for (int s = 0; s < lanes; ++s) x[c](s) = own[s < count ? s : 0];
      force[c].setZero();
    }
    Lanes sum = Lanes::Zero();
    const auto meet = [&](const Point& point, Real weight) {
      Lanes squared = Lanes::Zero();
      std::array<Lanes, dim> gap;
      for (std::size_t c = 0; c < dim; ++c) {
        gap[c] = x[c] - point[c];
        squared += gap[c] * gap[c];
      }
      if (nu_ == 1) {
        const Lanes w = (squared + Real(1)).inverse();
        const Lanes u = weight * w;
        sum += u;
        for (std::size_t c = 0; c < dim; ++c) force[c] += (u * w) * gap[c];
      } else {
        const Lanes w = (squared / static_cast<Real>(nu_) + Real(1)).inverse();
        const Lanes u = weight * w.pow(static_cast<Real>((nu_ + 1) / 2));
        sum += u;
        for (std::size_t c = 0; c < dim; ++c) force[c] += (u * w) * gap[c];
      }
    };
    const int n_nodes = static_cast<int>(nodes_.size());
    for (int at = 0; at < n_nodes;) {
      const Node& node = nodes_[static_cast<std::size_t>(at)];
      Real squared = 0;  // of the distance between the centre and the box of the group
      for (std::size_t c = 0; c < dim; ++c) {
        const Real gap = std::max({low[c] - node.center[c], node.center[c] - high[c], Real(0)});
        squared += gap * gap;
      }
      if (node.side * node.side <= theta_ * theta_ * squared) {
        meet(node.center, node.count);
        at = node.next;
      } else if (node.leaf) {
        for (int i = node.begin; i < node.end; ++i) meet(sorted_point(i), Real(1));
        at = node.next;
      } else {
        ++at;
      }
    }
    double total = 0;
    for (int s = 0; s < count; ++s) {
      const Index i = order_[static_cast<std::size_t>(group.begin + s)];
      for (std::size_t c = 0; c < dim; ++c) forces(static_cast<Index>(c), i) = force[c](s);
      total += static_cast<double>(sum(s)) - 1;
    }
    return total;
  }

  Real theta_;
  double nu_;
  Real side_ = 0;
  std::array<std::vector<Real>, dim> x_;  // in the order of the curve
  std::vector<std::uint64_t> codes_, other_codes_;
  std::vector<int> order_, other_order_;
  std::vector<Node> nodes_;
  std::vector<Group> groups_;
};

}  // namespace unfurl::detail
