#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"
#include "unfurl/tsne/affinities.hpp"

namespace unfurl::detail {

/// The value at which half of the weight is reached.
inline double weighted_median(std::vector<std::pair<double, double>> values) {
  std::sort(values.begin(), values.end());
  double total = 0, reached = 0;
  for (const auto& value : values) total += value.second;
  for (const auto& value : values)
    if ((reached += value.second) >= total / 2) return value.first;
  return values.back().first;
}

/// Places new points in a finished t-SNE map, each alone: it starts at the median of its neighbours
/// and descends its own divergence Σ_j p_j log(p_j / q_j), q over all points of the map, attraction
/// exaggerated a little (Poličar, Stražar and Zupan 2023). The map is not moved, and no new point
/// sees another.
/// \param neighbors of the new points among those of the map
/// \param map one point a column
/// \param field field.at(y, force) gives Σ u w (y - y_j) and Σ u over the map
template <class Scalar, class Real, class Field>
Matrix<Real> place_new_points(const NeighborList<Scalar>& neighbors, double perplexity,
                              const Matrix<Real>& map, const Field& field,
                              double degrees_of_freedom, const Parallel& parallel) {
  constexpr int n_iterations = 100;
  constexpr double exaggeration = 1.5, rate = 0.1, momentum = 0.8, longest = 0.25;
  const Index d = map.rows();
  const double nu = degrees_of_freedom, scale = (2 * nu + 2) / nu;
  Matrix<Real> placed(d, neighbors.size());
  parallel.for_blocks(neighbors.size(), 16, [&](const Parallel::Block& block) {
    std::vector<double> p;
    Vector<Real> y(d), push(d);
    Vector<double> gradient(d), velocity(d);
    for (Index i = block.begin; i < block.end; ++i) {
      const Index k = neighbors.count(i);
      const int* const indices = neighbors.indices(i);
      p.assign(neighbors.distances(i), neighbors.distances(i) + k);
      for (double& value : p) value *= value;
      meet_perplexity(p.data(), k, std::min(perplexity, static_cast<double>(k)));
      for (Index c = 0; c < d; ++c) {
        std::vector<std::pair<double, double>> along;
        for (Index e = 0; e < k; ++e)
          along.emplace_back(static_cast<double>(map(c, indices[e])),
                             p[static_cast<std::size_t>(e)]);
        y(c) = static_cast<Real>(weighted_median(std::move(along)));
      }
      velocity.setZero();
      for (int iteration = 0; iteration < n_iterations; ++iteration) {
        const double Z = field.at(y.data(), push.data());
        for (Index c = 0; c < d; ++c) gradient(c) = -static_cast<double>(push(c)) / Z;
        for (Index e = 0; e < k; ++e) {
          double squared = 0;
          for (Index c = 0; c < d; ++c) {
            const double gap = static_cast<double>(y(c) - map(c, indices[e]));
            squared += gap * gap;
          }
          const double pull = exaggeration * p[static_cast<std::size_t>(e)] / (1 + squared / nu);
          for (Index c = 0; c < d; ++c)
            gradient(c) += pull * static_cast<double>(y(c) - map(c, indices[e]));
        }
        gradient *= scale;
        const double length = gradient.norm();
        if (length > longest) gradient *= longest / length;
        velocity = momentum * velocity - rate * gradient;
        y += velocity.template cast<Real>();
      }
      placed.col(i) = y;
    }
  });
  return placed;
}

}  // namespace unfurl::detail
