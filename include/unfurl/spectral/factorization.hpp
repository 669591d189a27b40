#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/front.hpp"
#include "unfurl/spectral/front_solve.hpp"
#include "unfurl/spectral/supernodes.hpp"

namespace unfurl::detail {

/// A - sigma I = L D L^T of a symmetric sparse matrix, of which the part on and below the diagonal
/// is read; the pattern is analysed once for every shift. Multifrontal (Duff and Reid 1983; Liu
/// 1992): what a supernode subtracts from later columns is collected in a dense matrix over its
/// rows and handed to its parent, so all work is on dense blocks, and disjoint subtrees need
/// nothing of each other. How work is divided depends on the pattern alone and sums are taken in
/// the order of the tree: so the bytes do not depend on the number of threads.
template <class Real>
class ShiftedFactor {
 public:
  /// \param parallel borrowed
  ShiftedFactor(const SparseMatrix<Real>& A, const Parallel& parallel)
      : parallel_(parallel), nodes_(Adjacency<int>(A)), pivots_(A.cols()) {
    sort_entries(A);
    divide_work();
  }
  ShiftedFactor(const SparseMatrix<Real>&, Parallel&&) = delete;

  /// Entries and multiplications of L foreseen by the symbolic analysis.
  double fill() const { return nodes_.fill(); }
  double flops() const { return nodes_.flops(); }

  /// That `factorize` will take: factor, entries of A, and at the worst moment what nodes have
  /// handed on and their parents not yet taken.
  double bytes() const {
    Index live = 0, most = 0;
    const auto square = [&](int s) { return Index{nodes_.n_rows(s)} * nodes_.n_rows(s); };
    for (int s = 0; s < nodes_.size(); ++s) {
      live += square(s);
      most = std::max(most, live);
      for (int child = nodes_.first_child(s); child >= 0; child = nodes_.next_sibling(child))
        live -= square(child);
    }
    return held_bytes() + static_cast<double>(sizeof(Real)) * static_cast<double>(most);
  }

  /// What solves need of it.
  double held_bytes() const {
    return static_cast<double>(sizeof(Real)) * static_cast<double>(node_begin_[nodes_.size()]) +
           static_cast<double>(sizeof(Entry)) * static_cast<double>(entries_.size());
  }

  Index rows() const { return nodes_.columns(); }

  /// \returns false when a pivot vanishes or the factor is not finite: move the shift.
  bool factorize(Real sigma) {
    if (!values_) values_.reset(new Real[static_cast<std::size_t>(node_begin_[nodes_.size()])]);
    Array<Update> updates(nodes_.size());
    const Index n_subtrees = plan_.subtrees().size();
    Array<char> failed(n_subtrees);
    {
      Array<std::unique_ptr<Work>> works(parallel_.n_threads());
      parallel_.for_blocks(n_subtrees, 1, [&](const Parallel::Block& block) {
        std::unique_ptr<Work>& work = works[block.worker];
        if (!work) work = std::make_unique<Work>(nodes_.columns(), nullptr);
        const Range subtree = plan_.subtrees()[block.begin];
        for (int s = subtree.begin; s < subtree.end; ++s)
          if (!eliminate(s, sigma, updates, *work)) {
            failed[block.begin] = 1;
            return;
          }
      });
    }
    if (std::count(failed.begin(), failed.end(), 1) > 0) return false;
    Work work(nodes_.columns(), &parallel_);
    for (const int s : plan_.above())
      if (!eliminate(s, sigma, updates, work)) return false;
    return true;
  }

  /// Number of eigenvalues of A below sigma (Sylvester's law of inertia).
  Index n_below() const {
    return std::count_if(pivots_.begin(), pivots_.end(), [](Real d) { return d < 0; });
  }

