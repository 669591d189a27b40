#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <ios>
#include <string>
#include <vector>

#include "unfurl/core/text.hpp"

namespace unfurl::detail {

struct Tick {
  double value;
  std::string label;
};

/// A range of values laid over a range of pixels.
struct Axis {
  double low = 0, high = 1;  ///< values
  double from = 0, to = 1;   ///< the pixels they are drawn at

  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

/// Values that are equal up to rounding get a range around them, so that nothing is divided by
/// zero.
inline Axis range_of(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low > 1e-9 * size && high - low > 1e-280) return {low, high, 0, 1};
  const double around = size > 1e-270 ? size / 2 : 1.0;
  return {low - around, high + around, 0, 1};
}

/// With room for dots at the ends.
inline Axis padded_range(double low, double high) {
  Axis range = range_of(low, high);
  const double padding = 0.04 * (range.high - range.low);
  range.low -= padding;
  range.high += padding;
  return range;
}

inline std::string with_minus_sign(const std::string& number) {
  return number[0] == '-' ? "−" + number.substr(1) : number;
}

/// A multiple of `step`, with as many digits as tell it from the next.
inline std::string tick_label(double value, double step, double largest) {
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  if (largest < 1e6 && step >= 0.9e-4)
    return with_minus_sign(text(std::setiosflags(std::ios_base::fixed),
                                std::setprecision(std::max(0, -step_exponent)), value));
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  const int digits = std::clamp(exponent - step_exponent, 0, 15);
  const std::string number =
      text(std::setiosflags(std::ios_base::scientific), std::setprecision(digits), value);
  // 1.2e+06 is 1.2e6
  const std::size_t e = number.find('e');
  return with_minus_sign(number.substr(0, e)) + "e" +
         with_minus_sign(std::to_string(std::stoi(number.substr(e + 1))));
}

/// About `wanted` round values inside the axis: multiples of 1, 2 or 5 times a power of ten.
inline std::vector<Tick> ticks_of(const Axis& axis, double wanted) {
  const double raw = (axis.high - axis.low) / wanted;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  const double step = power * (ratio < 1.5 ? 1 : ratio < 3.5 ? 2 : ratio < 7.5 ? 5 : 10);
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  std::vector<Tick> ticks;
  for (double i = std::ceil(axis.low / step); i <= std::floor(axis.high / step); ++i) {
    const double value = i == 0 ? 0.0 : i * step;  // never -0
    ticks.push_back({value, tick_label(value, step, largest)});
  }
  return ticks;
}

/// For an axis of decimal logarithms: powers of ten, with 2 and 5 times them where there are few.
inline std::vector<Tick> log_ticks_of(const Axis& axis) {
  const double every = std::max(1.0, std::ceil((axis.high - axis.low) / 7));
  const std::vector<double> factors =
      axis.high - axis.low > 2.5 ? std::vector<double>{1.0} : std::vector<double>{1.0, 2, 5};
  std::vector<Tick> ticks;
  for (double decade = std::floor(axis.low / every) * every; decade <= axis.high; decade += every)
    for (const double factor : factors) {
      const double position = decade + std::log10(factor), value = std::pow(10, decade) * factor;
      if (position < axis.low || position > axis.high) continue;
      ticks.push_back({position, tick_label(value, std::pow(10, decade), value)});
    }
  return ticks;
}

}  // namespace unfurl::detail
