#pragma once

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

/// What a sparse factorisation L D L^T does, found from the pattern alone: in which order columns
/// are eliminated, and which later ones each of them changes. Terms as in Davis, Direct Methods for
/// Sparse Linear Systems, 2006.
namespace unfurl::detail {

/// A std::vector counted by Index.
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(Index n) : items_(static_cast<std::size_t>(n)) {}
  Array(Index n, T value) : items_(static_cast<std::size_t>(n), value) {}
  T& operator[](Index i) { return items_[static_cast<std::size_t>(i)]; }
  const T& operator[](Index i) const { return items_[static_cast<std::size_t>(i)]; }
  T* data() { return items_.data(); }
  const T* data() const { return items_.data(); }
  Index size() const { return static_cast<Index>(items_.size()); }
  void push_back(T item) { items_.push_back(std::move(item)); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<T> items_;
};

/// Counts are in begin[1], begin[2], …: turns them into bounds.
template <class T>
void add_up(Array<T>& begin) {
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
}

/// Which vertices are joined by the entries of a symmetric matrix, of which the part below the
/// diagonal is read.
template <class Int>
class Adjacency {
 public:
  template <class Scalar>
  explicit Adjacency(const SparseMatrix<Scalar>& A) : begin_(A.cols() + 1) {
    const auto for_entries_below_diagonal = [&A](auto&& action) {
      for (Index j = 0; j < A.cols(); ++j)
        for (typename SparseMatrix<Scalar>::InnerIterator it(A, j); it; ++it)
          if (it.index() > j) action(static_cast<Int>(it.index()), static_cast<Int>(j));
    };
    for_entries_below_diagonal([&](Int i, Int j) { ++begin_[i + 1], ++begin_[j + 1]; });
    add_up(begin_);
    neighbor_ = Array<Int>(begin_[A.cols()]);
    Array<Int> next = begin_;
    for_entries_below_diagonal([&](Int i, Int j) {
      neighbor_[next[i]++] = j;
      neighbor_[next[j]++] = i;
    });
  }

  Int size() const { return static_cast<Int>(begin_.size() - 1); }
  const Int* begin(Int v) const { return neighbor_.data() + begin_[v]; }
  const Int* end(Int v) const { return neighbor_.data() + begin_[v + 1]; }

  /// An order of the vertices whose elimination joins few others: approximate minimum degree.
  Array<Int> minimum_degree_order() const {
    const Int n = size();
    Array<Int> order(n);
    std::iota(order.begin(), order.end(), Int(0));
    if (n < 3 || neighbor_.size() == 0) return order;
    // Eigen puts vertices without an entry on the diagonal last.
    Eigen::SparseMatrix<signed char, Eigen::ColMajor, Int> consumed(n, n);
    consumed.resizeNonZeros(n + neighbor_.size());
    std::fill_n(consumed.valuePtr(), n + neighbor_.size(), static_cast<signed char>(1));
    Int* to = consumed.innerIndexPtr();
    for (Int v = 0; v < n; ++v) {
      *to++ = v;
      to = std::copy(begin(v), end(v), to);
      consumed.outerIndexPtr()[v + 1] = static_cast<Int>(to - consumed.innerIndexPtr());
    }
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Int> found;
    Eigen::internal::minimum_degree_ordering(consumed, found);
    std::copy_n(found.indices().data(), n, order.begin());
    return order;
  }

 private:
  Array<Int> begin_, neighbor_;
};

/// Where each node of a forest stands when children precede their parents and every subtree is
/// contiguous. \param parent above its children in number; -1: a root.
template <class Int>
Array<Int> postorder(const Array<Int>& parent) {
  const Index n = parent.size();
  Array<Int> size(n, 1), place(n), last_free(n);
  for (Index v = 0; v < n; ++v)
    if (parent[v] >= 0) size[parent[v]] += size[v];
  Int last_free_root = static_cast<Int>(n - 1);
  for (Index v = n - 1; v >= 0; --v) {
    Int& last = parent[v] < 0 ? last_free_root : last_free[parent[v]];
    place[v] = last;
    last_free[v] = last - 1;
    last -= size[v];
  }
  return place;
}

/// The column of L in which column k has its first entry below the diagonal is the parent of k
/// (Liu 1990). Columns are numbered in postorder.
template <class Int>
class EliminationTree {
 public:
  explicit EliminationTree(const Adjacency<Int>& graph)
      : order(graph.minimum_degree_order()), place(graph.size()) {
    note_places();
    find_parents(graph);
    const Array<Int> moved = postorder(parent);
    Array<Int> old_order = order, old_parent = parent;
    for (Index k = 0; k < moved.size(); ++k) {
      order[moved[k]] = old_order[k];
      parent[moved[k]] = old_parent[k] < 0 ? Int(-1) : moved[old_parent[k]];
    }
    note_places();
    count_entries(graph);
  }

  Array<Int> order;   ///< the vertex that is column k
  Array<Int> place;   ///< the column that is vertex v
  Array<Int> parent;  ///< -1: a root
  Array<Int> below;   ///< entries of column k of L below the diagonal

 private:
  void note_places() {
    for (Index k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Int>(k);
  }

  void find_parents(const Adjacency<Int>& graph) {
    const Int n = graph.size();
    parent = Array<Int>(n, -1);
    Array<Int> above(n, -1);  // shortcuts on the way to the root
    for (Int k = 0; k < n; ++k)
      for (const Int* v = graph.begin(order[k]); v != graph.end(order[k]); ++v)
        for (Int j = place[*v]; j >= 0 && j < k;) {
          const Int next = std::exchange(above[j], k);
          if (next < 0) parent[j] = k;
          j = next;
        }
  }

  /// Row i of L is the smallest subtree that contains the entries of row i of A; counting these
  /// subtrees' leaves and the points where their paths meet gives the columns' counts without L
  /// (Gilbert, Ng and Peyton 1994).
  void count_entries(const Adjacency<Int>& graph) {
    const Int n = graph.size();
    Array<Int> first_descendant(n), newest_leaf(n, -1), newest_first(n, -1), set(n);
    std::iota(first_descendant.begin(), first_descendant.end(), Int(0));
    std::iota(set.begin(), set.end(), Int(0));
    for (Int k = 0; k < n; ++k)
      if (parent[k] >= 0)
        first_descendant[parent[k]] = std::min(first_descendant[parent[k]], first_descendant[k]);
    below = Array<Int>(n);
    for (Int k = 0; k < n; ++k) below[k] = first_descendant[k] == k;
    for (Int k = 0; k < n; ++k) {
      if (parent[k] >= 0) --below[parent[k]];
      for (const Int* v = graph.begin(order[k]); v != graph.end(order[k]); ++v) {
        const Int i = place[*v];
        if (i <= k || first_descendant[k] <= newest_first[i]) continue;
        newest_first[i] = first_descendant[k];
        ++below[k];
        const Int before = std::exchange(newest_leaf[i], k);
        if (before < 0) continue;
        Int meeting = before;
        while (meeting != set[meeting]) meeting = set[meeting];
        for (Int j = before; j != meeting;) j = std::exchange(set[j], meeting);
        --below[meeting];
      }
      if (parent[k] >= 0) set[k] = parent[k];
    }
    for (Int k = 0; k < n; ++k)
      if (parent[k] >= 0) below[parent[k]] += below[k];
    for (Int k = 0; k < n; ++k) --below[k];  // the diagonal
  }
};

}  // namespace unfurl::detail
