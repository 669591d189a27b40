#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "unfurl/core/products.hpp"
#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Tells from a float matrix product which points may be within a given distance of a query, and
/// never misses one. A product costs a small fraction of as many distances; the few points that
/// pass are then measured exactly, so what the filter loses by rounding and cancellation costs time
/// in bad cases, never correctness.
///
/// Notation: y a point, x a query, both centred, scaled by a power of two so that the largest
/// coordinate is about 1, and rounded to float; u = 2^-24. Rounding moves either by at most u times
/// its length, so true points at most R apart are float points with
///     |x - y|^2 <= (R + u|x| + u|y|)^2 <= (1 + u) R^2 + 2u (|x|^2 + |y|^2) + O(u^2).
/// The product evaluates  v = (1 - m) |y|^2 - 2 x.y  as one sum of d + 1 products, in any order and
/// fused or not, with an error of at most (d + 1) u (2 |x||y| + |y|^2) <= 2 (d + 1) u (|x|^2 +
/// |y|^2); storing (1 - m) |y|^2 in float adds u |y|^2. So with m >= (2d + 5) u + O(u^2)
///     v <= (1 + m) R^2 - (1 - m) |x|^2
/// holds for every point within R, and a point for which it fails is farther away. The bound used
/// is m = 2.5 (d + 16) u, which has room for the second-order terms up to d = 2^20, and for the
/// rounding of R itself when that is the root of a computed squared_distance in float.
///
/// The other way round, |x - y|^2 <= v + (1 + m) |x|^2 + 2m |y|^2 by the same bounds, and |y|^2 <=
/// 2 |x|^2 + 2 |x - y|^2, so
///     (1 - 4m) |x - y|^2 <= v + (1 + 5m) |x|^2,
/// to which `largest_distance` adds the same roundings.
class DistanceFilter {
 public:
  DistanceFilter() = default;

  template <class Scalar>
  explicit DistanceFilter(const Matrix<Scalar>& points) {
    const Index d = points.rows(), n = points.cols();
    if (d > Index{1} << 20) return;
    const Vector<Scalar> center = median(points);
    center_ = center.template cast<double>();
    const double largest = static_cast<double>((points.colwise() - center).cwiseAbs().maxCoeff());
    if (!std::isfinite(largest)) return;
    int exponent = 0;
    std::frexp(largest, &exponent);
    scale_ = std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
    margin_ = 2.5 * static_cast<double>(d + 16) * 0x1p-24;
    // Squares that underflow, in float here and in the scalar in squared_distance.
    const double smallest =
        scale_ * std::sqrt(static_cast<double>((std::numeric_limits<Scalar>::min)()));
    underflow_ = static_cast<double>(d + 16) * (0x1p-120 + smallest * smallest);

    rows_.resize(n, d + 1);
    for (Index i = 0; i < n; ++i) {
      const double norm = convert(points.data() + i * d, rows_.data() + i, n, 1);
      rows_(i, d) = static_cast<float>((1 - margin_) * norm);
    }
  }

  /// Queries as the product wants them, with what is needed to turn a distance into a bound on v.
  struct Queries {
    Matrix<float> rows;                 // (-2 x, 1), one a column
    std::vector<double> squared_norms;  // |x|^2
    bool usable = true;                 // no query is so far out that its square overflows
  };

  /// The float data exist: not so for more than 2^20 features.
  bool usable() const { return rows_.size() > 0; }

  template <class Scalar>
  Queries prepare(const Scalar* queries, Index n_queries) const {
    const Index d = rows_.cols() - 1;
    Queries prepared;
    prepared.rows.resize(d + 1, n_queries);
    for (Index j = 0; j < n_queries; ++j) {
      const double norm = convert(queries + j * d, prepared.rows.data() + j * (d + 1), 1, -2);
      prepared.rows(d, j) = 1;
      prepared.squared_norms.push_back(norm);
      prepared.usable = prepared.usable && norm < 1e30;  // also false for NaN
    }
    return prepared;
  }

  /// v for points begin, …, begin + count - 1 (rows) and every query (columns).
  void evaluate(const Queries& queries, Index begin, Index count, Matrix<float>& values) const {
    values.resize(count, queries.rows.cols());
    multiply<float>(rows_.middleRows(begin, count), queries.rows, values);
  }

  /// Points with a larger v are farther from the query than `distance` (true, not squared).
  float largest_value(double distance, double squared_norm) const {
    const double r = scale_ * distance;
    const double bound = (1 + margin_) * r * r - (1 - margin_) * squared_norm + underflow_;
    if (!(bound < static_cast<double>((std::numeric_limits<float>::max)())))
      return std::numeric_limits<float>::infinity();
    return std::nextafter(static_cast<float>(bound), std::numeric_limits<float>::infinity());
  }

  /// A point with this v is at most so far from the query, also by the distance that is computed.
  double largest_distance(float value, double squared_norm) const {
    const double square = static_cast<double>(value) + (1 + 7 * margin_) * squared_norm;
    return std::sqrt((1 + margin_) * (std::max(square, 0.0) + underflow_) / (1 - 6 * margin_)) /
           scale_;
  }

 private:
  /// Feature by feature, of at most a thousand points. Any centre is correct; this one is among the
  /// points also when a few others are very far away, so that the lengths in the bound stay small.
  template <class Scalar>
  static Vector<Scalar> median(const Matrix<Scalar>& points) {
    const Index n = points.cols(), count = std::min<Index>(n, 1001);
    std::vector<Scalar> values(static_cast<std::size_t>(count));
    Vector<Scalar> middle(points.rows());
    for (Index i = 0; i < points.rows(); ++i) {
      for (Index j = 0; j < count; ++j)
        values[static_cast<std::size_t>(j)] = points(i, j * n / count);
      const auto half = values.begin() + static_cast<std::ptrdiff_t>(count / 2);
      std::nth_element(values.begin(), half, values.end());
      middle(i) = *half;
    }
    return middle;
  }

  /// Writes factor times the centred, scaled point, its coordinates `stride` apart, and returns its
  /// squared norm before the factor (1 or a power of two: exact).
  template <class Scalar>
  double convert(const Scalar* point, float* out, Index stride, float factor) const {
    double norm = 0;
    for (Index i = 0; i < center_.size(); ++i) {
      // The difference is rounded in double, which is nothing beside the rounding to float.
      const auto x = static_cast<float>((static_cast<double>(point[i]) - center_(i)) * scale_);
      norm += static_cast<double>(x) * static_cast<double>(x);
      out[i * stride] = factor * x;
    }
    return norm;
  }

  Vector<double> center_;
  double scale_ = 1, margin_ = 0, underflow_ = 0;
  Matrix<float> rows_;  // (y, (1 - m) |y|^2), one point a row
};

}  // namespace unfurl::detail
