#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// 1 - r^2 of pairs of numbers, r their correlation. Sums are taken about the first pair, so that a
/// common offset does no harm.
class Correlation {
 public:
  void add(double x, double y) {
    if (n_ == 0) x0_ = x, y0_ = y;
    x -= x0_, y -= y0_;
    ++n_;
    x_ += x, y_ += y;
    xx_ += x * x, yy_ += y * y, xy_ += x * y;
  }

  /// 0 where both do not vary, 1 where only one of them does.
  double unexplained() const {
    const double n = std::max(1.0, static_cast<double>(n_));
    const double vx = xx_ - x_ * x_ / n, vy = yy_ - y_ * y_ / n, c = xy_ - x_ * y_ / n;
    const double flat = 1e-14;
    const bool x_varies = vx > flat * xx_, y_varies = vy > flat * yy_;
    if (!x_varies || !y_varies) return x_varies == y_varies ? 0 : 1;
    return std::clamp(1 - c / vx * (c / vy), 0.0, 1.0);
  }

 private:
  Index n_ = 0;
  double x0_ = 0, y0_ = 0, x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

constexpr Index most_residual_pairs = 250000;

/// Of the pairs that it is taken from: n samples, m sources.
inline double residual_variance_bytes(Index n, Index m) {
  const double entries = static_cast<double>(n) * static_cast<double>(m);
  return 16 * (entries <= 2.0 * most_residual_pairs ? (m < n ? entries : entries / 2)
                                                    : most_residual_pairs);
}

/// Tenenbaum's residual variance 1 - r^2(geodesic, embedded distances) of the first 1, 2, … columns
/// of Y, over all pairs of a sample and a source, or over 250000 random ones, which
/// are good for its first two digits, where there are more. Pairs are drawn first, so that the
/// memory can bring several of them at once.
/// \param G distances of all samples (rows) from the sources (columns), which are samples too; if
///   every sample is a source, only entries above the diagonal are read
template <class Stored, class Scalar>
Vector<double> residual_variances(const Matrix<Stored>& G, const std::vector<int>& sources,
                                  const Matrix<Scalar>& Y, std::uint64_t seed) {
  const Index n = G.rows(), m = G.cols();
  std::vector<std::pair<Index, Index>> entries;  // of G
  const auto add = [&](Index i, Index s) {
    entries.push_back(m < n ? std::make_pair(i, s) : std::minmax({i, s}));
  };
  entries.reserve(static_cast<std::size_t>(residual_variance_bytes(n, m) / sizeof(entries[0])));
  if (n * m <= 2 * most_residual_pairs) {
    for (Index s = 0; s < m; ++s)
      for (Index i = 0; i < n; ++i)
        if (m < n ? i != sources[static_cast<std::size_t>(s)] : i < s) add(i, s);
  } else {
    Random random(seed, 4);
    for (Index pair = 0; pair < most_residual_pairs; ++pair) {
      const auto s = static_cast<Index>(random.below(static_cast<std::uint64_t>(m)));
      const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(n - 1)));
      add(i < sources[static_cast<std::size_t>(s)] ? i : i + 1, s);
    }
  }
  constexpr std::size_t ahead = 32;
  std::vector<Correlation> by_dimension(static_cast<std::size_t>(Y.cols()));
  for (std::size_t p = 0; p < entries.size(); ++p) {
    if (p + ahead < entries.size())
      prefetch(G.data() + entries[p + ahead].second * n +
                                entries[p + ahead].first);
    const auto [i, s] = entries[p];
    const Index j = sources[static_cast<std::size_t>(s)];
    double squared = 0;
    for (Index d = 0; d < Y.cols(); ++d) {
      const double gap = static_cast<double>(Y(i, d)) - static_cast<double>(Y(j, d));
      squared += gap * gap;
      by_dimension[static_cast<std::size_t>(d)].add(static_cast<double>(G(i, s)),
                                                    std::sqrt(squared));
    }
  }
  Vector<double> result(Y.cols());
  for (Index d = 0; d < Y.cols(); ++d)
    result(d) = by_dimension[static_cast<std::size_t>(d)].unexplained();
  return result;
}

}  // namespace unfurl::detail
