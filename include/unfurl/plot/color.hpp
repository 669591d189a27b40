#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace unfurl {

/// Ten colours that stay apart for people with red- or green-blindness and stand out on white and
/// on near-black: those of Okabe and Ito (2008) without black, the yellow darkened, and wine,
/// violet and light grey. As a red- or green-blind person sees them (Machado et al. 2009), the
/// closest two are no less than nine tenths as far apart as the closest two of Okabe and Ito's.
inline const std::array<const char*, 10>& categorical_colors() {
  static const std::array<const char*, 10> colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#e3d11b", "#8e3b46",
                                                     "#5b45d6", "#b8b8b8"};
  return colors;
}

/// From dark violet over blue and green to yellow, for `fraction` from 0 to 1. The lightness of
/// OKLab rises linearly (0.36 to 0.88), so equal steps look equal and the order survives in grey.
inline std::string sequential_color(double fraction) {
  static constexpr std::array<std::array<int, 3>, 9> anchors = {{{0x4b, 0x1e, 0x7f},
                                                                 {0x44, 0x3d, 0x9e},
                                                                 {0x2d, 0x5b, 0xb5},
                                                                 {0x1a, 0x7d, 0xa5},
                                                                 {0x1f, 0x98, 0x9e},
                                                                 {0x24, 0xb2, 0x95},
                                                                 {0x5c, 0xc8, 0x79},
                                                                 {0xac, 0xd3, 0x5d},
                                                                 {0xef, 0xd9, 0x53}}};
  const double position = std::clamp(fraction, 0.0, 1.0) * (anchors.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(position), anchors.size() - 2);
  const double part = position - static_cast<double>(i);
  std::string color = "#";
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const double value = (1 - part) * anchors[i][channel] + part * anchors[i + 1][channel];
    const auto level = static_cast<std::size_t>(std::lround(value));
    color += "0123456789abcdef"[level / 16];
    color += "0123456789abcdef"[level % 16];
  }
  return color;
}

}  // namespace unfurl
