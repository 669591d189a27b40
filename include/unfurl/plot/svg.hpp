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
#include "unfurl/plot/curve.hpp"
#include "unfurl/plot/legend.hpp"
#include "unfurl/plot/scree.hpp"
#include "unfurl/plot/thumbnails.hpp"
#include "unfurl/plot/view.hpp"

namespace unfurl {

/// Options of scatter_plot. Set fields by name; new ones may be added at any place.
struct ScatterOptions {
  std::string title = "";  ///< above the picture; empty: none
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
  /// At most so many points are drawn, which bounds the size of the file (20000 take 0.6 MB,
  /// coloured by value 0.8 MB). Of more points a random choice is drawn, the same one every time,
  /// and the picture says so.
  Index max_points = 20000;
  /// Grey images, one a row for each point, drawn at their points where there is room (at most
  /// 500), darker where their numbers are larger, in the colour of the point. Empty: none.
  Matrix<double> images = {};
  Index image_width = 0;   ///< in pixels of the image; 0: they are square
  double image_size = 24;  ///< of the longer side, in pixels of the picture
  double azimuth = -60;    ///< of three columns: where the viewer stands, in degrees
  double elevation = 25;   ///< likewise, 0 (level with the first two axes) to 90 (from above)
};

namespace detail {

/// 0 when it is not given and they are not square.
inline Index width_of_images(const ScatterOptions& options) {
  if (options.image_width > 0) return options.image_width;
  const auto side =
      static_cast<Index>(std::lround(std::sqrt(static_cast<double>(options.images.cols()))));
  return side * side == options.images.cols() ? side : 0;
}

inline void check_images(const char* where, Index n, const ScatterOptions& options) {
  const Matrix<double>& images = options.images;
  if (images.size() == 0) return;
  if (images.rows() != n)
    throw DimensionError(text(where, ": there are ", images.rows(), " images for ", n, " points"));
  check_finite<double>(text(where, ": images"), images, Parallel(1));
  check_range<double>(where, "image_size", options.image_size, 4, 1000);
  check_range<Index>(where, "image_width", options.image_width, 0, images.cols());
  const Index width = width_of_images(options);
  if (width == 0 || images.cols() % width != 0)
    throw ParameterError(text(where, ": images of ", images.cols(), " pixels are not ",
                              options.image_width == 0 ? text("square") : text(width, " wide"),
                              "; set image_width"));
}

inline void check_scatter(const Matrix<double>& Y, const ScatterOptions& options) {
  const char* const where = "scatter_plot";
  check_samples<double>(where, Y, Parallel(1), 1);
  if (Y.cols() > 3)
    throw ParameterError(text(where, ": Y must have 1, 2 or 3 columns, got ", Y.cols(),
                              "; choose some of them, for example Y.leftCols(2)"));
  check_picture(where, options.width, options.height);
  check_range<double>(where, "dot_size", options.dot_size, 0, 100);
  check_range<Index>(where, "max_points", options.max_points, 1, 1000000);
  check_range<double>(where, "azimuth", options.azimuth, -360, 360);
  check_range<double>(where, "elevation", options.elevation, 0, 90);
  check_images(where, Y.rows(), options);
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

inline std::string name_or(const std::string& given, const char* otherwise) {
  return given.empty() ? std::string(otherwise) : given;
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
///
/// Each group says which rows its dots are, for the hover of a gallery.
///
/// \param depth in space, where the points come from far to near: later passes are larger and
///   stronger.
inline std::string dots(const Matrix<double>& places, const std::vector<Index>& order,
                        const Legend& legend, double size, bool depth = false) {
  std::string markup = "<g fill=\"none\" stroke-opacity=\"0.8\" stroke-width=\"" + px(size) +
                       "\" stroke-linecap=\"round\">\n";
  constexpr std::size_t n_passes = 8;
  for (std::size_t pass = 0; pass < n_passes; ++pass) {
    const double nearness = static_cast<double>(pass) / (n_passes - 1);
    if (depth)
      markup += "<g stroke-opacity=\"" + px(0.4 + 0.6 * nearness) + "\" stroke-width=\"" +
                px(size * (0.65 + 0.6 * nearness)) + "\">\n";
    std::vector<std::string> of_style(legend.styles().size());
    std::vector<std::vector<Index>> rows(of_style.size());
    for (std::size_t i = order.size() * pass / n_passes; i < order.size() * (pass + 1) / n_passes;
         ++i) {
      const std::size_t style = legend.style_of(order[i]);
      of_style[style] +=
          "<path d=\"M" + px(places(order[i], 0)) + " " + px(places(order[i], 1)) + "h0\"/>";
      rows[style].push_back(order[i]);
    }
    for (std::size_t style = 0; style < of_style.size(); ++style)
      if (!of_style[style].empty())
        markup += "<g" + legend.styles()[style].attributes() + legend.rows_attributes(rows[style]) +
                  ">" + of_style[style] + "</g>\n";
    if (depth) markup += "</g>\n";
  }
  return markup + "</g>\n";
}

/// What lies between the frame and the dots, and the places of the dots in pixels.
inline Matrix<double> draw_plane(Canvas& canvas, Frame& frame, const Matrix<double>& Y,
                                 const ScatterOptions& options) {
  const Index n = Y.rows();
  const bool plane = Y.cols() == 2;
  Matrix<double> places(n, 2);
  if (plane)
    places = Y;
  else
    for (Index i = 0; i < n; ++i) {
      places(i, 0) = static_cast<double>(i);
      places(i, 1) = Y(i, 0);
    }
  const Axis x_range = padded_range(places.col(0).minCoeff(), places.col(0).maxCoeff());
  const Axis y_range = padded_range(places.col(1).minCoeff(), places.col(1).maxCoeff());
  Axis x, y;
  std::vector<Tick> y_ticks;
  for (int pass = 0; pass < 2;
       ++pass) {  // the numbers decide the margin and the margin the numbers
    std::tie(x, y) = fit_axes(x_range, y_range, frame, plane);
    y_ticks = ticks_of(y, frame.height() / 60);
    if (pass == 0) frame.left = left_margin(y_ticks);
  }
  const std::vector<Tick> x_ticks = ticks_across(x);
  canvas.axes(frame, x, x_ticks, name_or(options.x_name, plane ? "component 1" : "sample"), y,
              y_ticks, name_or(options.y_name, plane ? "component 2" : "component 1"));
  canvas.measure(x, y);
  for (Index i = 0; i < n; ++i) places.row(i) << x.at(places(i, 0)), y.at(places(i, 1));
  return places;
}

/// The same of points in space. \param order is sorted from far to near.
inline Matrix<double> draw_space(Canvas& canvas, Frame& frame, const Matrix<double>& Y,
                                 const ScatterOptions& options, std::vector<Index>& order) {
  frame.left = 14;
  frame.bottom += 36;  // there is no axis below the frame
  const View view(Y, options.azimuth, options.elevation, frame);
  view.draw_box(canvas, {name_or(options.x_name, "component 1"),
                         name_or(options.y_name, "component 2"), "component 3"});
  Matrix<double> places(Y.rows(), 2);
  std::vector<double> nearness(static_cast<std::size_t>(Y.rows()));
  for (Index i = 0; i < Y.rows(); ++i) {
    const View::Point point = Y.row(i);
    const auto [x, y] = view.place(point);
    places.row(i) << x, y;
    nearness[static_cast<std::size_t>(i)] = view.nearness(point);
  }
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    const double a = nearness[static_cast<std::size_t>(i)],
                 b = nearness[static_cast<std::size_t>(j)];
    return a != b ? a < b : i < j;
  });
  return places;
}

inline std::string draw_scatter(const Matrix<double>& Y, const ScatterOptions& options) {
  check_scatter(Y, options);
  const Index n = Y.rows(), n_drawn = std::min(n, options.max_points);
  const bool space = Y.cols() == 3, with_images = options.images.size() > 0;
  const Legend legend = legend_of(options);
  Frame frame;
  frame.left = 60;
  frame.top = options.title.empty() ? 14 : 36;
  frame.right = options.width - 14 - legend.width();
  frame.bottom = options.height - (n_drawn < n ? 60 : 46);

  const std::string what = options.title.empty() ? "scatter plot" : options.title;
  Canvas canvas(options.width, options.height, text(what, ", ", n, " points"));
  if (!options.title.empty()) canvas.title(options.title, options.width);
  if (!options.values.empty() && !options.values_name.empty())
    canvas.set("data-values", options.values_name);
  std::vector<Index> order = Random(0).sample(n, n_drawn);
  const Matrix<double> places =
      space ? draw_space(canvas, frame, Y, options, order) : draw_plane(canvas, frame, Y, options);
  std::string images;
  if (with_images)
    images = Thumbnails(options.images, width_of_images(options), options.image_size)
                 .draw(places, legend, order);
  const double automatic =
      with_images ? 2.0
                  : std::clamp(8.5 - 1.6 * std::log10(static_cast<double>(n_drawn)), 2.0, 6.0);
  canvas.append(
      dots(places, order, legend, options.dot_size > 0 ? options.dot_size : automatic, space));
  canvas.append(images);
  legend.draw(canvas, frame);
  if (n_drawn < n)
    canvas.text(options.width / 2, options.height - 8,
                text(n_drawn, " of ", n, " points drawn, chosen at random"), "middle",
                Canvas::quiet);
  return std::move(canvas).finish();
}

}  // namespace detail

/// The SVG text of a picture of an embedding: one dot for each row of Y (n x 2, axes of equal
/// scale; n x 3, seen from one side, near dots larger and stronger; n x 1, the value over the
/// number of the row), coloured by label or value. The text is a whole SVG file and may as well be
/// put into an HTML page: \code
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
