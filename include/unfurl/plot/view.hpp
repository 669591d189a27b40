#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/plot/canvas.hpp"

namespace unfurl::detail {

/// Points in space seen from far away, in a box whose edges are the axes. All three axes have the
/// same scale.
class View {
 public:
  using Point = Eigen::Vector3d;

  /// \param azimuth of the viewer around the third axis, \param elevation above the plane of the
  ///   first two, 0 to 90, both in degrees.
  View(const Matrix<double>& Y, double azimuth, double elevation, const Frame& frame) {
    const double degree = std::acos(-1.0) / 180;
    const double ca = std::cos(azimuth * degree), sa = std::sin(azimuth * degree);
    const double ce = std::cos(elevation * degree), se = std::sin(elevation * degree);
    right_ = {-sa, ca, 0};
    up_ = {-ca * se, -sa * se, ce};
    to_viewer_ = {ca * ce, sa * ce, se};
    for (Index j = 0; j < 3; ++j)
      axes_[at(j)] = padded_range(Y.col(j).minCoeff(), Y.col(j).maxCoeff());

    double left = 0, low = 0;
    for (int i = 0; i < 8; ++i) {  // opposite corners lie opposite of the middle
      const Point corner = corner_of(i) - middle();
      left = std::min(left, right_.dot(corner));
      low = std::min(low, up_.dot(corner));
    }
    scale_ = std::min((frame.width() - 2 * beside) / (-2 * left),
                      (frame.height() - below - 8) / (-2 * low));
    x_ = (frame.left + frame.right) / 2;
    y_ = (frame.top + 8 + frame.bottom - below) / 2;
  }

  /// In pixels.
  std::pair<double, double> place(const Point& point) const {
    const Point from_middle = point - middle();
    return {x_ + scale_ * right_.dot(from_middle), y_ - scale_ * up_.dot(from_middle)};
  }
  /// 0 (the far corner of the box) to 1.
  double nearness(const Point& point) const {
    double reach = 0;
    for (int i = 0; i < 8; ++i)
      reach = std::max(reach, to_viewer_.dot(Point(corner_of(i) - middle())));
    return 0.5 + 0.5 * to_viewer_.dot(Point(point - middle())) / reach;
  }

  /// The edges of the box behind the points, numbers and names.
  void draw_box(Canvas& canvas, const std::array<std::string, 3>& names) const {
    int nearest = 0;
    for (int i = 1; i < 8; ++i)
      if (nearness(corner_of(i)) > nearness(corner_of(nearest))) nearest = i;
    const std::string line = " stroke=\"currentColor\" stroke-opacity=\"0.3\"";
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 3; ++j) {
        const int other = i | (1 << j);
        if (other == i || i == nearest || other == nearest) continue;
        const auto [x1, y1] = place(corner_of(i));
        const auto [x2, y2] = place(corner_of(other));
        canvas.line(x1, y1, x2, y2, line);
      }
    const int front = nearest & 3;  // the lower corner in front
    draw_axis(canvas, front & ~1, front | 1, 0, names[0]);
    draw_axis(canvas, front & ~2, front | 2, 1, names[1]);
    int leftmost = 0;
    for (int i = 1; i < 4; ++i)
      if (place(corner_of(i)).first < place(corner_of(leftmost)).first) leftmost = i;
    draw_axis(canvas, leftmost, leftmost | 4, 2, names[2]);
  }

 private:
  static constexpr double beside = 62, below = 40;  // what numbers and names need

  static std::size_t at(Index j) { return static_cast<std::size_t>(j); }

  Point middle() const {
    Point point;
    for (Index j = 0; j < 3; ++j) point(j) = (axes_[at(j)].low + axes_[at(j)].high) / 2;
    return point;
  }
  /// \param i bit j: at the high end of axis j
  Point corner_of(int i) const {
    Point point;
    for (Index j = 0; j < 3; ++j) point(j) = (i >> j) & 1 ? axes_[at(j)].high : axes_[at(j)].low;
    return point;
  }

  /// Numbers and a name along the edge between two corners, on its outer side.
  void draw_axis(Canvas& canvas, int from, int to, Index j, const std::string& name) const {
    const auto [x1, y1] = place(corner_of(from));
    const auto [x2, y2] = place(corner_of(to));
    const double length = std::hypot(x2 - x1, y2 - y1);
    if (length < 20) return;  // seen from its end
    double across_x = (y2 - y1) / length, across_y = -(x2 - x1) / length;
    if (across_x * ((x1 + x2) / 2 - x_) + across_y * ((y1 + y2) / 2 - y_) < 0)
      across_x = -across_x, across_y = -across_y;
    const char* const anchor = across_x < -0.35 ? "end" : across_x > 0.35 ? "start" : "middle";
    const auto write = [&](double x, double y, double away, const std::string& words,
                           const char* where, const char* look) {
      canvas.text(x + away * across_x, y + away * across_y + 4, words, where, look);
    };
    std::size_t longest = 1;
    for (const Tick& tick : ticks_of(axes_[at(j)], std::max(2.0, length / 50))) {
      longest = std::max(longest, n_characters(tick.label));
      Point point = corner_of(from);
      point(j) = tick.value;
      const auto [x, y] = place(point);
      canvas.line(x, y, x + 4 * across_x, y + 4 * across_y,
                  " stroke=\"currentColor\" stroke-opacity=\"0.6\"");
      write(x, y, 11, tick.label, anchor, Canvas::quiet);
    }
    canvas.line(x1, y1, x2, y2, " stroke=\"currentColor\" stroke-opacity=\"0.6\"");
    double turn = std::atan2(y2 - y1, x2 - x1) * 180 / std::acos(-1.0);
    if (turn >= 90) turn -= 180;
    if (turn < -90) turn += 180;
    const double away = 20 +
                        0.9 * character_width * static_cast<double>(longest) * std::abs(across_x) +
                        12 * std::abs(across_y);
    const double x = (x1 + x2) / 2 + away * across_x, y = (y1 + y2) / 2 + away * across_y;
    canvas.text(x, y, name, "middle",
                " transform=\"rotate(" + px(turn) + " " + px(x) + " " + px(y) + ")\"");
  }

  Point right_, up_, to_viewer_;
  std::array<Axis, 3> axes_ = {};
  double scale_ = 1, x_ = 0, y_ = 0;
};

}  // namespace unfurl::detail