  void solve(const Real* b, Real* x) const {
    const int n = nodes_.columns();
    Array<Real> y(n), buffer(n);
    for (int k = 0; k < n; ++k) y[k] = b[nodes_.order(k)];
    const Array<Range>& subtrees = solve_plan_.subtrees();
    Array<Array<Real>> buffers(parallel_.n_threads()), handed_on(subtrees.size());
    parallel_.for_blocks(subtrees.size(), 1, [&](const Parallel::Block& block) {
      Array<Real>& own = buffers[block.worker];
      if (own.size() == 0) own = Array<Real>(2 * n);
      const Range subtree = subtrees[block.begin];
      const int root = subtree.end - 1;
      Real* const outside = own.data() + n;  // what is subtracted from entries outside of it
      for (int s = subtree.begin; s < subtree.end; ++s)
        solve_forward(s, y.data(), nodes_.begin(subtree.end), outside, own.data(), nullptr);
      handed_on[block.begin] = Array<Real>(nodes_.n_rows(root));
      for (int i = 0; i < nodes_.n_rows(root); ++i)
        handed_on[block.begin][i] = std::exchange(outside[nodes_.rows(root)[i]], Real(0));
    });
    for (Index t = 0; t < subtrees.size(); ++t) {
      const int* const rows = nodes_.rows(subtrees[t].end - 1);
      for (Index i = 0; i < handed_on[t].size(); ++i) y[rows[i]] += handed_on[t][i];
    }
    for (const int s : solve_plan_.above())
      solve_forward(s, y.data(), n, y.data(), buffer.data(), &parallel_);  // nothing is outside
    for (int k = 0; k < n; ++k) y[k] /= pivots_[k];
    for (Index k = solve_plan_.above().size() - 1; k >= 0; --k)
      solve_backward(solve_plan_.above()[k], y.data(), buffer.data(), &parallel_);
    parallel_.for_blocks(subtrees.size(), 1, [&](const Parallel::Block& block) {
      Array<Real>& own = buffers[block.worker];
      if (own.size() == 0) own = Array<Real>(2 * n);
      const Range subtree = subtrees[block.begin];
      for (int s = subtree.end - 1; s >= subtree.begin; --s)
        solve_backward(s, y.data(), own.data(), nullptr);
    });
    for (int k = 0; k < n; ++k) x[nodes_.order(k)] = y[k];
  }

 private:
  /// What a node subtracts from the columns of its rows: a square, of which the lower half counts.
  using Update = std::unique_ptr<Real[]>;

  using Range = SubtreePlan<int>::Range;

  struct Entry {
    Real value;
    int row;
  };

  struct Work {
    Work(Index n, const Parallel* shared) : front(shared), parallel(shared), position(n) {}
    Front<Real> front;
    const Parallel* parallel;
    Array<int> position;  // of rows in the block of the node at hand
    Array<int> map;
  };

  /// Entries of A on and below the diagonal, by columns in the order of elimination.
  void sort_entries(const SparseMatrix<Real>& A) {
    const Index n = A.cols();
    entries_begin_ = Array<Index>(n + 1);
    const auto for_entries = [&](auto&& action) {
      for (Index j = 0; j < n; ++j)
        for (typename SparseMatrix<Real>::InnerIterator it(A, j); it; ++it) {
          if (it.index() < j) continue;
          const int a = nodes_.place(static_cast<int>(it.index()));
          const int b = nodes_.place(static_cast<int>(j));
          action(std::max(a, b), std::min(a, b), it.value());
        }
    };
    for_entries([&](int, int column, Real) { ++entries_begin_[column + 1]; });
    add_up(entries_begin_);
    entries_ = Array<Entry>(entries_begin_[n]);
    Array<Index> next = entries_begin_;
    for_entries([&](int row, int column, Real value) { entries_[next[column]++] = {value, row}; });
  }

  void divide_work() {
    const int n = nodes_.size();
    Array<double> flops(n), entries(n);
    node_begin_ = Array<Index>(n + 1);
    for (int s = 0; s < n; ++s) {
      const Index width = nodes_.width(s), rows = width + nodes_.n_rows(s);
      node_begin_[s + 1] = node_begin_[s] + width * rows;
      entries[s] = static_cast<double>(width * rows);
      flops[s] = entries[s] * static_cast<double>(rows);
    }
    plan_ = {nodes_, std::move(flops)};
    solve_plan_ = {nodes_, std::move(entries)};
  }

