#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl {
namespace detail {

template <class Scalar>
Scalar check_kernel_scale(const char* kernel, const char* parameter, Scalar value) {
  if (!(value >= 0) || std::isinf(value))
    throw ParameterError(text(kernel, ": ", parameter,
                              " must be positive and finite (0 = to be chosen), got ", value));
  return value;
}

/// 1 / scale, but finite, so that 0 times it is 0: a kernel is 1 at distance 0 at every scale.
template <class Scalar>
Scalar finite_inverse(Scalar scale) {
  return std::min(1 / scale, (std::numeric_limits<Scalar>::max)());
}

/// Replaces squares by exp(-rate square), several at a time.
template <class Scalar>
void exponentials(Scalar rate, Scalar* squares, Index count) {
  constexpr Index chunk = 64;
  // Below, Eigen's exp does not become 0.
  const Scalar lowest = std::log((std::numeric_limits<Scalar>::min)()) + 1;
  using Numbers = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
  for (Index begin = 0; begin < count; begin += chunk) {
    Numbers part(squares + begin, std::min(chunk, count - begin));
    part *= -rate;
    if (part.minCoeff() > lowest)
      part = part.exp();
    else
      for (Index i = 0; i < part.size(); ++i) part(i) = std::exp(part(i));
  }
}

}  // namespace detail

/// exp(-d² / (2 σ²)); the bandwidth σ is a length.
///
/// Without a bandwidth the estimator chooses it. Taken as a function it is then the limit σ → 0:
/// 1 at distance 0, else 0.
template <class Scalar>
class GaussianKernel {
 public:
  /// Of bandwidth σ; 0: to be chosen by the estimator.
  /// \throws ParameterError unless the bandwidth is finite and not negative
  explicit GaussianKernel(Scalar bandwidth = 0)
      : bandwidth_(detail::check_kernel_scale("GaussianKernel", "bandwidth", bandwidth)),
        rate_(detail::finite_inverse(2 * bandwidth * bandwidth)) {}

  /// σ, a length.
  Scalar bandwidth() const { return bandwidth_; }
  /// The same kernel with another σ.
  GaussianKernel with_bandwidth(Scalar length) const { return GaussianKernel(length); }

  /// The weight of a pair at this squared distance, 0 to 1.
  Scalar operator()(Scalar squared_distance) const { return std::exp(-squared_distance * rate_); }
  /// Replaces squared distances by their weights; may differ from the above in the last bits.
  void values(Scalar* squared_distances, Index count) const {
    detail::exponentials(rate_, squared_distances, count);
  }

 private:
  Scalar bandwidth_, rate_;
};

/// exp(-d² / t), the form of Belkin and Niyogi (2003) and of Coifman and Lafon (2006). Its
/// parameter t is a squared length: the Gaussian kernel of bandwidth σ = sqrt(t / 2).
template <class Scalar>
class HeatKernel {
 public:
  /// Of scale t; 0: to be chosen by the estimator.
  /// \throws ParameterError unless t is finite and not negative
  explicit HeatKernel(Scalar t = 0)
      : t_(detail::check_kernel_scale("HeatKernel", "t", t)), rate_(detail::finite_inverse(t)) {}

  /// The t of exp(-d² / t), a squared length.
  Scalar t() const { return t_; }
  /// The σ of the Gaussian kernel that is the same.
  Scalar bandwidth() const { return std::sqrt(t_ / 2); }
  /// The same kernel with another σ; t = 2 σ².
  HeatKernel with_bandwidth(Scalar length) const { return HeatKernel(2 * length * length); }

  /// The weight of a pair at this squared distance, 0 to 1.
  Scalar operator()(Scalar squared_distance) const { return std::exp(-squared_distance * rate_); }
  /// Replaces squared distances by their weights; may differ from the above in the last bits.
  void values(Scalar* squared_distances, Index count) const {
    detail::exponentials(rate_, squared_distances, count);
  }

 private:
  Scalar t_, rate_;
};

/// 1 within the neighbourhood: for every edge of the graph, or, when given a radius epsilon (a
/// length), for distances up to and including it. No bandwidth is ever derived for it.
template <class Scalar>
class BinaryKernel {
 public:
  /// 1 up to the distance epsilon, 0 beyond.
  /// \throws ParameterError unless epsilon is positive
  explicit BinaryKernel(Scalar epsilon = std::numeric_limits<Scalar>::infinity())
      : epsilon_(epsilon) {
    if (!(epsilon > 0))
      throw ParameterError(detail::text("BinaryKernel: epsilon must be positive, got ", epsilon));
  }

  /// The largest distance that still counts.
  Scalar epsilon() const { return epsilon_; }

  /// The weight of a pair at this squared distance, 0 to 1.
  Scalar operator()(Scalar squared_distance) const {
    return squared_distance <= epsilon_ * epsilon_ ? Scalar(1) : Scalar(0);
  }

 private:
  Scalar epsilon_;
};

}  // namespace unfurl
