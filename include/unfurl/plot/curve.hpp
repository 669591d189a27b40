#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/plot/canvas.hpp"
#include "unfurl/plot/color.hpp"

namespace unfurl {

/// One line of a curve_plot.
struct Curve {
  std::string name = "";            ///< in the legend
  std::vector<double> values = {};  ///< one for each x
};

/// Options of curve_plot. Set fields by name; new ones may be added at any place.
struct CurveOptions {
  std::string title = "";   ///< above the picture; empty: none
  std::string x_name = "";  ///< of the horizontal axis
  std::string y_name = "";  ///< of the vertical axis
  /// A value of x to point out, by a vertical line.
  std::optional<double> mark = std::nullopt;
  std::string mark_name = "suggested";  ///< what the legend calls it
  double width = 420;                   ///< of the picture, in pixels, 200 to 10000
  double height = 350;                  ///< likewise
};

namespace detail {

inline void check_curves(const std::vector<double>& x, const std::vector<Curve>& curves,
                         const CurveOptions& options) {
  const char* const where = "curve_plot";
  const auto check_numbers = [&](const std::string& what, const std::vector<double>& numbers) {
    check_samples<double>(
        text(where, ": ", what),
        Eigen::Map<const Matrix<double>>(numbers.data(), static_cast<Index>(numbers.size()), 1),
        Parallel(1), 1);
  };
  check_picture(where, options.width, options.height);
  check_numbers("x", x);
  if (curves.empty()) throw ParameterError(text(where, ": there is no curve"));
  if (curves.size() > categorical_colors().size())
    throw ParameterError(text(where, ": there are ", curves.size(), " curves and ",
                              categorical_colors().size(), " colours"));
  for (const Curve& curve : curves) {
    if (curve.values.size() != x.size())
      throw DimensionError(text(where, ": curve '", curve.name, "' has ", curve.values.size(),
                                " values for ", x.size(), " x"));
    check_numbers(text("curve '", curve.name, "'"), curve.values);
  }
  if (options.mark && !std::isfinite(*options.mark))
    throw ParameterError(text(where, ": mark must be finite, got ", *options.mark));
}

/// What each line is, below the plot: names in a row, as far as there is room.
struct CurveLegend {
  struct Entry {
    std::string name, line;
  };
  std::vector<Entry> entries = {};

  static constexpr double row_height = 19;

  double width_of(const Entry& entry) const {
    return 48 + character_width * static_cast<double>(n_characters(entry.name));
  }

  /// Draws, or only counts the rows when there is no canvas.
  double draw(Canvas* canvas, double left, double right, double y) const {
    double x = left;
    double n_rows = entries.empty() ? 0 : 1;
    for (const Entry& entry : entries) {
      if (x > left && x + width_of(entry) > right) {
        x = left;
        y += row_height;
        ++n_rows;
      }
      if (canvas) {
        canvas->line(x, y, x + 22, y, entry.line);
        canvas->text(x + 29, y + 4.5, entry.name, "start");
      }
      x += width_of(entry);
    }
    return n_rows;
  }
};

inline std::string draw_curves(const std::vector<double>& x, const std::vector<Curve>& curves,
                               const CurveOptions& options) {
  check_curves(x, curves, options);
  std::vector<std::size_t> order(x.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return x[i] < x[j]; });

  Axis across = range_of(x[order.front()], x[order.back()]), up{0, 0, 0, 1};
  if (options.mark) {
    across.low = std::min(across.low, *options.mark);
    across.high = std::max(across.high, *options.mark);
  }
  for (const Curve& curve : curves)
    for (const double value : curve.values) {
      up.low = std::min(up.low, value);
      up.high = std::max(up.high, value);
    }
  across = padded_range(across.low, across.high);
  up = padded_range(up.low, up.high);

  CurveLegend legend;
  for (std::size_t i = 0; i < curves.size(); ++i)
    if (!curves[i].name.empty())
      legend.entries.push_back(
          {shortened(curves[i].name, 40),
           text(" fill=\"none\" stroke-width=\"2\" stroke=\"", categorical_colors()[i], "\"")});
  const std::string mark_line =
      " fill=\"none\" stroke-width=\"1.5\" stroke=\"currentColor\" stroke-dasharray=\"5 4\"";
  if (options.mark) legend.entries.push_back({shortened(options.mark_name, 40), mark_line});

  Frame frame;
  frame.top = options.title.empty() ? 14 : 36;
  frame.right = options.width - 14;
  const double n_rows = legend.draw(nullptr, 20, frame.right, 0);
  frame.bottom = options.height - 46 - CurveLegend::row_height * n_rows;
  up.from = frame.bottom, up.to = frame.top;
  const std::vector<Tick> y_ticks = ticks_of(up, std::max(2.0, frame.height() / 60));
  frame.left = left_margin(y_ticks);
  across.from = frame.left, across.to = frame.right;

  const std::string what = options.title.empty() ? "curves" : options.title;
  Canvas canvas(options.width, options.height, text(what, ", ", x.size(), " values"));
  if (!options.title.empty()) canvas.title(options.title, options.width);
  canvas.axes(frame, across, ticks_of(across, frame.width() / 70), options.x_name, up, y_ticks,
              options.y_name);
  if (options.mark)
    canvas.line(across.at(*options.mark), frame.top, across.at(*options.mark), frame.bottom,
                mark_line);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::string line = "<path d=\"",
                dots = "<g stroke-width=\"7\" stroke-linecap=\"round\" stroke=\"";
    dots += text(categorical_colors()[i], "\">");
    for (const std::size_t at : order) {
      const std::string place = px(across.at(x[at])) + " " + px(up.at(curves[i].values[at]));
      line += (at == order.front() ? "M" : "L") + place;
      dots += "<path d=\"M" + place + "h0\"/>";
    }
    canvas.append(line + "\" fill=\"none\" stroke-width=\"2\" stroke=\"" + categorical_colors()[i] +
                  "\"/>\n" + dots + "</g>\n");
  }
  legend.draw(&canvas, 20, frame.right, frame.bottom + 54);
  return std::move(canvas).finish();
}

}  // namespace detail

/// The SVG text of curves over x, from 0 up: the residual variance over the number of coordinates,
/// or what a sweep over neighbourhoods has found.
/// \code
///   const unfurl::IsomapSweep sweep = unfurl::sweep_neighbors(X, {5, 7, 10, 15, 25});
///   std::vector<double> k;
///   unfurl::Curve residual{"residual variance"}, outside{"fraction outside"};
///   for (const unfurl::IsomapSweepPoint& point : sweep.points) {
///     k.push_back(point.value);
///     residual.values.push_back(point.residual_variance);
///     outside.values.push_back(point.fraction_outside);
///   }
///   unfurl::CurveOptions options;
///   options.mark = sweep.suggestion;
///   std::ofstream("sweep.svg") << unfurl::curve_plot(k, {residual, outside}, options);
/// \endcode
/// \throws DataError on NaN, infinity and no x; DimensionError when a curve has not one value for
///   each x; ParameterError.
inline std::string curve_plot(const std::vector<double>& x, const std::vector<Curve>& curves,
                              const CurveOptions& options = {}) {
  return detail::draw_curves(x, curves, options);
}

}  // namespace unfurl
