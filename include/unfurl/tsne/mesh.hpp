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
/// transforms of `side` points, twice the grid's, so that nothing wraps around. Two real columns go
/// through one complex transform; the transforms along the other coordinate, the product and the
/// way back are one pass. What is known to be zero or not needed is left out.
template <int Dim>
class GridConvolution {
 public:
  explicit GridConvolution(Index side) : side_(side), half_(side / 2 + 1), fourier_(side) {}

  Index side() const { return side_; }
  /// Nodes a side of the grid: the field is this to the power of Dim numbers, the second coordinate
  /// running fastest.
  Index extent() const { return side_ / 2; }
  std::size_t size() const { return power(extent()); }

  /// \param value value(i, j) of the kernel at offset (i, j), 0 <= i, j <= side / 2
  template <class Value>
  void set_kernel(Value&& value, const Parallel& parallel) {
    std::vector<float> grid(power(side_));
    parallel.for_each(side_, [&](Index i) {
      const auto mirrored = [&](Index k) { return std::min(k, side_ - k); };
      for (Index j = 0; j < columns(side_); ++j)
        grid[static_cast<std::size_t>(i * columns(side_) + j)] =
            static_cast<float>(value(mirrored(i), mirrored(j)));
    });
    forward(grid, side_, parallel);
    kernel_.resize(static_cast<std::size_t>(columns(side_) * half_));
    if constexpr (Dim == 2)
      along_columns(side_, parallel, [&](Buffer& buffer, Index first, Index n) {
        fourier_.transform(buffer, false);
        for (Index c = 0; c < side_; ++c)
          for (Index k = 0; k < n; ++k)
            kernel_[static_cast<std::size_t>(c * half_ + first + k)] =
                buffer.re[static_cast<std::size_t>(c * width + k)];
      });
    else
      kernel_ = re_;
    // B-splines spread and read: the kernel between nodes is right when it is divided by both.
    const double turn = 2 * std::acos(-1.0) / static_cast<double>(side_);
    const auto spline = [&](Index k) {
      return (4 + 2 * std::cos(turn * static_cast<double>(k))) / 6;
    };
    const double scale = 1 / static_cast<double>(power(side_));
    parallel.for_each(columns(side_), [&](Index c) {
      for (Index k = 0; k < half_; ++k) {
        const double b = spline(k) * (Dim == 1 ? 1.0 : spline(c));
        kernel_[static_cast<std::size_t>(c * half_ + k)] *= static_cast<float>(scale / (b * b));
      }
    });
  }

  /// In place.
  void apply(std::vector<float>& field, const Parallel& parallel) {
    forward(field, extent(), parallel);
    if constexpr (Dim == 2) {
      along_columns(extent(), parallel, [&](Buffer& buffer, Index first, Index n) {
        fourier_.transform(buffer, false);
        for (Index c = 0; c < side_; ++c)
          for (Index k = 0; k < n; ++k) {
            const float factor = kernel_[static_cast<std::size_t>(c * half_ + first + k)];
            buffer.re[static_cast<std::size_t>(c * width + k)] *= factor;
            buffer.im[static_cast<std::size_t>(c * width + k)] *= factor;
          }
        fourier_.transform(buffer, true);
      });
    } else {
      for (std::size_t k = 0; k < kernel_.size(); ++k) re_[k] *= kernel_[k], im_[k] *= kernel_[k];
    }
    backward(field, parallel);
  }

 private:
  using Buffer = FourierTransform::Buffer;
  static constexpr Index width = 16;  // sequences transformed together

  static Index columns(Index extent) { return Dim == 1 ? 1 : extent; }
  static std::size_t power(Index extent) {
    return static_cast<std::size_t>(extent * columns(extent));
  }
  Buffer& buffer_of(const Parallel::Block& block) {
    return buffers_[static_cast<std::size_t>(block.worker)];
  }
  /// Column c and column c + n_pairs go together; a line has one column, without a partner.
  static Index n_pairs(Index extent) { return Dim == 1 ? 1 : extent / 2; }

