#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/tsne/barnes_hut.hpp"
#include "unfurl/tsne/fft.hpp"
#include "unfurl/tsne/repulsion.hpp"

namespace unfurl::detail {

/// The convolution of a real field on a square grid (or a line) with a symmetric kernel, by Fourier
/// transforms of N points a side. Two real columns go through one complex transform, and the
/// transforms along the other side, the product and the way back are one pass.
template <int Dim>
class GridConvolution {
 public:
  explicit GridConvolution(Index side)
      : side_(side), half_(side / 2 + 1), fourier_(side), kernel_(spectrum_size()) {}

  Index side() const { return side_; }

  /// \param value value(i, j) of the kernel at offset (i, j), 0 <= i, j <= side / 2
  template <class Value>
  void set_kernel(Value&& value, const Parallel& parallel) {
    std::vector<float> grid(grid_size());
    for (Index i = 0; i < side_; ++i)
      for (Index j = 0; j < (Dim == 1 ? 1 : side_); ++j)
        grid[static_cast<std::size_t>(i * (Dim == 1 ? 1 : side_) + j)] = static_cast<float>(
            value(std::min(i, side_ - i), Dim == 1 ? Index{0} : std::min(j, side_ - j)));
    std::vector<float> re(spectrum_size()), im(spectrum_size());
    forward(grid, re, im, parallel);
    if constexpr (Dim == 2)
      along_columns(re, im, parallel, [&](FourierTransform::Buffer& buffer, Index first, Index n) {
        fourier_.transform(buffer, false);
        for (Index c = 0; c < side_; ++c)
          for (Index k = 0; k < n; ++k)
            kernel_[static_cast<std::size_t>(c * half_ + first + k)] =
                buffer.re[static_cast<std::size_t>(c * buffer.width + k)];
        return false;
      });
    else
      for (std::size_t k = 0; k < kernel_.size(); ++k) kernel_[k] = re[k];
    // B-splines spread and read: the kernel between nodes is right when it is divided by both.
    const double turn = 2 * std::acos(-1.0) / static_cast<double>(side_);
    const auto spline = [&](Index k) {
      return (4 + 2 * std::cos(turn * static_cast<double>(k))) / 6;
    };
    const double scale = 1 / static_cast<double>(grid_size());
    for (Index c = 0; c < (Dim == 1 ? 1 : side_); ++c)
      for (Index k = 0; k < half_; ++k) {
        const double b = spline(k) * (Dim == 1 ? 1.0 : spline(c));
        kernel_[static_cast<std::size_t>(c * half_ + k)] *= static_cast<float>(scale / (b * b));
      }
  }

  /// In place. The grid has side^Dim entries, the second coordinate running fastest.
  void apply(std::vector<float>& grid, const Parallel& parallel) {
    re_.resize(spectrum_size());
    im_.resize(spectrum_size());
    forward(grid, re_, im_, parallel);
    if constexpr (Dim == 2) {
      along_columns(
          re_, im_, parallel, [&](FourierTransform::Buffer& buffer, Index first, Index n) {
            fourier_.transform(buffer, false);
            for (Index c = 0; c < side_; ++c)
              for (Index k = 0; k < n; ++k) {
                const float factor = kernel_[static_cast<std::size_t>(c * half_ + first + k)];
                buffer.re[static_cast<std::size_t>(c * buffer.width + k)] *= factor;
                buffer.im[static_cast<std::size_t>(c * buffer.width + k)] *= factor;
              }
            fourier_.transform(buffer, true);
            return true;
          });
    } else {
      for (std::size_t k = 0; k < kernel_.size(); ++k) re_[k] *= kernel_[k], im_[k] *= kernel_[k];
    }
    backward(re_, im_, grid, parallel);
  }

 private:
  static constexpr Index width = 16;  // sequences transformed together

