#pragma once

#include <algorithm>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/spectral/products.hpp"

namespace unfurl::detail {

/// R W for a matrix R of n rows that is produced a few rows at a time: `fetch(begin, rows)` fills
/// `rows` with the rows from `begin` on. Every product has the same shape, 48 rows, padded with
/// zeros at the end: so a row's result is the same to the bit whatever rows are beside it, however
/// a batch is split and for any number of threads. (48 is a multiple of the rows of Eigen's
/// product kernels, which treat left-over rows differently.)
template <class Scalar, class Fetch>
Matrix<Scalar> row_product(Index n, const Matrix<Scalar>& W, const Parallel& parallel,
                           Fetch&& fetch) {
  constexpr Index height = 48;
  Matrix<Scalar> result(n, W.cols());
  parallel.for_blocks(n, 8 * height, [&](const Parallel::Block& block) {
    Matrix<Scalar> rows(height, W.rows()), product(height, W.cols());
    for (Index begin = block.begin; begin < block.end; begin += height) {
      const Index count = std::min(height, block.end - begin);
      if (count < height) rows.setZero();
      fetch(begin, rows.topRows(count));
      multiply<Scalar>(rows, W, product);
      for (Index j = 0; j < W.cols(); ++j)
        std::copy_n(product.data() + j * height, count, result.data() + j * n + begin);
    }
  });
  return result;
}

}  // namespace unfurl::detail
