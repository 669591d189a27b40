#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/plot/canvas.hpp"
#include "unfurl/plot/color.hpp"
#include "unfurl/plot/legend.hpp"
#include "unfurl/plot/scree.hpp"

namespace unfurl {

/// Options of scatter_plot. Set fields by name; new ones may be added at any place.
struct ScatterOptions {
  std::string title = "";
  /// A category for each point: the points of a label share a colour, named in the legend. Not
  /// together with `values`.
  std::vector<int> labels = {};
  /// What the legend calls a label; a label that is not in here is called by its number.
  std::map<int, std::string> label_names = {};
  /// A number for each point, shown by a colour from dark violet (least) to yellow (greatest).
  std::vector<double> values = {};
  std::string values_name = "";  ///< above the colour bar
  std::string x_name = "";       ///< of the horizontal axis; empty: "component 1" or "sample"
  std::string y_name = "";       ///< of the vertical axis; empty: "component 2" or "component 1"
  double width = 420;            ///< of the picture, in pixels, 200 to 10000
  double height = 350;           ///< likewise
  double dot_size = 0;           ///< diameter in pixels; 0: smaller the more points there are
  /// At most so many points are drawn, which bounds the size of the file (20000 take 0.5 MB). Of
  /// more points a random choice is drawn, the same one every time, and the picture says so.
  Index max_points = 20000;
};

namespace detail {

inline void check_scatter(const Matrix<double>& Y, const ScatterOptions& options) {
  const char* const where = "scatter_plot";
  check_samples<double>(where, Y, Parallel(1), 1);
  if (Y.cols() > 2)
    throw ParameterError(text(where, ": Y must have 1 or 2 columns, got ", Y.cols(),
                              "; choose two of them, for example Y.leftCols(2)"));
  check_picture(where, options.width, options.height);
  check_range<double>(where, "dot_size", options.dot_size, 0, 100);
  check_range<Index>(where, "max_points", options.max_points, 1, 1000000);
  const std::size_t n = static_cast<std::size_t>(Y.rows());
  if (!options.labels.empty() && !options.values.empty())
    throw ParameterError(text(where, ": colour by labels or by values, not by both"));
  if (!options.labels.empty() && options.labels.size() != n)
    throw DimensionError(
        text(where, ": there are ", options.labels.size(), " labels for ", n, " points"));
  if (!options.values.empty() && options.values.size() != n)
    throw DimensionError(
        text(where, ": there are ", options.values.size(), " values for ", n, " points"));
  if (n > 0 && !options.values.empty())
    check_samples<double>(text(where, ": values"),
                          Eigen::Map<const Matrix<double>>(options.values.data(), Y.rows(), 1),
                          Parallel(1), 1);
}

/// The colours of the points and their explanation.
inline Legend legend_of(const ScatterOptions& options) {
  if (!options.labels.empty()) return Legend::of_labels(options.labels, options.label_names);
  if (!options.values.empty()) return Legend::of_values(options.values, options.values_name);
  return Legend();
}

/// Both axes over the frame. Equal scale: a step has the same length to the right and upwards, so
/// that distances in the picture are those of the embedding.
inline std::pair<Axis, Axis> fit_axes(Axis x, Axis y, const Frame& frame, bool equal_scale) {
  x.from = frame.left, x.to = frame.right;
  y.from = frame.bottom, y.to = frame.top;
  if (equal_scale) {
    const double unit =
        std::max((x.high - x.low) / frame.width(), (y.high - y.low) / frame.height());
    const double x_more = (unit * frame.width() - (x.high - x.low)) / 2;
    const double y_more = (unit * frame.height() - (y.high - y.low)) / 2;
    x.low -= x_more, x.high += x_more;
    y.low -= y_more, y.high += y_more;
  }
  return {x, y};
}

/// The points `order` as dots: zero-length strokes with round or square caps, the shortest markup
/// that SVG has for them. They are drawn in a few passes over all colours, so that no colour lies
/// on top of the others everywhere.
inline std::string dots(const Matrix<double>& places, const std::vector<Index>& order,
                        const Legend& legend, double size) {
  std::string markup = "<g fill=\"none\" stroke-opacity=\"0.8\" stroke-width=\"" + px(size) +
                       "\" stroke-linecap=\"round\">\n";
  constexpr std::size_t n_passes = 8;
  for (std::size_t pass = 0; pass < n_passes; ++pass) {
    std::vector<std::string> of_style(legend.styles().size());
    for (std::size_t i = order.size() * pass / n_passes; i < order.size() * (pass + 1) / n_passes;
         ++i)
      of_style[legend.style_of(order[i])] +=
          "<path d=\"M" + px(places(order[i], 0)) + " " + px(places(order[i], 1)) + "h0\"/>";
    for (std::size_t style = 0; style < of_style.size(); ++style)
      if (!of_style[style].empty())
        markup += "<g" + legend.styles()[style].attributes() + ">" + of_style[style] + "</g>\n";
  }
  return markup + "</g>\n";
}

inline std::string draw_scatter(const Matrix<double>& Y, const ScatterOptions& options) {
  check_scatter(Y, options);
  const Index n = Y.rows(), n_drawn = std::min(n, options.max_points);
  const bool plane = Y.cols() == 2;
  const Legend legend = legend_of(options);

  Matrix<double> places(n, 2);
  if (plane)
    places = Y;
  else
    places << Vector<double>::LinSpaced(n, 0, static_cast<double>(n - 1)), Y;
  const Axis x_range = padded_range(places.col(0).minCoeff(), places.col(0).maxCoeff());
  const Axis y_range = padded_range(places.col(1).minCoeff(), places.col(1).maxCoeff());

  Frame frame;
  frame.left = 60;
  frame.top = options.title.empty() ? 14 : 36;
  frame.right = options.width - 14 - legend.width();
  frame.bottom = options.height - (n_drawn < n ? 60 : 46);
  Axis x, y;
  std::vector<Tick> y_ticks;
  for (int pass = 0; pass < 2;
       ++pass) {  // the numbers decide the margin and the margin the numbers
    std::tie(x, y) = fit_axes(x_range, y_range, frame, plane);
    y_ticks = ticks_of(y, frame.height() / 60);
    if (pass == 0) frame.left = left_margin(y_ticks);
  }
  const std::vector<Tick> x_ticks = ticks_of(x, frame.width() / 70);

  const std::string what = options.title.empty() ? "scatter plot" : options.title;
  Canvas canvas(options.width, options.height, text(what, ", ", n, " points"));
  if (!options.title.empty()) canvas.title(options.title, options.width);
  const auto name = [](const std::string& given, const char* otherwise) {
    return given.empty() ? std::string(otherwise) : given;
  };
  canvas.axes(frame, x, x_ticks, name(options.x_name, plane ? "component 1" : "sample"), y, y_ticks,
              name(options.y_name, plane ? "component 2" : "component 1"));

  for (Index i = 0; i < n; ++i) places.row(i) << x.at(places(i, 0)), y.at(places(i, 1));
  const double automatic =
      std::clamp(8.5 - 1.6 * std::log10(static_cast<double>(n_drawn)), 2.0, 6.0);
  canvas.append(dots(places, Random(0).sample(n, n_drawn), legend,
                     options.dot_size > 0 ? options.dot_size : automatic));
  legend.draw(canvas, frame);
  if (n_drawn < n)
    canvas.text(options.width / 2, options.height - 8,
                text(n_drawn, " of ", n, " points drawn, chosen at random"), "middle",
                Canvas::quiet);
  return std::move(canvas).finish();
}

}  // namespace detail

/// The SVG text of a picture of an embedding: one dot for each row of Y (n x 2, axes of equal
/// scale; n x 1, the value over the number of the row), coloured by label or value. The text is a
/// whole SVG file and may as well be put into an HTML page:
/// \code
///   unfurl::ScatterOptions options;
///   options.title = "Digits by PCA";
///   options.labels = labels;
///   std::ofstream("digits.svg") << unfurl::scatter_plot(Y, options);
/// \endcode
/// \throws DataError on NaN, infinity and no points; DimensionError when labels or values are not
///   one a point; ParameterError.
template <class Derived>
std::string scatter_plot(const Eigen::MatrixBase<Derived>& Y, const ScatterOptions& options = {}) {
  return detail::draw_scatter(Y.template cast<double>(), options);
}

}  // namespace unfurl
