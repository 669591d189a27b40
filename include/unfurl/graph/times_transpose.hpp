#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/sparse.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// A Aᵀ for a sparse matrix A, a column of the result at a time. Eigen's product is serial and
/// sorts its result by transposing it twice: at 100000 columns of 13 entries it takes twice as
/// long as this on two threads. The sums are the same, in the same order.
class TimesTranspose {
 public:
  TimesTranspose(const SparseMatrix<double>& A, const Parallel& parallel)
      : A_(A),
        At_(sparse_transposed<double>(A)),
        parallel_(parallel),
        workers_(static_cast<std::size_t>(parallel.n_threads())) {}

  /// \throws SizeLimitError for more entries than a SparseMatrix holds
  SparseMatrix<double> operator()(std::string_view caller) {
    const Index n = A_.rows();
    std::vector<int> counts(static_cast<std::size_t>(n));
    for_each_column([&](Index j, Column& column) {
      column.begin(j);
      for_each_product(j, [&](int row, double) { column.note(row); });
      counts[static_cast<std::size_t>(j)] = static_cast<int>(column.rows.size());
    });

    const Index total = std::accumulate(counts.begin(), counts.end(), Index{0});
    check_sparse_size(caller, n, total);
    SparseMatrix<double> product(n, n);
    product.resizeNonZeros(total);
    product.outerIndexPtr()[0] = 0;
    std::partial_sum(counts.begin(), counts.end(), product.outerIndexPtr() + 1);
    for_each_column([&](Index j, Column& column) {
      column.begin(n + j);
      for_each_product(j, [&](int row, double value) { column.add(row, value); });
      std::sort(column.rows.begin(), column.rows.end());
      Index to = product.outerIndexPtr()[j];
      for (const int row : column.rows) {
        product.innerIndexPtr()[to] = row;
        product.valuePtr()[to++] = column.sums[static_cast<std::size_t>(row)];
      }
    });
    return product;
  }

 private:
  /// One that is being summed up.
  struct Column {
    explicit Column(Index n) : sums(static_cast<std::size_t>(n)), seen(sums.size(), -1) {}

    void begin(Index number) {
      current = number;
      rows.clear();
    }
    /// \returns whether the row is a new one
    bool note(int row) {
      Index& last = seen[static_cast<std::size_t>(row)];
      if (last == current) return false;
      last = current;
      rows.push_back(row);
      return true;
    }
    void add(int row, double value) {
      double& sum = sums[static_cast<std::size_t>(row)];
      sum = note(row) ? value : sum + value;
    }

    std::vector<double> sums;
    std::vector<Index> seen;  // the last column that had the row
    std::vector<int> rows;
    Index current = -1;
  };

  template <class Work>
  void for_each_column(Work&& work) {
    parallel_.for_blocks(A_.rows(), 1024, [&](const Parallel::Block& block) {
      std::optional<Column>& column = workers_[static_cast<std::size_t>(block.worker)];
      if (!column) column.emplace(A_.rows());
      for (Index j = block.begin; j < block.end; ++j) work(j, *column);
    });
  }

  /// use(row, value) for the products that column j is the sum of.
  template <class Use>
  void for_each_product(Index j, Use&& use) const {
    for (Index p = At_.outerIndexPtr()[j]; p < At_.outerIndexPtr()[j + 1]; ++p) {
      const Index i = At_.innerIndexPtr()[p];
      for (Index q = A_.outerIndexPtr()[i]; q < A_.outerIndexPtr()[i + 1]; ++q)
        use(A_.innerIndexPtr()[q], A_.valuePtr()[q] * At_.valuePtr()[p]);
    }
  }

  const SparseMatrix<double>& A_;
  const SparseMatrix<double> At_;
  const Parallel& parallel_;
  std::vector<std::optional<Column>> workers_;
};

}  // namespace unfurl::detail
