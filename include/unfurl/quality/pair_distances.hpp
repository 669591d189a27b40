#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/quality/sampling.hpp"

/// Distances of the same pairs of points in the data and in the embedding, and what measures of
/// them have in common. (Templates, so that programs that do not measure do not compile them.)
namespace unfurl::detail {

template <class Real>
struct PairDistances {
  Vector<Real> in_X, in_Y;
};

/// Points one a column, by a power of two near 1: squares of tiny differences would underflow.
template <class Real>
struct ScaledPoints {
  explicit ScaledPoints(const Matrix<Real>& X) : points(X.transpose()) {
    const Real largest = points.cwiseAbs().maxCoeff();
    if (largest > 0) exponent = std::ilogb(largest);
    points = points.unaryExpr([&](Real x) { return std::scalbn(x, -exponent); }).eval();
  }
  Real distance(Index i, Index j) const {
    return std::scalbn((points.col(i) - points.col(j)).norm(), exponent);
  }

  Matrix<Real> points;
  int exponent = 0;
};

/// All pairs, or as many as `sampling` allows, drawn with repetition.
template <class Real>
PairDistances<Real> pair_distances(const Matrix<Real>& X, const Matrix<Real>& Y,
                                   const Sampling& sampling, const Parallel& parallel) {
  const ScaledPoints<Real> data(X), embedded(Y);
  const Index n = X.rows(), n_all = n * (n - 1) / 2;
  const bool all = sampling.most == 0 || sampling.most >= n_all;
  const Index n_pairs = all ? n_all : sampling.most;
  PairDistances<Real> pairs{Vector<Real>(n_pairs), Vector<Real>(n_pairs)};
  const auto measure = [&](Index at, Index i, Index j) {
    pairs.in_X(at) = data.distance(i, j);
    pairs.in_Y(at) = embedded.distance(i, j);
  };
  if (all) {
    parallel.for_each(n, [&](Index i) {
      for (Index j = 0; j < i; ++j) measure(i * (i - 1) / 2 + j, i, j);
    });
    return pairs;
  }
  Random random(sampling.seed, 6);
  std::vector<std::pair<Index, Index>> drawn(static_cast<std::size_t>(n_pairs));
  for (auto& [i, j] : drawn) {
    i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
    j = static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1)));
    if (j >= i) ++j;
  }
  parallel.for_each(n_pairs, [&](Index at) {
    const auto [i, j] = drawn[static_cast<std::size_t>(at)];
    measure(at, i, j);
  });
  return pairs;
}

/// About their mean and of unit length; zero where they do not vary.
template <class Real>
Vector<Real> standardized_values(const Vector<Real>& values) {
  const Real largest = values.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return Vector<Real>::Zero(values.size());
  Vector<Real> centered = values / largest;
  const Real length = centered.norm();
  centered.array() -= centered.mean();
  const Real spread = centered.norm();
  if (!(spread > 1e-12 * length)) return Vector<Real>::Zero(values.size());
  return centered / spread;
}

/// Pearson's r. Where both do not vary 1, where only one does 0.
template <class Real>
double correlation(const Vector<Real>& a, const Vector<Real>& b) {
  const Vector<Real> u = standardized_values(a), v = standardized_values(b);
  const bool u_varies = u.norm() > 0, v_varies = v.norm() > 0;
  if (!u_varies || !v_varies) return u_varies == v_varies ? 1 : 0;
  return std::clamp(u.dot(v), -1.0, 1.0);
}

/// 1 - r^2 without cancellation: r is near 1 when the difference of the unit vectors is small.
template <class Real>
double unexplained_variance(const Vector<Real>& a, const Vector<Real>& b) {
  const Vector<Real> u = standardized_values(a), v = standardized_values(b);
  const bool u_varies = u.norm() > 0, v_varies = v.norm() > 0;
  if (!u_varies || !v_varies) return u_varies == v_varies ? 0 : 1;
  const double minus = (u - v).squaredNorm() / 2, plus = (u + v).squaredNorm() / 2;  // 1 -+ r
  return std::clamp(minus * plus, 0.0, 1.0);
}

/// The place of each value in ascending order from 1; tied values share the mean of their places.
template <class Real>
Vector<Real> ranks_of(const Vector<Real>& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return values(a) < values(b) || (values(a) == values(b) && a < b);
  });
  Vector<Real> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values(order[end]) == values(order[first])) ++end;
    for (std::size_t place = first; place < end; ++place)
      ranks(order[place]) = static_cast<Real>(first + end + 1) / 2;
    first = end;
  }
  return ranks;
}

/// |scale * d - delta| / |delta|.
template <class Real>
double relative_misfit(const PairDistances<Real>& pairs, double scale) {
  const double total = pairs.in_X.stableNorm();
  const double misfit = (scale * pairs.in_Y - pairs.in_X).stableNorm();
  if (total > 0) return misfit / total;
  return misfit > 0 ? std::numeric_limits<double>::infinity() : 0;
}

/// The factor on the embedding that makes the misfit least; 0 for an embedding in one point.
template <class Real>
double best_scale(const PairDistances<Real>& pairs) {
  const double length = pairs.in_Y.stableNorm();
  return length > 0 ? (pairs.in_Y / length).dot(pairs.in_X) / length : 0;
}

}  // namespace unfurl::detail
