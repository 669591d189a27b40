#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/kernels/requirements.hpp"

namespace unfurl {

/// The scale of a kernel and where it comes from.
template <class Scalar>
struct Bandwidth {
  Scalar value = 0;         ///< σ of exp(-d² / (2 σ²)), a length; 0: the data have no scale
  std::string source = "";  ///< for the report, e.g. "median distance to neighbour 10"
  double dimension = 0;     ///< estimate of the intrinsic dimension, where the rule gives one
};

/// The median of the distances of n points to their k-th neighbour: about half of the points then
/// have k neighbours within one σ. When more than half of the distances are 0 (many duplicates) the
/// median of the others is taken. O(n).
template <class Scalar>
Bandwidth<Scalar> median_bandwidth(std::vector<Scalar> distances,
                                   std::string source = "median neighbour distance") {
  const auto median = [&] {
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    if (distances.size() % 2 == 1) return *middle;
    const Scalar below = *std::max_element(distances.begin(), middle);
    return below + (*middle - below) / 2;
  };
  if (distances.empty()) return {0, source + ": there are no distances", 0};
  Scalar value = median();
  if (!(value > 0)) {
    distances.erase(std::remove(distances.begin(), distances.end(), Scalar(0)), distances.end());
    if (distances.empty()) return {0, source + ": every distance is 0", 0};
    source += " over the points that have it positive";
    value = median();
  }
  return {value, std::move(source), 0};
}

namespace detail {

/// Counts squared distances by magnitude, 32 bins an octave. The kernel sum of the slope rule is
/// smooth in log d², so replacing a distance by the middle of its bin (at most 1.6 % off, unbiased
/// within the bin) does not move the maximum; and counts are integers, so threads may add them in
/// any order.
class SquaredDistanceHistogram {
 public:
  void add(double squared_distance, std::int64_t count = 1) {
    if (!(squared_distance > 0)) {
      zeros_ += count;
      return;
    }
    if (std::isinf(squared_distance)) return;  // adds nothing to the sum at any scale
    int octave = 0;                            // d² = mantissa 2^octave, mantissa in [1/2, 1)
    const double mantissa = std::frexp(squared_distance, &octave);
    const int bin = static_cast<int>((mantissa - 0.5) * (2 * bins_per_octave));
    counts_[static_cast<std::size_t>((octave - lowest_octave) * bins_per_octave + bin)] += count;
  }

  void merge(const SquaredDistanceHistogram& other) {
    zeros_ += other.zeros_;
    for (std::size_t b = 0; b < counts_.size(); ++b) counts_[b] += other.counts_[b];
  }

  std::int64_t zeros() const { return zeros_; }

  /// The bins that are not empty, ascending: squared distance and count.
  std::vector<std::pair<double, double>> bins() const {
    std::vector<std::pair<double, double>> result;
    for (std::size_t b = 0; b < counts_.size(); ++b)
      if (counts_[b] > 0)
        result.emplace_back(middle(static_cast<int>(b)), static_cast<double>(counts_[b]));
    return result;
  }

 private:
  static constexpr int bins_per_octave = 32;
  static constexpr int lowest_octave = -1074, highest_octave = 1024;  // of a double

  static double middle(int bin) {
    const double mantissa = 0.5 + (bin % bins_per_octave + 0.5) / (2 * bins_per_octave);
    return std::ldexp(mantissa, bin / bins_per_octave + lowest_octave);
  }

