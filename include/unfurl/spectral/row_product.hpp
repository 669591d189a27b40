#pragma once

#include <algorithm>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/products.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// R W for a matrix R of n rows that is produced some rows at a time: `fetch(begin, rows)` fills
/// `rows` with the rows from `begin` on. `multiply` treats all rows alike, so a row's result is the
/// same to the bit whatever rows are beside it, however a batch is split and for any number of
/// threads.
template <class Scalar, class Fetch>
Matrix<Scalar> row_product(Index n, const Matrix<Scalar>& W, const Parallel& parallel,
                           Fetch&& fetch) {
  // So many that long pieces of a column are read at a time and all of them stay in the cache;
  // whole strips of `multiply`.
  constexpr Index cached = 1 << 17, fewest = 48, most = 192, strip = Lanes<Scalar>::size;
  const Index fitting = std::clamp(cached / std::max<Index>(1, W.rows()), fewest, most);
  const Index height = (fitting + strip - 1) / strip * strip;
  Matrix<Scalar> result(n, W.cols());
  parallel.for_blocks(n, height, [&](const Parallel::Block& block) {
    Matrix<Scalar> rows(block.size(), W.rows());
    fetch(block.begin, rows.topRows(block.size()));
    multiply<Scalar>(rows, W, result.middleRows(block.begin, block.size()));
  });
  return result;
}

}  // namespace unfurl::detail