  /// Along the first coordinate, of real columns: entry k of column c goes to [c * half + k].
  /// \param extent of the grid; what is beyond is zero
  void forward(const std::vector<float>& grid, Index extent, const Parallel& parallel) {
    const Index pairs = n_pairs(extent);
    re_.resize(static_cast<std::size_t>(columns(extent) * half_));
    im_.resize(re_.size());
    while (buffers_.size() < static_cast<std::size_t>(parallel.n_threads()))
      buffers_.emplace_back(side_, width);
    parallel.for_blocks(pairs, width, [&](const Parallel::Block& block) {
      Buffer& buffer = buffer_of(block);
      for (Index i = 0; i < side_; ++i)
        for (Index c = 0; c < block.size(); ++c) {
          const auto from = static_cast<std::size_t>(i * columns(extent) + block.begin + c);
          const auto to = static_cast<std::size_t>(i * width + c);
          buffer.re[to] = i < extent ? grid[from] : 0;
          buffer.im[to] = i < extent && Dim == 2 ? grid[from + static_cast<std::size_t>(pairs)] : 0;
        }
      fourier_.transform(buffer, false);
      for (Index c = 0; c < block.size(); ++c)
        for (Index k = 0; k < half_; ++k) {
          // The transform of a + i b, at k and at -k, holds those of a and b.
          const auto at = static_cast<std::size_t>(k * width + c);
          const auto mirror = static_cast<std::size_t>((k == 0 ? 0 : side_ - k) * width + c);
          const auto a = static_cast<std::size_t>((block.begin + c) * half_ + k);
          re_[a] = (buffer.re[at] + buffer.re[mirror]) / 2;
          im_[a] = (buffer.im[at] - buffer.im[mirror]) / 2;
          if (Dim == 1) continue;
          const auto b = a + static_cast<std::size_t>(pairs * half_);
          re_[b] = (buffer.im[at] + buffer.im[mirror]) / 2;
          im_[b] = (buffer.re[mirror] - buffer.re[at]) / 2;
        }
    });
  }

  void backward(std::vector<float>& grid, const Parallel& parallel) {
    const Index pairs = n_pairs(extent());
    parallel.for_blocks(pairs, width, [&](const Parallel::Block& block) {
      Buffer& buffer = buffer_of(block);
      for (Index c = 0; c < block.size(); ++c)
        for (Index k = 0; k < side_; ++k) {
          const bool mirrored = k >= half_;
          const Index from = mirrored ? side_ - k : k;
          const float sign = mirrored ? -1.0f : 1.0f;
          const auto a = static_cast<std::size_t>((block.begin + c) * half_ + from);
          const auto b = a + static_cast<std::size_t>(pairs * half_);
          const auto to = static_cast<std::size_t>(k * width + c);
          buffer.re[to] = re_[a] - (Dim == 1 ? 0 : sign * im_[b]);
          buffer.im[to] = sign * im_[a] + (Dim == 1 ? 0 : re_[b]);
        }
      fourier_.transform(buffer, true);
      for (Index i = 0; i < extent(); ++i)
        for (Index c = 0; c < block.size(); ++c) {
          const auto to = static_cast<std::size_t>(i * columns(extent()) + block.begin + c);
          const auto from = static_cast<std::size_t>(i * width + c);
          grid[to] = buffer.re[from];
          if (Dim == 2) grid[to + static_cast<std::size_t>(pairs)] = buffer.im[from];
        }
    });
  }

  /// Along the second coordinate, of which `extent` entries are not zero and wanted back.
  template <class Change>
  void along_columns(Index extent, const Parallel& parallel, Change&& change) {
    parallel.for_blocks(half_, width, [&](const Parallel::Block& block) {
      Buffer& buffer = buffer_of(block);
      for (Index c = 0; c < side_; ++c)
        for (Index k = 0; k < block.size(); ++k) {
          const auto from = static_cast<std::size_t>(c * half_ + block.begin + k);
          const auto to = static_cast<std::size_t>(c * width + k);
          buffer.re[to] = c < extent ? re_[from] : 0;
          buffer.im[to] = c < extent ? im_[from] : 0;
        }
      change(buffer, block.begin, block.size());
      for (Index c = 0; c < extent; ++c)
        for (Index k = 0; k < block.size(); ++k) {
          const auto to = static_cast<std::size_t>(c * half_ + block.begin + k);
          const auto from = static_cast<std::size_t>(c * width + k);
          re_[to] = buffer.re[from];
          im_[to] = buffer.im[from];
        }
    });
  }

