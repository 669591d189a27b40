#pragma once

#include <cmath>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/tsne/repulsion.hpp"

namespace unfurl::detail {

/// How similar points pull each other together: A_i = Σ_j p_ij w_ij (y_i - y_j), over the entries
/// of a symmetric P. Each point is summed by one thread.
template <class Real>
void attraction(const SparseMatrix<Real>& P, const Matrix<Real>& Y, double degrees_of_freedom,
                Matrix<Real>& forces, const Parallel& parallel) {
  const Index d = Y.rows();
  forces.resize(d, Y.cols());
  const int* const start = P.outerIndexPtr();
  const int* const index = P.innerIndexPtr();
  const Real* const value = P.valuePtr();
  const auto nu = static_cast<Real>(degrees_of_freedom);
  const auto sum_up = [&](Index i, Index dimension) {
    const Real* const own = Y.data() + i * dimension;
    Real* const force = forces.data() + i * dimension;
    for (Index c = 0; c < dimension; ++c) force[c] = 0;
    for (int e = start[i]; e < start[i + 1]; ++e) {
      const Real* const other = Y.data() + index[e] * dimension;
      Real squared = 0;
      for (Index c = 0; c < dimension; ++c) squared += (own[c] - other[c]) * (own[c] - other[c]);
      const Real pull = value[e] / (1 + squared / nu);
      for (Index c = 0; c < dimension; ++c) force[c] += pull * (own[c] - other[c]);
    }
  };
  parallel.for_each(
      Y.cols(),
      [&](Index i) {
        if (d == 2)
          sum_up(i, 2);  // a constant, so that the loops vanish
        else
          sum_up(i, d);
      },
      256);
}

/// The divergence Σ p log(p / q) of the map, given Z. P sums to 1.
template <class Real>
double divergence(const SparseMatrix<Real>& P, const Matrix<Real>& Y, double degrees_of_freedom,
                  double normalizer, const Parallel& parallel) {
  const double nu = degrees_of_freedom;
  const double sum = parallel.reduce(
      Y.cols(), 256, 0.0,
      [&](const Parallel::Block& block) {
        double part = 0;
        for (Index i = block.begin; i < block.end; ++i)
          for (typename SparseMatrix<Real>::InnerIterator it(P, i); it; ++it) {
            const auto p = static_cast<double>(it.value());
            if (!(p > 0)) continue;
            double squared = 0;
            for (Index c = 0; c < Y.rows(); ++c) {
              const double gap = static_cast<double>(Y(c, i)) - static_cast<double>(Y(c, it.row()));
              squared += gap * gap;
            }
            part += p * (std::log(p) + (nu + 1) / 2 * std::log1p(squared / nu));
          }
        return part;
      },
      [](double all, double part) { return all + part; });
  return sum + std::log(normalizer);
}

}  // namespace unfurl::detail
