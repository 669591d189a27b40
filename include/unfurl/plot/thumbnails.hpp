#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/plot/legend.hpp"
#include "unfurl/plot/markup.hpp"

namespace unfurl::detail {

/// Small grey images as strokes: a run of equally dark pixels is one stroke. The ink has the colour
/// of the point, white is left out, so that they read on light and on dark pages.
class Thumbnails {
 public:
  /// \param images n x (width height), one a row, row by row. \param size of the longer side, in
  ///   pixels of the picture.
  Thumbnails(const Matrix<double>& images, Index width, double size)
      : images_(images), width_(width), height_(images.cols() / width) {
    low_ = images.minCoeff();
    high_ = images.maxCoeff();
    step_ = std::max<Index>(1, (std::max(width_, height_) + most_pixels - 1) / most_pixels);
    pixel_ = size / static_cast<double>(std::max(width_, height_));
  }

  /// Draws as many of the images as there is room for, first come, first served.
  /// \param order the points to draw. \returns the markup; `order` keeps those without an image.
  std::string draw(const Matrix<double>& places, const Legend& legend,
                   std::vector<Index>& order) const {
    std::vector<Index> drawn, left;
    const double x_apart = pixel_ * static_cast<double>(width_) + 2;
    const double y_apart = pixel_ * static_cast<double>(height_) + 2;
    for (const Index i : order) {
      const bool room =
          drawn.size() < most_images && std::all_of(drawn.begin(), drawn.end(), [&](Index j) {
            return std::abs(places(i, 0) - places(j, 0)) >= x_apart ||
                   std::abs(places(i, 1) - places(j, 1)) >= y_apart;
          });
      (room ? drawn : left).push_back(i);
    }
    order = std::move(left);
    std::string markup = "<g fill=\"none\" stroke-width=\"" +
                         px(std::ceil(10 * pixel_ * static_cast<double>(step_)) / 10) + "\">\n";
    for (const Index i : drawn) markup += one(i, places(i, 0), places(i, 1), legend);
    return markup + "</g>\n";
  }

 private:
  static constexpr Index most_pixels = 16;  // a side; larger images are drawn coarser
  static constexpr std::size_t most_images = 500;
  static constexpr int n_levels = 5;

  /// 0 (white) to n_levels: the mean of step x step pixels.
  int level(Index image, Index row, Index column) const {
    double sum = 0, count = 0;
    for (Index y = row; y < std::min(row + step_, height_); ++y)
      for (Index x = column; x < std::min(column + step_, width_); ++x, ++count)
        sum += images_(image, y * width_ + x);
    if (!(high_ > low_)) return 0;
    return static_cast<int>(std::lround(n_levels * (sum / count - low_) / (high_ - low_)));
  }

  std::string one(Index image, double x, double y, const Legend& legend) const {
    const double left = x - pixel_ * static_cast<double>(width_) / 2;
    const double top = y - pixel_ * static_cast<double>(height_) / 2;
    std::array<std::string, n_levels + 1> strokes;
    for (Index row = 0; row < height_; row += step_)
      for (Index column = 0; column < width_;) {
        const int dark = level(image, row, column);
        Index end = column + step_;
        while (end < width_ && level(image, row, end) == dark) end += step_;
        if (dark > 0)
          strokes[static_cast<std::size_t>(dark)] +=
              "M" + px(left + pixel_ * static_cast<double>(column)) + " " +
              px(top + pixel_ * (static_cast<double>(row) + static_cast<double>(step_) / 2)) + "h" +
              px(pixel_ * static_cast<double>(std::min(end, width_) - column));
        column = end;
      }
    std::string markup = "<g stroke=\"" + legend.styles()[legend.style_of(image)].color + "\"" +
                         legend.rows_attributes({image}) + " data-at=\"" + px(x) + " " + px(y) +
                         "\">";
    for (std::size_t dark = 1; dark < strokes.size(); ++dark)
      if (!strokes[dark].empty())
        markup += "<path stroke-opacity=\"" + px(static_cast<double>(dark) / n_levels) + "\" d=\"" +
                  strokes[dark] + "\"/>";
    return markup + "</g>\n";
  }

  const Matrix<double>& images_;
  Index width_, height_, step_ = 1;
  double low_ = 0, high_ = 0, pixel_ = 1;
};

}  // namespace unfurl::detail