  std::int64_t zeros_ = 0;
  std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(
      static_cast<std::size_t>(highest_octave - lowest_octave + 1) * bins_per_octave);
};

/// The slope rule on counted distances; each pair of different points is counted once.
template <class Scalar>
Bandwidth<Scalar> slope_bandwidth(Index n_points, const SquaredDistanceHistogram& histogram) {
  const auto bins = histogram.bins();
  if (bins.empty()) return {0, "slope of the log kernel sum: every distance is 0", 0};
  // Pairs at distance 0, and each point with itself, contribute 1 at every scale.
  const double constant =
      static_cast<double>(n_points) + 2 * static_cast<double>(histogram.zeros());
  constexpr int steps_per_octave = 4;
  double best_epsilon = 0, best_slope = -1;
  const int first = steps_per_octave * (std::ilogb(bins.front().first) - 4);
  const int last = steps_per_octave * (std::ilogb(bins.back().first) + 4);
  for (int step = first; step <= last; ++step) {
    const double epsilon = std::exp2(static_cast<double>(step) / steps_per_octave);
    double sum = constant, weighted = 0;  // S and ε dS/dε
    for (const auto& [squared, count] : bins) {
      const double ratio = squared / epsilon;
      if (ratio > 745) break;  // exp underflows, here and for all larger distances
      const double term = 2 * count * std::exp(-ratio);
      sum += term;
      weighted += ratio * term;
    }
    const double slope = weighted / sum;
    if (slope > best_slope) best_slope = slope, best_epsilon = epsilon;
  }
  return {static_cast<Scalar>(std::sqrt(best_epsilon / 2)), "steepest log kernel sum",
          2 * best_slope};
}

}  // namespace detail

/// The scale at which the kernel sum S(ε) = Σ_ij exp(-d_ij² / ε) grows fastest, in log-log: there
/// neither the single points (S = n) nor the whole set (S = n²) are what the kernel sees (Coifman,
/// Shkolnisky, Sigworth and Singer 2008; Berry and Harlim 2016). Within the manifold's own scales S
/// grows like ε^(dimension / 2), so twice the slope estimates the intrinsic dimension. σ is
/// sqrt(ε / 2), ε in quarter octaves.
///
/// A set that fills space at large scale, such as a tightly rolled sheet, may be steepest there:
/// then the neighbour rule is the better choice. O(n²) calls, the same result for any number of
/// threads.
///
/// \param n number of points
/// \param squared_distance called as squared_distance(i, j) for 0 <= i < j < n
/// \param parallel the threads to call it on
template <class Scalar, class SquaredDistance>
Bandwidth<Scalar> slope_bandwidth(Index n, SquaredDistance&& squared_distance,
                                  const Parallel& parallel) {
  std::vector<detail::SquaredDistanceHistogram> partial(
      static_cast<std::size_t>(parallel.n_threads()));
  parallel.for_blocks(n, 16, [&](const Parallel::Block& block) {
    auto& histogram = partial[static_cast<std::size_t>(block.worker)];
    for (Index j = block.begin; j < block.end; ++j)
      for (Index i = 0; i < j; ++i) histogram.add(static_cast<double>(squared_distance(i, j)));
  });
  for (std::size_t w = 1; w < partial.size(); ++w) partial[0].merge(partial[w]);
  return detail::slope_bandwidth<Scalar>(n, partial[0]);
}

/// A kernel ready for use, and the bandwidth it works at.
template <class Scalar, class Kernel>
struct ScaledKernel {
  Kernel kernel;                     ///< at that bandwidth
  Bandwidth<Scalar> bandwidth = {};  ///< with where it comes from; 0 for a kernel without one
};

/// The kernel at the bandwidth an estimator shall use: that of its option if given, else that of
/// the kernel if it has one, else what `from_data()` returns (called only then). A kernel without a
/// bandwidth is used as it is.
///
/// \throws ParameterError when `requested` is not positive and finite, or the kernel has no
///   bandwidth to set; NumericalError when the data have no scale
template <class Scalar, class Kernel, class Rule>
ScaledKernel<Scalar, Kernel> scale_kernel(std::string_view where, const Kernel& kernel,
                                          std::optional<double> requested, Rule&& from_data) {
  if (requested && !(static_cast<Scalar>(*requested) > 0 && std::isfinite(*requested)))
    throw ParameterError(
        detail::text(where, ": bandwidth must be positive and finite, got ", *requested));
  if constexpr (!has_bandwidth_v<Kernel, Scalar>) {
    if (requested)
      throw ParameterError(detail::text(where, ": bandwidth is ", *requested,
                                        " but this kernel has no bandwidth to set; leave the "
                                        "option empty"));
    return {kernel, {0, "the kernel's own", 0}};
  } else {
    if (requested) {
      const auto value = static_cast<Scalar>(*requested);
      return {kernel.with_bandwidth(value), {value, "given", 0}};
    }
    const auto own = static_cast<Scalar>(kernel.bandwidth());
    if (own > 0) return {kernel, {own, "the kernel's own", 0}};
    Bandwidth<Scalar> found = from_data();
    if (!(found.value > 0))
      throw NumericalError(detail::text(where, ": kernel scale is zero (", found.source,
                                        "); are the points all the same? Set bandwidth, or remove "
                                        "duplicates"));
    return {kernel.with_bandwidth(found.value), std::move(found)};
  }
}

}  // namespace unfurl
