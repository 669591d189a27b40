#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/tsne/repulsion.hpp"
#include "unfurl/tsne/wide_attraction.hpp"

namespace unfurl::detail {

/// One point's Σ_j p_ij w_ij (y_i - y_j), several entries at a time where the processor can.
template <class Real, std::size_t Dim>
void attraction_of(const int* index, const Real* value, int count, const Real* Y, const Real* own,
                   Real nu, Real* force) {
  int e = 0;
  std::fill_n(force, Dim, Real(0));
  if constexpr (may_have_wide_lanes)
    if (has_wide_lanes())
      e = WideAttraction<Real, Dim>::sum(index, value, count, Y, own, nu, force);
  for (; e < count; ++e) {
    const Real* const there = Y + static_cast<std::size_t>(index[e]) * Dim;
    Real squared = 0;
    for (std::size_t c = 0; c < Dim; ++c) squared += (own[c] - there[c]) * (own[c] - there[c]);
    const Real pull = value[e] / (1 + squared / nu);
    for (std::size_t c = 0; c < Dim; ++c) force[c] += pull * (own[c] - there[c]);
  }
}

/// How similar points pull each other together: A_i = Σ_j p_ij w_ij (y_i - y_j), over the entries
/// of a symmetric P. Each point is summed by one thread.
template <class Real, std::size_t Dim>
void attraction_in(const SparseMatrix<Real>& P, const Matrix<Real>& Y, Real nu,
                   Matrix<Real>& forces, const Parallel& parallel) {
  const Index d = Y.rows();
  parallel.for_each(
      Y.cols(),
      [&](Index i) {
        const int begin = P.outerIndexPtr()[i], end = P.outerIndexPtr()[i + 1];
        attraction_of<Real, Dim>(P.innerIndexPtr() + begin, P.valuePtr() + begin, end - begin,
                                 Y.data(), Y.data() + i * d, nu, forces.data() + i * d);
      },
      256);
}

template <class Real>
void attraction(const SparseMatrix<Real>& P, const Matrix<Real>& Y, double degrees_of_freedom,
                Matrix<Real>& forces, const Parallel& parallel) {
  const auto nu = static_cast<Real>(degrees_of_freedom);
  forces.resize(Y.rows(), Y.cols());
  switch (Y.rows()) {
    case 1:
      return attraction_in<Real, 1>(P, Y, nu, forces, parallel);
    case 2:
      return attraction_in<Real, 2>(P, Y, nu, forces, parallel);
    case 3:
      return attraction_in<Real, 3>(P, Y, nu, forces, parallel);
    default:
      break;
  }
  parallel.for_each(
      Y.cols(),
      [&](Index i) {
        const Index d = Y.rows();
        const Real* const own = Y.data() + i * d;
        Real* const force = forces.data() + i * d;
        std::fill(force, force + d, Real(0));
        for (int e = P.outerIndexPtr()[i]; e < P.outerIndexPtr()[i + 1]; ++e) {
          const Real* const there = Y.data() + P.innerIndexPtr()[e] * d;
          Real squared = 0;
          for (Index c = 0; c < d; ++c) squared += (own[c] - there[c]) * (own[c] - there[c]);
          const Real pull = P.valuePtr()[e] / (1 + squared / nu);
          for (Index c = 0; c < d; ++c) force[c] += pull * (own[c] - there[c]);
        }
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
