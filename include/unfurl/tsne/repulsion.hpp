#pragma once

#include <cmath>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"

/// How the points of a t-SNE map push each other apart.
///
/// With the kernel w = 1 / (1 + d² / ν), ν the degrees of freedom (1 for t-SNE), and
/// u = w^((ν+1)/2), every method gives, for the map Y with one point a column,
///     Z = Σ_i≠j u_ij     and     F_i = Σ_j u_ij w_ij (y_i - y_j),
/// from which q_ij = u_ij / Z and the gradient of the divergence
///     (2 ν + 2) / ν · Σ_j (p_ij - q_ij) w_ij (y_i - y_j).
namespace unfurl::detail {

/// What the points feel.
template <class Real>
struct Repulsion {
  Matrix<Real> forces = {};  ///< F, one point a column
  double normalizer = 0;     ///< Z
};

/// u of squared distance over ν. \param nu degrees of freedom
template <class Value>
Value heavy_tail(const Value& w, double nu) {
  return nu == 1 ? w : std::pow(w, static_cast<Value>((nu + 1) / 2));
}

/// By the definition: n² terms. The reference for the others, and the fastest for few points.
class ExactRepulsion {
 public:
  explicit ExactRepulsion(double degrees_of_freedom = 1) : nu_(degrees_of_freedom) {}

  template <class Real>
  void operator()(const Matrix<Real>& Y, Repulsion<Real>& out, const Parallel& parallel) const {
    const Index n = Y.cols(), d = Y.rows();
    const Matrix<Real> coordinates = Y.transpose();  // each one contiguous
    out.forces.resize(d, n);
    out.normalizer = parallel.reduce(
        n, 16, 0.0,
        [&](const Parallel::Block& block) {
          double sum = 0;
          Matrix<Real> force(lanes, d);
          for (Index i = block.begin; i < block.end; ++i)
            sum += of_point(coordinates, i, force, out.forces.data() + i * d);
          return sum;
        },
        [](double all, double part) { return all + part; });
  }

 private:
  static constexpr Index lanes = 8;

  /// Eight others at a time, then the rest. The point itself is among them: it is 1 in the sum.
  template <class Real>
  double of_point(const Matrix<Real>& Y, Index i, Matrix<Real>& partial, Real* force) const {
    using Several = Eigen::Array<Real, lanes, 1>;
    const Index n = Y.rows(), d = Y.cols();
    const auto nu = static_cast<Real>(nu_);
    partial.setZero();
    Several sums = Several::Zero();
    Index j = 0;
    for (; j + lanes <= n; j += lanes) {
      const auto gap = [&](Index c) -> Several {
        return Y(i, c) - Eigen::Map<const Several>(Y.data() + c * n + j);
      };
      Several squared = Several::Zero();
      for (Index c = 0; c < d; ++c) squared += gap(c).square();
      const Several w = (squared / nu + Real(1)).inverse();
      Several u = w;
      if (nu_ != 1) u = w.pow((nu + 1) / 2);
      sums += u;
      u *= w;
      for (Index c = 0; c < d; ++c) {
        Eigen::Map<Several> part(partial.data() + c * lanes);
        part += u * gap(c);
      }
    }
    for (Index c = 0; c < d; ++c) force[c] = partial.col(c).sum();
    auto sum = static_cast<double>(sums.sum());
    for (; j < n; ++j) {
      const Real w = 1 / (1 + (Y.row(i) - Y.row(j)).squaredNorm() / nu), u = heavy_tail(w, nu_);
      sum += static_cast<double>(u);
      for (Index c = 0; c < d; ++c) force[c] += u * w * (Y(i, c) - Y(j, c));
    }
    return sum - 1;
  }

  double nu_;
};

}  // namespace unfurl::detail
