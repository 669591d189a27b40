#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"
#include "unfurl/tsne/affinities.hpp"
#include "unfurl/tsne/barnes_hut.hpp"
#include "unfurl/tsne/repulsion.hpp"

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

/// The repulsion of a fixed map on a point beside it that moves by small steps.
class FieldAlongPath {
 public:
  virtual ~FieldAlongPath() = default;
  /// A new path, which knows nothing of the former ones.
  virtual void start(const float* y) = 0;
  /// Σ_j u w (y - y_j) into `force`. \returns Σ_j u_j
  virtual double at(const float* y, float* force) = 0;
};

/// By the definition.
class ExactAlongPath final : public FieldAlongPath {
 public:
  /// \param map one point a column; it must outlive this
  ExactAlongPath(const Matrix<float>& map, double degrees_of_freedom)
      : map_(map), nu_(degrees_of_freedom) {}

  void start(const float*) override {}

  double at(const float* y, float* force) override {
    const Index d = map_.rows();
    double sum = 0;
    for (Index c = 0; c < d; ++c) force[c] = 0;
    for (Index j = 0; j < map_.cols(); ++j) {
      float squared = 0;
      for (Index c = 0; c < d; ++c) squared += (y[c] - map_(c, j)) * (y[c] - map_(c, j));
      const float w = 1 / (1 + squared / static_cast<float>(nu_)), u = heavy_tail(w, nu_);
      sum += static_cast<double>(u);
      for (Index c = 0; c < d; ++c) force[c] += u * w * (y[c] - map_(c, j));
    }
    return sum;
  }

 private:
  const Matrix<float>& map_;
  double nu_;
};

/// In a tree: what is far from a box around the point stays far while it is in the box. So the tree
/// is walked once for many steps, and what was met there is met again, eight at a time.
template <int Dim>
class TreeAlongPath final : public FieldAlongPath {
 public:
  /// \param tree it must outlive this
  TreeAlongPath(const BarnesHut<float, Dim>& tree, double degrees_of_freedom)
      : tree_(tree), nu_(degrees_of_freedom) {}

  void start(const float* y) override {
    for (auto& x : x_) x.clear();
    weight_.clear();
    for (std::size_t c = 0; c < dim; ++c) low_[c] = y[c] - reach, high_[c] = y[c] + reach;
    tree_.for_surroundings(low_, high_, [&](const Point& at, float weight) {
      for (std::size_t c = 0; c < dim; ++c) x_[c].push_back(at[c]);
      weight_.push_back(weight);
    });
    const std::size_t whole = (weight_.size() + lanes - 1) / lanes * lanes;
    for (auto& x : x_) x.resize(whole, x.back());
    weight_.resize(whole, 0.0F);
  }

  double at(const float* y, float* force) override {
    if (!in_box(y)) start(y);
    std::array<Lanes, dim> forces;
    for (Lanes& each : forces) each.setZero();
    Lanes sum = Lanes::Zero();
    const auto per_nu = static_cast<float>(1 / nu_);
    for (std::size_t first = 0; first < weight_.size(); first += lanes) {
      std::array<Lanes, dim> gap;
      Lanes squared = Lanes::Zero();
      for (std::size_t c = 0; c < dim; ++c) {
        gap[c] = y[c] - Eigen::Map<const Lanes>(x_[c].data() + first);
        squared += gap[c] * gap[c];
      }
      const Lanes w = (squared * per_nu + 1.0F).inverse();
      Lanes u = w;
      if (nu_ != 1) u = w.pow(static_cast<float>((nu_ + 1) / 2));
      u *= Eigen::Map<const Lanes>(weight_.data() + first);
      sum += u;
      for (std::size_t c = 0; c < dim; ++c) forces[c] += (u * w) * gap[c];
    }
    for (std::size_t c = 0; c < dim; ++c) force[c] = forces[c].sum();
    return static_cast<double>(sum.sum());
  }

 private:
  static constexpr std::size_t dim = static_cast<std::size_t>(Dim), lanes = 8;
  static constexpr float reach = 0.5F;  // half the side of a box; the kernel has width 1
  using Lanes = Eigen::Array<float, static_cast<int>(lanes), 1>;
  using Point = typename BarnesHut<float, Dim>::Point;

  bool in_box(const float* y) const {
    bool inside = true;
    for (std::size_t c = 0; c < dim; ++c) inside &= y[c] >= low_[c] && y[c] <= high_[c];
    return inside;
  }

  const BarnesHut<float, Dim>& tree_;
  double nu_;
  Point low_ = {}, high_ = {};
  std::array<std::vector<float>, dim> x_ = {};
  std::vector<float> weight_ = {};
};

/// Places new points in a finished t-SNE map, each alone: it starts at the median of its neighbours
/// and descends its own divergence Σ_j p_j log(p_j / q_j), q over all points of the map, attraction
/// exaggerated a little (Poličar, Stražar and Zupan 2023). The map is not moved, and no new point
/// sees another.
/// \param neighbors of the new points among those of the map
/// \param map one point a column
/// \param new_path makes the field of the map along the paths of one thread
template <class Scalar>
Matrix<float> place_new_points(const NeighborList<Scalar>& neighbors, double perplexity,
                               const Matrix<float>& map,
                               const std::function<std::unique_ptr<FieldAlongPath>()>& new_path,
                               double degrees_of_freedom, const Parallel& parallel) {
  constexpr int n_iterations = 100;
  constexpr double exaggeration = 1.5, rate = 0.1, momentum = 0.8, longest = 0.25;
  const Index d = map.rows();
  const double nu = degrees_of_freedom, scale = (2 * nu + 2) / nu;
  Matrix<float> placed(d, neighbors.size());
  parallel.for_blocks(neighbors.size(), 16, [&](const Parallel::Block& block) {
    const std::unique_ptr<FieldAlongPath> along_path = new_path();
    std::vector<double> p;
    std::vector<float> point(static_cast<std::size_t>(d)), push(point.size());
    std::vector<double> gradient(point.size()), velocity(point.size());
    float* const y = point.data();
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
        y[c] = static_cast<float>(weighted_median(std::move(along)));
      }
      std::fill(velocity.begin(), velocity.end(), 0.0);
      along_path->start(y);
      for (int iteration = 0; iteration < n_iterations; ++iteration) {
        const double Z = along_path->at(y, push.data());
        for (std::size_t c = 0; c < point.size(); ++c)
          gradient[c] = -static_cast<double>(push[c]) / Z;
        for (Index e = 0; e < k; ++e) {
          const float* const there = map.data() + indices[e] * d;
          double squared = 0;
          for (std::size_t c = 0; c < point.size(); ++c) {
            const auto gap = static_cast<double>(y[c] - there[c]);
            squared += gap * gap;
          }
          const double pull = exaggeration * p[static_cast<std::size_t>(e)] / (1 + squared / nu);
          for (std::size_t c = 0; c < point.size(); ++c)
            gradient[c] += pull * static_cast<double>(y[c] - there[c]);
        }
        for (double& slope : gradient) slope *= scale;
        const double length = norm(d, gradient.data());
        const double shorten = length > longest ? longest / length : 1;
        for (std::size_t c = 0; c < point.size(); ++c) {
          velocity[c] = momentum * velocity[c] - rate * (shorten * gradient[c]);
          y[c] += static_cast<float>(velocity[c]);
        }
      }
      std::copy(point.begin(), point.end(), placed.data() + i * d);
    }
  });
  return placed;
}

}  // namespace unfurl::detail