  Index side_, half_;
  FourierTransform fourier_;
  std::vector<Buffer> buffers_;  // one a thread
  std::vector<float> kernel_, re_, im_;
};

/// Repulsion by one convolution on a grid. Every point is spread on the nodes around it by cubic
/// B-splines, the potential φ = Σ_j u(y - y_j) of all of them is one convolution, and φ and its
/// gradient are read off with the splines and their derivatives: Z = Σ_i φ(y_i) - n, and since
/// ∇u = -(ν+1)/ν u w (y - y_j), the force is -ν/(ν+1) ∇φ. (A single kernel where FIt-SNE, Linderman
/// et al. 2019, needs several.) O(n + N² log N).
///
/// The grid is `spacing` fine, finer while the map is small. Its cost grows with the area of the
/// map, its error too, while those of Barnes-Hut do not: where the grid would have more than about
/// 2.4 sqrt(n) cells a side (or memory says no), the tree is the faster and takes over (measured
/// on MNIST with 10000 and 70000 points). What is done in an iteration depends on the map alone,
/// not on those before it.
template <int Dim>
class MeshRepulsion {
 public:
  MeshRepulsion(double theta, double degrees_of_freedom = 1, double spacing = 0.35)
      : nu_(degrees_of_freedom), spacing_(spacing), tree_(theta, degrees_of_freedom) {}

  void operator()(const Matrix<float>& Y, Repulsion<float>& out, const Parallel& parallel) {
    ++n_calls_;
    double extent = 0;
    for (Index c = 0; c < Dim; ++c) {
      low_[static_cast<std::size_t>(c)] = static_cast<double>(Y.row(c).minCoeff());
      extent = std::max(
          extent, static_cast<double>(Y.row(c).maxCoeff()) - low_[static_cast<std::size_t>(c)]);
    }
    double h = spacing_;  // halved while the map is small
    while (extent > 0 && extent < 40 * h && h > 1e-30) h /= 2;
    if (!(extent > 0) || extent / h > most_cells(Y.cols())) {
      tree_(Y, out, parallel);
      return;
    }
    ++n_on_grid_;
    const Index side = FourierTransform::length_from(2 * (static_cast<Index>(extent / h) + 6));
    if (!grid_ || grid_->side() != side || h != h_) {
      grid_.emplace(side);
      h_ = h;
      grid_->set_kernel(
          [&](Index i, Index j) {
            const double squared = h * h * static_cast<double>(i * i + j * j);
            const double u =
                nu_ == 1 ? 1 / (1 + squared) : std::pow(1 + squared / nu_, -(nu_ + 1) / 2);
            return u - 1;  // exact while all is 1
          },
          parallel);
    }
    spread(Y, parallel);
    grid_->apply(field_, parallel);
    read(Y, out, parallel);
  }

  Index n_calls() const { return n_calls_; }
  /// In how many of them the grid was used, and not the tree.
  Index n_on_grid() const { return n_on_grid_; }

 private:
  static double most_cells(Index n) {
    return Dim == 1 ? 1e5 : std::min(2.4 * std::sqrt(static_cast<double>(n)), 1500.0);
  }

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
    const Index n = Y.cols(), side = grid_->extent();
    const std::size_t size = grid_->size();
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
    const Index n = Y.cols(), side = grid_->extent();
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
  Index n_calls_ = 0, n_on_grid_ = 0;
  BarnesHut<float, Dim> tree_;
  std::array<double, static_cast<std::size_t>(Dim)> low_{};
  std::optional<GridConvolution<Dim>> grid_;
  std::vector<std::vector<float>> parts_;
  std::vector<float> field_;
};

}  // namespace unfurl::detail
