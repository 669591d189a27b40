#pragma once

#include <algorithm>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/operators.hpp"
#include "unfurl/spectral/row_product.hpp"

namespace unfurl {

/// The mean of each column, summed in double.
template <class Scalar>
Vector<Scalar> column_means(const ConstMatrixRef<Scalar>& X, const Parallel& parallel) {
  Vector<Scalar> mean(X.cols());
  const Index block = std::max<Index>(1, 100000 / std::max<Index>(1, X.rows()));
  parallel.for_blocks(X.cols(), block, [&](const Parallel::Block& b) {
    for (Index j = b.begin; j < b.end; ++j)
      mean(j) = static_cast<Scalar>(
          detail::sum_in_double(X.rows(),
                                [x = X.data() + j * X.outerStride()](Index i) { return x[i]; }) /
          static_cast<double>(X.rows()));
  });
  return mean;
}

/// Xc = X - 1 mean^T, centred a block at a time and never as a whole. Products are cut into pieces
/// that depend only on the shape, so their bytes do not depend on the number of threads. X and the
/// mean must outlive the view.
template <class Scalar>
class CenteredRows {
 public:
  /// Refers to all three, which must outlive it.
  CenteredRows(const ConstMatrixRef<Scalar>& X, const Vector<Scalar>& mean,
               const Parallel& parallel)
      : X_(X), mean_(mean), parallel_(parallel) {}

  /// Number of samples.
  Index n() const { return X_.rows(); }
  /// Number of features.
  Index p() const { return X_.cols(); }

  /// Xc W: one row a sample, the same bytes for every way of splitting the samples.
  Matrix<Scalar> times(const Matrix<Scalar>& W) const {
    return detail::row_product<Scalar>(n(), W, parallel_, [&](Index begin, auto rows) {
      for (Index j = 0; j < p(); ++j)
        detail::add_constant(rows.rows(), -mean_(j), entry(begin, j),
                             rows.data() + j * rows.outerStride());
    });
  }

  /// Xc^T U
  Matrix<Scalar> transposed_times(const Matrix<Scalar>& U) const {
    Matrix<Scalar> result = Matrix<Scalar>::Zero(p(), U.cols());
    parallel_.for_blocks(p(), 32, [&](const Parallel::Block& b) {
      for (Index begin = 0; begin < n(); begin += 1024) {
        const Index rows = std::min<Index>(1024, n() - begin);
        detail::add_inner_product<Scalar>(columns(begin, rows, b.begin, b.size()),
                                          U.middleRows(begin, rows),
                                          result.middleRows(b.begin, b.size()));
      }
    });
    return result;
  }

  /// Xc^T Xc, p x p.
  Matrix<Scalar> scatter() const { return inner_products(true); }

  /// Xc Xc^T, n x n.
  Matrix<Scalar> gram() const { return inner_products(false); }

  /// Of memory that `scatter` (of features) or `gram` takes at its peak.
  double inner_products_bytes(bool of_features) const {
    const Pieces cut = pieces(of_features);
    const double tiles = static_cast<double>(cut.n_tiles), size = static_cast<double>(cut.size);
    const double sums = size * size * static_cast<double>(cut.n_groups) * (1 + 1 / tiles) / 2;
    const double centred =
        static_cast<double>(std::min(chunk, cut.group) * cut.width) *
        (of_features && cut.n_tiles == 1 ? 1 : 1.75) *
        std::min<double>(parallel_.n_threads(), tiles * tiles * static_cast<double>(cut.n_groups));
    return sizeof(Scalar) * (sums + std::max(size * size, centred));
  }

  /// The sum of all squared entries: n - 1 times the total variance.
  double squared_norm() const {
    const Index block = std::max<Index>(1, 100000 / std::max<Index>(1, n()));
    return parallel_.reduce(
        p(), block, 0.0,
        [&](const Parallel::Block& b) {
          double sum = 0;
          for (Index j = b.begin; j < b.end; ++j)
            sum += detail::sum_in_double(
                n(), [x = column(j)](Index i) { return x.centred(i) * x.centred(i); });
          return sum;
        },
        [](double a, double b) { return a + b; });
  }

  /// |x_i - mean|^2 of each sample.
  Vector<double> squared_row_norms() const {
    Vector<double> norms = Vector<double>::Zero(n());
    parallel_.for_blocks(n(), 1024, [&](const Parallel::Block& b) {
      for (Index j = 0; j < p(); ++j)
        detail::add_in_double(b.begin, b.end, norms.data(),
                              [x = column(j)](Index i) { return x.centred(i) * x.centred(i); });
    });
    return norms;
  }

  /// The whole of Xc, for the direct decompositions of small data.
  Matrix<Scalar> materialise() const { return columns(0, n(), 0, p()); }

  /// y = Xc x in double
  void multiply(const double* x, double* y) const {
    parallel_.for_blocks(n(), 1024, [&](const Parallel::Block& b) {
      std::fill(y + b.begin, y + b.end, 0.0);
      for (Index j = 0; j < p(); ++j)
        detail::add_in_double(b.begin, b.end, y, [from = column(j), factor = x[j]](Index i) {
          return from.centred(i) * factor;
        });
    });
  }

  /// x = Xc^T y in double
  void multiply_transposed(const double* y, double* x) const {
    const Index block = std::max<Index>(1, 100000 / std::max<Index>(1, n()));
    parallel_.for_blocks(p(), block, [&](const Parallel::Block& b) {
      for (Index j = b.begin; j < b.end; ++j)
        x[j] = detail::sum_in_double(
            n(), [from = column(j), y](Index i) { return from.centred(i) * y[i]; });
    });
  }