  std::size_t grid_size() const {
    return static_cast<std::size_t>(Dim == 1 ? side_ : side_ * side_);
  }
  std::size_t spectrum_size() const {
    return static_cast<std::size_t>((Dim == 1 ? 1 : side_) * half_);
  }
  /// Columns are taken in pairs (c, c + n_pairs); a line has one column, without a partner.
  Index n_pairs() const { return Dim == 1 ? 1 : side_ / 2; }
  Index n_columns() const { return Dim == 1 ? 1 : side_; }

  /// Along the first coordinate, of real columns: entry k of column c goes to [c * half + k].
  void forward(const std::vector<float>& grid, std::vector<float>& re, std::vector<float>& im,
               const Parallel& parallel) const {
    parallel.for_blocks(n_pairs(), width, [&](const Parallel::Block& block) {
      FourierTransform::Buffer buffer(side_, block.size());
      for (Index i = 0; i < side_; ++i)
        for (Index c = 0; c < block.size(); ++c) {
          const Index from = i * n_columns() + block.begin + c;
          const auto to = static_cast<std::size_t>(i * buffer.width + c);
          buffer.re[to] = grid[static_cast<std::size_t>(from)];
          buffer.im[to] = Dim == 1 ? 0 : grid[static_cast<std::size_t>(from + n_pairs())];
        }
      fourier_.transform(buffer, false);
      for (Index c = 0; c < block.size(); ++c)
        for (Index k = 0; k < half_; ++k) {
          // The transform of a + i b, at k and at -k, holds those of a and b.
          const auto at = static_cast<std::size_t>(k * buffer.width + c);
          const auto mirror = static_cast<std::size_t>((side_ - k) % side_ * buffer.width + c);
          const auto a = static_cast<std::size_t>((block.begin + c) * half_ + k);
          re[a] = (buffer.re[at] + buffer.re[mirror]) / 2;
          im[a] = (buffer.im[at] - buffer.im[mirror]) / 2;
          if (Dim == 1) continue;
          const auto b = a + static_cast<std::size_t>(n_pairs() * half_);
          re[b] = (buffer.im[at] + buffer.im[mirror]) / 2;
          im[b] = (buffer.re[mirror] - buffer.re[at]) / 2;
        }
    });
  }

  void backward(const std::vector<float>& re, const std::vector<float>& im,
                std::vector<float>& grid, const Parallel& parallel) const {
    parallel.for_blocks(n_pairs(), width, [&](const Parallel::Block& block) {
      FourierTransform::Buffer buffer(side_, block.size());
      for (Index c = 0; c < block.size(); ++c)
        for (Index k = 0; k < side_; ++k) {
          const bool mirrored = k >= half_;
          const Index from = mirrored ? side_ - k : k;
          const float sign = mirrored ? -1.0f : 1.0f;
          const auto a = static_cast<std::size_t>((block.begin + c) * half_ + from);
          const auto b = a + static_cast<std::size_t>(n_pairs() * half_);
          const auto to = static_cast<std::size_t>(k * buffer.width + c);
          buffer.re[to] = re[a] - (Dim == 1 ? 0 : sign * im[b]);
          buffer.im[to] = sign * im[a] + (Dim == 1 ? 0 : re[b]);
        }
      fourier_.transform(buffer, true);
      for (Index i = 0; i < side_; ++i)
        for (Index c = 0; c < block.size(); ++c) {
          const Index to = i * n_columns() + block.begin + c;
          const auto from = static_cast<std::size_t>(i * buffer.width + c);
          grid[static_cast<std::size_t>(to)] = buffer.re[from];
          if (Dim == 2) grid[static_cast<std::size_t>(to + n_pairs())] = buffer.im[from];
        }
    });
  }

