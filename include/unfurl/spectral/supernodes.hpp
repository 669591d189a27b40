#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "unfurl/core/types.hpp"
#include "unfurl/spectral/elimination.hpp"

namespace unfurl::detail {

/// Consecutive columns of L whose entries lie in the same rows, kept as one dense block. Columns
/// with almost the same rows are joined too, at the price of some zeros: dense work on a few wide
/// blocks is faster than on many narrow ones (Ng and Peyton 1993; Ashcraft and Grimes 1989).
/// Nodes are numbered in postorder.
template <class Int>
class Supernodes {
 public:
  explicit Supernodes(const Adjacency<Int>& graph) {
    const EliminationTree<Int> tree(graph);
    for (const Int below : tree.below) {
      fill_ += static_cast<double>(below);
      flops_ += static_cast<double>(below) * static_cast<double>(below);
    }
    number_nodes(tree, joined_columns(tree));
    find_rows(graph);
    list_children();
  }

  Int size() const { return static_cast<Int>(parent_.size()); }
  Int columns() const { return static_cast<Int>(order_.size()); }
  Int begin(Int s) const { return begin_[s]; }
  Int width(Int s) const { return begin_[s + 1] - begin_[s]; }
  Int parent(Int s) const { return parent_[s]; }
  /// Rows below the node's own columns, ascending.
  Int n_rows(Int s) const { return static_cast<Int>(rows_begin_[s + 1] - rows_begin_[s]); }
  const Int* rows(Int s) const { return rows_.data() + rows_begin_[s]; }
  Int first_child(Int s) const { return first_child_[s]; }
  Int next_sibling(Int s) const { return next_sibling_[s]; }
  /// The vertex that is column k, and the column that is vertex v.
  Int order(Int k) const { return order_[k]; }
  Int place(Int v) const { return place_[v]; }

  /// Entries of L below the diagonal, and multiplications to compute them, without joining.
  double fill() const { return fill_; }
  double flops() const { return flops_; }

 private:
  struct Node {
    Int begin, width, below, parent, into;  // into: the node this one became a part of
    double zeros;
  };

  /// Columns of equal rows, then those that are worth joining.
  static Array<Node> joined_columns(const EliminationTree<Int>& tree) {
    const Int n = static_cast<Int>(tree.parent.size());
    Array<Node> nodes;
    Array<Int> node_of(n);
    for (Int k = 0; k < n; ++k) {
      const bool joins = k > 0 && tree.parent[k - 1] == k && tree.below[k - 1] == tree.below[k] + 1;
      if (!joins) nodes.push_back({k, 0, 0, -1, -1, 0});
      node_of[k] = static_cast<Int>(nodes.size() - 1);
      Node& node = nodes[node_of[k]];
      ++node.width;
      node.below = tree.below[k];
      node.parent = tree.parent[k];
    }
    Array<Int> first_child(nodes.size(), -1), next_sibling(nodes.size(), -1);
    for (Int s = 0; s < static_cast<Int>(nodes.size()); ++s) {
      Node& node = nodes[s];
      for (Int child = first_child[s], next; child >= 0; child = next) {
        next = next_sibling[child];
        if (is_worth_joining(nodes[child], node)) nodes[child].into = s;
      }
      if (node.parent < 0) continue;
      node.parent = node_of[node.parent];
      next_sibling[s] = std::exchange(first_child[node.parent], s);
    }
    return nodes;
  }

  /// Dense work forgives the more zeros the narrower the columns are.
  static bool is_worth_joining(const Node& child, Node& node) {
    const double width = child.width + node.width, rows = node.below;
    const double zeros = child.zeros + node.zeros +
                         static_cast<double>(child.width) * (node.width + rows - child.below);
    const double share = zeros / (width * (width + 1) / 2 + width * rows);
    const bool worth = width <= 4 || share < (width <= 16 ? 0.4 : width <= 48 ? 0.1 : 0.05);
    if (worth) {
      node.width += child.width;
      node.zeros = zeros;
    }
    return worth;
  }