 private:
  struct Column {
    const Scalar* entries;
    double mean;
    double centred(Index i) const { return static_cast<double>(entries[i]) - mean; }
  };
  Column column(Index j) const { return {entry(0, j), static_cast<double>(mean_(j))}; }

  const Scalar* entry(Index i, Index j) const { return X_.data() + i + j * X_.outerStride(); }

  Matrix<Scalar> columns(Index row, Index rows, Index col, Index cols) const {
    Matrix<Scalar> part(rows, cols);
    for (Index j = 0; j < cols; ++j)
      detail::add_constant(rows, -mean_(col + j), entry(row, col + j), part.data() + j * rows);
    return part;
  }

  /// Rows [from, from + depth) and columns [tile, tile + width) of Xc, or of its transpose.
  Matrix<Scalar> piece(bool of_features, Index from, Index depth, Index tile, Index width) const {
    if (of_features) return columns(from, depth, tile, width);
    const Matrix<Scalar> across = columns(tile, width, from, depth);
    Matrix<Scalar> result(depth, width);
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i < depth; ++i) result(i, j) = across(j, i);
    return result;
  }

  // Rows of A that are centred together.
  static constexpr Index chunk = detail::InnerProducts<Scalar>::most_rows;

  /// How A^T A is cut for A = Xc or its transpose: into tiles of the result and, while the result
  /// is small, groups of rows whose partial sums are added in order.
  struct Pieces {
    Index size, depth, n_tiles, n_groups, width, group;

    Pieces(Index columns, Index rows)
        : size(columns),
          depth(rows),
          n_tiles(size <= 1024 ? 1 : (size + 511) / 512),
          n_groups(n_tiles > 1 ? 1 : std::clamp<Index>(depth / 1024, 1, 8)),
          width((size + n_tiles - 1) / n_tiles),
          group((depth + n_groups * chunk - 1) / (n_groups * chunk) * chunk) {}
  };
  Pieces pieces(bool of_features) const {
    return of_features ? Pieces(p(), n()) : Pieces(n(), p());
  }

  /// A^T A for A = Xc or its transpose.
  Matrix<Scalar> inner_products(bool of_features) const {
    const Pieces cut = pieces(of_features);
    const Index size = cut.size, depth = cut.depth, width = cut.width, group = cut.group;
    const Index n_tiles = cut.n_tiles, n_groups = cut.n_groups;
    std::vector<std::pair<Index, Index>> tiles;
    for (Index i = 0; i < n_tiles; ++i)
      for (Index j = 0; j <= i; ++j) tiles.emplace_back(i * width, j * width);

    std::vector<Matrix<Scalar>> partial(tiles.size() * static_cast<std::size_t>(n_groups));
    parallel_.for_each(
        static_cast<Index>(partial.size()),
        [&](Index task) {
          const auto [top, left] = tiles[static_cast<std::size_t>(task / n_groups)];
          const Index high = std::min(width, size - top), wide = std::min(width, size - left);
          Matrix<Scalar>& sum = partial[static_cast<std::size_t>(task)];
          sum = Matrix<Scalar>::Zero(std::max<Index>(high, 0), std::max<Index>(wide, 0));
          if (sum.size() == 0) return;
          const Index begin = (task % n_groups) * group, end = std::min(depth, begin + group);
          for (Index from = begin; from < end; from += chunk) {
            const Index count = std::min(chunk, end - from);
            const Matrix<Scalar> A = piece(of_features, from, count, top, high);
            if (top == left)
              detail::add_gram<Scalar>(A, sum);
            else
              detail::add_inner_product<Scalar>(A, piece(of_features, from, count, left, wide),
                                                sum);
          }
        },
        1);

    Matrix<Scalar> result(size, size);
    for (std::size_t t = 0; t < tiles.size(); ++t) {
      Matrix<Scalar>& sum = partial[t * static_cast<std::size_t>(n_groups)];
      for (std::size_t g = 1; g < static_cast<std::size_t>(n_groups); ++g)
        detail::add_multiple(sum.size(), Scalar(1),
                             partial[t * static_cast<std::size_t>(n_groups) + g].data(),
                             sum.data());
      const auto [top, left] = tiles[t];
      for (Index j = 0; j < sum.cols(); ++j)
        for (Index i = top == left ? j : 0; i < sum.rows(); ++i)
          result(top + i, left + j) = result(left + j, top + i) = sum(i, j);
      sum.resize(0, 0);
    }
    return result;
  }

  ConstMatrixRef<Scalar> X_;
  const Vector<Scalar>& mean_;
  const Parallel& parallel_;
};

/// y -> Xc^T Xc y (of features) or Xc Xc^T y (of samples), without forming the product.
template <class Stored>
class CenteredProduct final : public SymmetricOperator {
 public:
  /// Refers to Xc, which must outlive it.
  CenteredProduct(const CenteredRows<Stored>& Xc, bool of_features)
      : Xc_(Xc), of_features_(of_features) {}

  Index rows() const override { return of_features_ ? Xc_.p() : Xc_.n(); }

  void perform_op(const double* x, double* y) const override {
    Vector<double> between(of_features_ ? Xc_.n() : Xc_.p());
    if (of_features_) {
      Xc_.multiply(x, between.data());
      Xc_.multiply_transposed(between.data(), y);
    } else {
      Xc_.multiply_transposed(x, between.data());
      Xc_.multiply(between.data(), y);
    }
  }

 private:
  const CenteredRows<Stored>& Xc_;
  bool of_features_;
};

}  // namespace unfurl