  /// Along the second coordinate. \param change returns true if the buffer is to be stored
  template <class Change>
  void along_columns(std::vector<float>& re, std::vector<float>& im, const Parallel& parallel,
                     Change&& change) const {
    parallel.for_blocks(half_, width, [&](const Parallel::Block& block) {
      FourierTransform::Buffer buffer(side_, block.size());
      const auto copy = [&](std::vector<float>& grid, std::vector<float>& lanes, bool back) {
        for (Index c = 0; c < side_; ++c)
          for (Index k = 0; k < block.size(); ++k) {
            float& there = grid[static_cast<std::size_t>(c * half_ + block.begin + k)];
            float& here = lanes[static_cast<std::size_t>(c * buffer.width + k)];
            (back ? there : here) = back ? here : there;
          }
      };
      copy(re, buffer.re, false);
      copy(im, buffer.im, false);
      if (!change(buffer, block.begin, block.size())) return;
      copy(re, buffer.re, true);
      copy(im, buffer.im, true);
    });
  }

  Index side_, half_;
  FourierTransform fourier_;
  std::vector<float> kernel_, re_, im_;
};

/// Repulsion by one convolution on a grid. Every point is spread on the nodes around it by cubic
/// B-splines, the potential φ = Σ_j u(y - y_j) of all of them is one convolution, and φ and its
/// gradient are read off with the splines and their derivatives: Z = Σ_i φ(y_i) - n, and since
/// ∇u = -(ν+1)/ν u w (y - y_j), the force is -ν/(ν+1) ∇φ. (A single kernel where FIt-SNE, Linderman
/// et al. 2019, needs several.) O(n + N² log N).
///
/// The grid is `spacing` fine, finer while the map is small. Maps so wide that it would have more
/// than 1536 nodes a side, padding included, go to Barnes-Hut.
template <int Dim>
class MeshRepulsion {
 public:
  MeshRepulsion(double theta, double degrees_of_freedom = 1, double spacing = 0.35)
      : nu_(degrees_of_freedom), spacing_(spacing), tree_(theta, degrees_of_freedom) {}

  void operator()(const Matrix<float>& Y, Repulsion<float>& out, const Parallel& parallel) {
    double extent = 0;
    for (Index c = 0; c < Dim; ++c) {
      low_[static_cast<std::size_t>(c)] = static_cast<double>(Y.row(c).minCoeff());
      extent = std::max(
          extent, static_cast<double>(Y.row(c).maxCoeff()) - low_[static_cast<std::size_t>(c)]);
    }
    double h = spacing_;  // halved while the map is small
    while (extent > 0 && extent < 40 * h && h > 1e-30) h /= 2;
    if (!(extent > 0) || extent / h > 760) {
      tree_(Y, out, parallel);
      return;
    }
    // Twice the nodes, so that nothing wraps around.
    const Index side = FourierTransform::length_from(2 * (static_cast<Index>(extent / h) + 6));
    if (!grid_ || grid_->side() < side || grid_->side() > 2 * side || h != h_) {
      // Grown in steps, so that the kernel is not transformed anew every time.
      const Index roomy = FourierTransform::length_from(side + side / 16);
      grid_.emplace(roomy);
      h_ = h;
      grid_->set_kernel(
          [&](Index i, Index j) {
            const double squared = h * h * static_cast<double>(i * i + j * j);
            return std::pow(1 + squared / nu_, -(nu_ + 1) / 2) - 1;  // less 1: exact while all is 1
          },
          parallel);
    }
    spread(Y, parallel);
    grid_->apply(field_, parallel);
    read(Y, out, parallel);
  }

 private:
  /// Cubic B-spline weights of the four nodes around a point, and their derivatives.
  struct Weights {
    Index first;
    std::array<float, 4> value, slope;
  };

  Weights weights(double y, double low) const {
    const double at = (y - low) / h_ + 1;  // one node of room below
    const double cell = std::floor(at);
    const auto t = static_cast<float>(at - cell);
    const float s = 1 - t;
    return {static_cast<Index>(cell) - 1,
            {s * s * s / 6, (4 - 6 * t * t + 3 * t * t * t) / 6,
             (4 - 6 * s * s + 3 * s * s * s) / 6, t * t * t / 6},
            {-s * s / 2, (3 * t * t - 4 * t) / 2, (4 * s - 3 * s * s) / 2, t * t / 2}};
  }