  void number_nodes(const EliminationTree<Int>& tree, const Array<Node>& parts) {
    const Index n_parts = parts.size();
    Array<Int> node_of(n_parts, -1);
    Int count = 0;
    for (Index s = 0; s < n_parts; ++s)
      if (parts[s].into < 0) node_of[s] = count++;
    for (Index s = n_parts - 1; s >= 0; --s)
      if (parts[s].into >= 0) node_of[s] = node_of[parts[s].into];
    Array<Int> parent(count, -1);
    for (Index s = 0; s < n_parts; ++s)
      if (parts[s].into < 0 && parts[s].parent >= 0) parent[node_of[s]] = node_of[parts[s].parent];
    const Array<Int> number = postorder(parent);

    parent_ = Array<Int>(count, -1);
    begin_ = Array<Int>(count + 1);
    rows_begin_ = Array<Index>(count + 1);
    for (Index s = 0; s < n_parts; ++s) {
      if (parts[s].into >= 0) continue;
      const Int node = number[node_of[s]], above = parent[node_of[s]];
      parent_[node] = above < 0 ? Int(-1) : number[above];
      begin_[node + 1] = parts[s].width;
      rows_begin_[node + 1] = parts[s].below;
    }
    add_up(begin_);
    add_up(rows_begin_);

    order_ = Array<Int>(tree.order.size());
    place_ = Array<Int>(tree.order.size());
    Array<Int> next = begin_;
    for (Index s = 0; s < n_parts; ++s) {
      const Int end = s + 1 < n_parts ? parts[s + 1].begin : columns();
      for (Int k = parts[s].begin; k < end; ++k) {
        const Int column = next[number[node_of[s]]]++;
        order_[column] = tree.order[k];
        place_[tree.order[k]] = column;
      }
    }
  }

  /// Row after row, so that every node's rows come out in order.
  void find_rows(const Adjacency<Int>& graph) {
    rows_ = Array<Int>(static_cast<Index>(rows_begin_[size()]));
    Array<Index> next = rows_begin_;
    Array<Int> newest(size(), -1), node_of(columns());
    for (Int s = 0; s < size(); ++s)
      for (Int k = begin(s); k < begin_[s + 1]; ++k) node_of[k] = s;
    for (Int i = 0; i < columns(); ++i)
      for (const Int* v = graph.begin(order_[i]); v != graph.end(order_[i]); ++v) {
        if (place_[*v] > i) continue;
        for (Int s = node_of[place_[*v]]; s != node_of[i] && newest[s] != i; s = parent_[s]) {
          newest[s] = i;
          rows_[next[s]++] = i;
        }
      }
  }

  void list_children() {
    first_child_ = Array<Int>(size(), -1);
    next_sibling_ = Array<Int>(size(), -1);
    for (Int s = size() - 1; s >= 0; --s)
      if (parent_[s] >= 0) next_sibling_[s] = std::exchange(first_child_[parent_[s]], s);
  }

  Array<Int> order_, place_, begin_, parent_, first_child_, next_sibling_, rows_;
  Array<Index> rows_begin_;
  double fill_ = 0, flops_ = 0;
};

/// Disjoint subtrees of about equal work, the largest first, and the nodes above them. It depends
/// on the pattern alone, never on the number of threads. (Finer cuts leave more work above the
/// subtrees: with 32 parts for 12 a solve for 100000 points took 24 ms for 18.)
template <class Int>
class SubtreePlan {
 public:
  struct Range {
    Int begin, end;  ///< nodes; the last one is the root
  };

  SubtreePlan() = default;

  /// \param work of each node
  SubtreePlan(const Supernodes<Int>& nodes, Array<double> work) {
    const Int n = nodes.size();
    const double most = std::accumulate(work.begin(), work.end(), 0.0) / 12;
    Array<Int> first(n);
    std::iota(first.begin(), first.end(), Int(0));
    for (Int s = 0; s < n; ++s) {
      const Int parent = nodes.parent(s);
      if (parent < 0) continue;
      work[parent] += work[s];
      first[parent] = std::min(first[parent], first[s]);
    }
    for (Int s = n - 1; s >= 0; --s) {
      if (work[s] > most) {
        above_.push_back(s);
      } else {
        subtrees_.push_back({first[s], s + 1});
        s = first[s];
      }
    }
    std::reverse(above_.begin(), above_.end());
    std::sort(subtrees_.begin(), subtrees_.end(), [&](const Range& a, const Range& b) {
      return std::make_pair(work[b.end - 1], b.end) < std::make_pair(work[a.end - 1], a.end);
    });
  }

  const Array<Range>& subtrees() const { return subtrees_; }
  /// In postorder.
  const Array<Int>& above() const { return above_; }

 private:
  Array<Range> subtrees_;
  Array<Int> above_;
};

}  // namespace unfurl::detail