  bool eliminate(int s, Real sigma, Array<Update>& updates, Work& work) {
    const int begin = nodes_.begin(s), width = nodes_.width(s), n_rows = nodes_.n_rows(s);
    const Index rows = width + n_rows;
    const int* const rows_below = nodes_.rows(s);
    Real* const block = values_.get() + node_begin_[s];
    std::fill_n(block, rows * width, Real(0));
    for (int k = 0; k < width; ++k) work.position[begin + k] = k;
    for (int k = 0; k < n_rows; ++k) work.position[rows_below[k]] = width + k;
    for (int k = 0; k < width; ++k) {
      for (Index e = entries_begin_[begin + k]; e < entries_begin_[begin + k + 1]; ++e) {
        const Entry& entry = entries_[e];
        block[work.position[entry.row] + k * rows] += entry.value;
      }
      block[k * (rows + 1)] -= sigma;
    }
    for (int child = nodes_.first_child(s); child >= 0; child = nodes_.next_sibling(child))
      add_update(child, updates, work, 0, width, block, rows);
    if (!work.front.factorize(block, rows, rows, width, pivots_.data() + begin)) return false;
    if (n_rows > 0) {
      updates[s].reset(
          new Real[static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(n_rows)]);
      work.front.subtract(block + width, rows, width, pivots_.data() + begin, n_rows, n_rows,
                          updates[s].get(), n_rows, true);
    }
    for (int child = nodes_.first_child(s); child >= 0; child = nodes_.next_sibling(child)) {
      add_update(child, updates, work, width, width + n_rows, updates[s].get(), n_rows);
      updates[child].reset();
    }
    return true;
  }

  /// Adds what a child hands on to those columns of its parent that lie between two bounds.
  void add_update(int child, const Array<Update>& updates, Work& work, int from, int to,
                  Real* columns, Index stride) const {
    const int n = nodes_.n_rows(child);
    const int* const rows = nodes_.rows(child);
    const Real* const update = updates[child].get();
    if (work.map.size() < n) work.map = Array<int>(2 * n);
    int* const map = work.map.data();
    for (int k = 0; k < n; ++k) map[k] = work.position[rows[k]] - from;
    const int first = static_cast<int>(std::lower_bound(map, map + n, 0) - map);
    const int last = static_cast<int>(std::lower_bound(map + first, map + n, to - from) - map);
    const auto add_columns = [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        Real* const column = columns + map[k] * stride;
        const Real* const source = update + k * n;
        for (Index i = k; i < n; ++i) column[map[i]] += source[i];
      }
    };
    if (work.parallel && static_cast<Index>(last - first) * n > 100000)
      work.parallel->for_blocks(last - first, 32, [&](const Parallel::Block& b) {
        add_columns(first + b.begin, first + b.end);
      });
    else
      add_columns(first, last);
  }

  FrontSolve<Real> block_of(int s, const Parallel* parallel) const {
    return {values_.get() + node_begin_[s], nodes_.width(s) + nodes_.n_rows(s), nodes_.width(s),
            parallel};
  }

  /// \param sums takes what belongs to entries from `end` on
  void solve_forward(int s, Real* y, int end, Real* sums, Real* buffer,
                     const Parallel* parallel) const {
    const int width = nodes_.width(s), n_rows = nodes_.n_rows(s);
    const int* const rows = nodes_.rows(s);
    std::copy_n(y + nodes_.begin(s), width, buffer);
    std::fill_n(buffer + width, n_rows, Real(0));
    block_of(s, parallel).forward(buffer);
    std::copy_n(buffer, width, y + nodes_.begin(s));
    int i = 0;
    for (; i < n_rows && rows[i] < end; ++i) y[rows[i]] += buffer[width + i];
    for (; i < n_rows; ++i) sums[rows[i]] += buffer[width + i];
  }

  void solve_backward(int s, Real* y, Real* buffer, const Parallel* parallel) const {
    const int width = nodes_.width(s), n_rows = nodes_.n_rows(s);
    std::copy_n(y + nodes_.begin(s), width, buffer);
    for (int i = 0; i < n_rows; ++i) buffer[width + i] = y[nodes_.rows(s)[i]];
    block_of(s, parallel).backward(buffer);
    std::copy_n(buffer, width, y + nodes_.begin(s));
  }

  const Parallel& parallel_;
  Supernodes<int> nodes_;
  Array<Index> entries_begin_;
  Array<Entry> entries_;
  SubtreePlan<int> plan_, solve_plan_;
  Array<Index> node_begin_;
  std::unique_ptr<Real[]> values_;
  Array<Real> pivots_;
};

}  // namespace unfurl::detail