  /// A few parts of the points, always the same ones, spread on grids of their own: summed in
  /// order.
  void spread(const Matrix<float>& Y, const Parallel& parallel) {
    constexpr Index n_parts = 4;
    const Index n = Y.cols(), side = grid_->side();
    const auto size = static_cast<std::size_t>(Dim == 1 ? side : side * side);
    parts_.resize(n_parts);
    parallel.for_blocks(n, (n + n_parts - 1) / n_parts, [&](const Parallel::Block& block) {
      auto& part = parts_[static_cast<std::size_t>(block.number)];
      part.assign(size, 0.0f);
      for (Index i = block.begin; i < block.end; ++i) {
        const Weights x = weights(static_cast<double>(Y(0, i)), low_[0]);
        if constexpr (Dim == 1) {
          for (std::size_t a = 0; a < 4; ++a)
            part[static_cast<std::size_t>(x.first) + a] += x.value[a];
        } else {
          const Weights y = weights(static_cast<double>(Y(1, i)), low_[1]);
          for (std::size_t a = 0; a < 4; ++a) {
            float* const row = part.data() + (x.first + static_cast<Index>(a)) * side + y.first;
            for (std::size_t b = 0; b < 4; ++b) row[b] += x.value[a] * y.value[b];
          }
        }
      }
    });
    field_.resize(size);
    const std::size_t used = static_cast<std::size_t>(std::min(n, n_parts));
    parallel.for_blocks(static_cast<Index>(size), 16384, [&](const Parallel::Block& block) {
      for (Index i = block.begin; i < block.end; ++i) {
        float sum = 0;
        for (std::size_t p = 0; p < used; ++p)
          if (parts_[p].size() == size) sum += parts_[p][static_cast<std::size_t>(i)];
        field_[static_cast<std::size_t>(i)] = sum;
      }
    });
  }

  void read(const Matrix<float>& Y, Repulsion<float>& out, const Parallel& parallel) const {
    const Index n = Y.cols(), side = grid_->side();
    const double to_force = -nu_ / (nu_ + 1) / h_;
    out.forces.resize(Dim, n);
    const double sum = parallel.reduce(
        n, 1024, 0.0,
        [&](const Parallel::Block& block) {
          double part = 0;
          for (Index i = block.begin; i < block.end; ++i) {
            const Weights x = weights(static_cast<double>(Y(0, i)), low_[0]);
            float potential = 0, along_x = 0, along_y = 0;
            if constexpr (Dim == 1) {
              for (std::size_t a = 0; a < 4; ++a) {
                const float value = field_[static_cast<std::size_t>(x.first) + a];
                potential += x.value[a] * value;
                along_x += x.slope[a] * value;
              }
            } else {
              const Weights y = weights(static_cast<double>(Y(1, i)), low_[1]);
              for (std::size_t a = 0; a < 4; ++a) {
                const float* const row =
                    field_.data() + (x.first + static_cast<Index>(a)) * side + y.first;
                float value = 0, slope = 0;
                for (std::size_t b = 0; b < 4; ++b) {
                  value += y.value[b] * row[b];
                  slope += y.slope[b] * row[b];
                }
                potential += x.value[a] * value;
                along_x += x.slope[a] * value;
                along_y += x.value[a] * slope;
              }
              out.forces(1, i) = static_cast<float>(to_force * static_cast<double>(along_y));
            }
            out.forces(0, i) = static_cast<float>(to_force * static_cast<double>(along_x));
            part += static_cast<double>(potential);
          }
          return part;
        },
        [](double all, double part) { return all + part; });
    // What the kernel was lessened by, for all pairs, and each point's meeting with itself.
    out.normalizer = sum + static_cast<double>(n) * static_cast<double>(n - 1);
  }

  double nu_, spacing_, h_ = 0;
  BarnesHut<float, Dim> tree_;
  std::array<double, static_cast<std::size_t>(Dim)> low_{};
  std::optional<GridConvolution<Dim>> grid_;
  std::vector<std::vector<float>> parts_;
  std::vector<float> field_;
};

}  // namespace unfurl::detail
