#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/plot/axis.hpp"
#include "unfurl/plot/markup.hpp"

namespace unfurl::detail {

inline constexpr double font_size = 13;
/// Width of an average character at font_size in the fonts browsers choose; generous.
inline constexpr double character_width = 7.2;

inline void check_picture(const char* where, double width, double height) {
  check_range<double>(where, "width", width, 200, 10000);
  check_range<double>(where, "height", height, 200, 10000);
}

/// The rectangle that data are drawn in, in pixels from the top left of the picture.
struct Frame {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// An SVG picture under construction. Text and lines take the colour of the text around the picture
/// (currentColor), so that one picture reads on light and on dark pages.
class Canvas {
 public:
  Canvas(double width, double height, const std::string& description) {
    head_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " +
            px(height) + "\" width=\"" + px(width) + "\" height=\"" + px(height) +
            "\" role=\"img\" font-family=\"system-ui,sans-serif\" font-size=\"" + px(font_size) +
            "\" fill=\"currentColor\"";
    description_ = ">\n<title>" + escaped(description) + "</title>\n";
  }

  /// An attribute of the whole picture.
  void set(const char* name, const std::string& value) {
    attributes_ += std::string(" ") + name + "=\"" + escaped(value) + "\"";
  }

  /// Says how pixels and numbers belong together, for the hover of a gallery.
  void measure(const Axis& x, const Axis& y) {
    const auto said = [](const Axis& axis) {
      return px(axis.from) + " " + px(axis.to) + " " +
             detail::text(std::setprecision(12), axis.low, " ", axis.high);
    };
    set("data-x", said(x));
    set("data-y", said(y));
  }

  /// \param anchor start, middle or end
  void text(double x, double y, const std::string& content, const char* anchor,
            const std::string& attributes = "") {
    svg_ += "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" text-anchor=\"" + anchor + "\"" +
            attributes + ">" + escaped(content) + "</text>\n";
  }

  void line(double x1, double y1, double x2, double y2, const std::string& attributes) {
    svg_ += "<path d=\"M" + px(x1) + " " + px(y1) + "L" + px(x2) + " " + px(y2) + "\"" +
            attributes + "/>\n";
  }

  void title(const std::string& content, double width) {
    const auto fits = static_cast<std::size_t>(std::max(4.0, width / (1.15 * character_width)));
    text(width / 2, 20, shortened(content, fits), "middle",
         " font-size=\"15\" font-weight=\"600\"");
  }

  /// Names, grid lines and numbers of both axes.
  void axes(const Frame& frame, const Axis& x, const std::vector<Tick>& x_ticks,
            const std::string& x_name, const Axis& y, const std::vector<Tick>& y_ticks,
            const std::string& y_name) {
    const std::string grid = " stroke=\"currentColor\" stroke-opacity=\"0.13\"";
    for (const Tick& tick : x_ticks) {
      line(x.at(tick.value), frame.top, x.at(tick.value), frame.bottom, grid);
      text(x.at(tick.value), frame.bottom + 17, tick.label, "middle", quiet);
    }
    for (const Tick& tick : y_ticks) {
      line(frame.left, y.at(tick.value), frame.right, y.at(tick.value), grid);
      text(frame.left - 7, y.at(tick.value) + 4, tick.label, "end", quiet);
    }
    svg_ += "<path d=\"M" + px(frame.left) + " " + px(frame.top) + "V" + px(frame.bottom) + "H" +
            px(frame.right) + "\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.6\"/>\n";
    text((frame.left + frame.right) / 2, frame.bottom + 35, x_name, "middle");
    const double middle = (frame.top + frame.bottom) / 2;
    text(14, middle, y_name, "middle", " transform=\"rotate(-90 14 " + px(middle) + ")\"");
  }

  void append(const std::string& markup) { svg_ += markup; }

  std::string finish() && { return head_ + attributes_ + description_ + svg_ + "</svg>\n"; }

  /// For numbers and notes beside what matters.
  static constexpr const char* quiet = " font-size=\"12\" fill-opacity=\"0.75\"";

 private:
  std::string head_, attributes_, description_, svg_;
};

/// What the numbers and the name of a vertical axis need beside the frame.
inline double left_margin(const std::vector<Tick>& ticks) {
  std::size_t longest = 2;
  for (const Tick& tick : ticks) longest = std::max(longest, n_characters(tick.label));
  return 28 + character_width * static_cast<double>(longest);
}

/// As many ticks as have room for their labels beside each other.
inline std::vector<Tick> ticks_across(const Axis& axis) {
  const double width = std::abs(axis.to - axis.from);
  for (double n = width / 70;; n *= 0.75) {
    std::vector<Tick> ticks = ticks_of(axis, n);
    if (ticks.size() < 3 || n < 2) return ticks;
    std::size_t longest = 1;
    for (const Tick& tick : ticks) longest = std::max(longest, n_characters(tick.label));
    const double apart = std::abs(axis.at(ticks[1].value) - axis.at(ticks[0].value));
    if (character_width * static_cast<double>(longest) + 6 <= apart) return ticks;
  }
}

}  // namespace unfurl::detail
