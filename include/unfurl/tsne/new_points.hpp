#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"
#include "unfurl/tsne/affinities.hpp"
#include "unfurl/tsne/barnes_hut.hpp"

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

/// The repulsion of a fixed map on a point beside it that moves by small steps: Σ_j u w (y - y_j)
/// into `force`, and Σ_j u_j.
template <class Field>
class FieldAlongPath {
 public:
  FieldAlongPath(const Field& field, double) : field_(field) {}

  template <class Real>
  void start(const Real*) {}
  template <class Real>
  double at(const Real* y, Real* force) {
    return field_.at(y, force);
  }

 private:
  const Field& field_;
};

/// In a tree: what is far from a box around the point stays far while it is in the box. So the tree
/// is walked once for many steps, and what was met there is met again, eight at a time.
template <class Real, int Dim>
class FieldAlongPath<BarnesHut<Real, Dim>> {
 public:
  FieldAlongPath(const BarnesHut<Real, Dim>& tree, double degrees_of_freedom)
      : tree_(tree), nu_(degrees_of_freedom) {}

  /// A new path, which knows nothing of the former ones.
  void start(const Real* y) {
    for (auto& x : x_) x.clear();
    weight_.clear();
    for (std::size_t c = 0; c < dim; ++c) low_[c] = y[c] - reach, high_[c] = y[c] + reach;
    tree_.for_surroundings(low_, high_, [&](const Point& at, Real weight) {
      for (std::size_t c = 0; c < dim; ++c) x_[c].push_back(at[c]);
      weight_.push_back(weight);
    });
    const std::size_t whole = (weight_.size() + lanes - 1) / lanes * lanes;
    for (auto& x : x_) x.resize(whole, x.back());
    weight_.resize(whole, Real(0));
  }

  double at(const Real* y, Real* force) {
    if (!in_box(y)) start(y);
    std::array<Lanes, dim> forces;
    for (Lanes& each : forces) each.setZero();
    Lanes sum = Lanes::Zero();
    const auto per_nu = static_cast<Real>(1 / nu_);
    for (std::size_t first = 0; first < weight_.size(); first += lanes) {
      std::array<Lanes, dim> gap;
      Lanes squared = Lanes::Zero();
      for (std::size_t c = 0; c < dim; ++c) {
        gap[c] = y[c] - Eigen::Map<const Lanes>(x_[c].data() + first);
        squared += gap[c] * gap[c];
      }
      const Lanes w = (squared * per_nu + Real(1)).inverse();
      Lanes u = w;
      if (nu_ != 1) u = w.pow(static_cast<Real>((nu_ + 1) / 2));
      u *= Eigen::Map<const Lanes>(weight_.data() + first);
      sum += u;
      for (std::size_t c = 0; c < dim; ++c) forces[c] += (u * w) * gap[c];
    }
    for (std::size_t c = 0; c < dim; ++c) force[c] = forces[c].sum();
    return static_cast<double>(sum.sum());
  }

 private:
  static constexpr std::size_t dim = static_cast<std::size_t>(Dim), lanes = 8;
  static constexpr Real reach = Real(0.5);  // half the side of a box; the kernel has width 1
  using Lanes = Eigen::Array<Real, static_cast<int>(lanes), 1>;
  using Point = typename BarnesHut<Real, Dim>::Point;

  bool in_box(const Real* y) const {
    bool inside = true;
    for (std::size_t c = 0; c < dim; ++c) inside &= y[c] >= low_[c] && y[c] <= high_[c];
    return inside;
  }

  const BarnesHut<Real, Dim>& tree_;
  double nu_;
  Point low_ = {}, high_ = {};
  std::array<std::vector<Real>, dim> x_ = {};
  std::vector<Real> weight_ = {};
};

/// Places new points in a finished t-SNE map, each alone: it starts at the median of its neighbours
/// and descends its own divergence Σ_j p_j log(p_j / q_j), q over all points of the map, attraction
/// exaggerated a little (Poličar, Stražar and Zupan 2023). The map is not moved, and no new point
/// sees another.
/// \param neighbors of the new points among those of the map
/// \param map one point a column
/// \param field of the map; see FieldAlongPath
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
    FieldAlongPath<Field> along_path(field, nu);
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
      along_path.start(y.data());
      for (int iteration = 0; iteration < n_iterations; ++iteration) {
        const double Z = along_path.at(y.data(), push.data());
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
