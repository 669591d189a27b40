#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/check.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/plot/canvas.hpp"
#include "unfurl/plot/color.hpp"

namespace unfurl {

/// Options of scree_plot. Set fields by name; new ones may be added at any place.
struct ScreeOptions {
  std::string title = "";  ///< above the picture; empty: none
  /// What noise alone would show (SpectrumTest::noise_eigenvalues), drawn as a dashed curve; empty:
  /// none.
  Vector<double> noise_eigenvalues = {};
  /// Where noise ends (SpectrumTest::upper_edge), drawn as a line; eigenvalues above it are filled
  /// dots and counted.
  std::optional<double> upper_edge = std::nullopt;
  std::string edge_name = "Marchenko–Pastur edge";  ///< what the line is called in the picture
  bool log_scale = true;  ///< logarithmic vertical axis; eigenvalues that are 0 are left out
  Index max_shown = 100;  ///< the first so many; the picture says when there are more
  double width = 420;     ///< of the picture, in pixels, 200 to 10000
  double height = 350;    ///< likewise
};

namespace detail {

/// Number and height of what can be drawn: on a logarithmic axis nothing that rounding made of 0.
inline std::vector<std::pair<double, double>> series(const Vector<double>& values, Index n_shown,
                                                     bool log_scale, double zero) {
  std::vector<std::pair<double, double>> drawn;
  for (Index i = 0; i < std::min(values.size(), n_shown); ++i)
    if (!log_scale || values(i) > zero)
      drawn.emplace_back(static_cast<double>(i + 1), log_scale ? std::log10(values(i)) : values(i));
  return drawn;
}

inline void check_scree(const Vector<double>& eigenvalues, const ScreeOptions& options) {
  const char* const where = "scree_plot";
  check_samples<double>(where, eigenvalues, Parallel(1), 1);
  check_finite<double>(text(where, ": noise_eigenvalues"), options.noise_eigenvalues, Parallel(1));
  if (options.upper_edge && !(*options.upper_edge >= 0 && std::isfinite(*options.upper_edge)))
    throw ParameterError(
        text(where, ": upper_edge must be finite and at least 0, got ", *options.upper_edge));
  check_picture(where, options.width, options.height);
  check_range<Index>(where, "max_shown", options.max_shown, 1, 10000);
  if (options.log_scale && !(eigenvalues.maxCoeff() > 0))
    throw DataError(text(where, ": no eigenvalue is positive; set log_scale to false"));
}

inline std::string scree_dot(double x, double y, double size, bool filled) {
  const std::string color = categorical_colors()[0];
  return "<circle cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"" + px(size / 2) + "\" stroke=\"" +
         color + "\" fill=\"" + (filled ? color : "none") + "\"/>\n";
}

inline std::string edge_line() {
  return text(" fill=\"none\" stroke-width=\"1.8\" stroke=\"", categorical_colors()[1], "\"");
}

inline std::string noise_curve() { return edge_line() + " stroke-dasharray=\"5 4\""; }

/// The explanation in the top right corner, which a falling series leaves free.
inline void explain_scree(Canvas& canvas, const Frame& frame, bool noise, bool edge,
                          const Vector<double>& eigenvalues, const ScreeOptions& options) {
  std::vector<std::pair<std::string, std::string>> entries;  // what is said, how its line looks
  if (edge) {
    const Index n_above = (eigenvalues.array() > *options.upper_edge).count();
    entries.emplace_back(text(n_above, " of ", eigenvalues.size(), " above the edge"), "");
    entries.emplace_back(text(options.edge_name, ", ", std::setprecision(3), *options.upper_edge),
                         edge_line());
  }
  if (noise) entries.emplace_back("what noise alone would show", noise_curve());
  std::size_t longest = 0;
  for (const auto& entry : entries) longest = std::max(longest, n_characters(entry.first));
  const double left =
      std::max(frame.left + 40, frame.right - character_width * static_cast<double>(longest));
  double y = frame.top + 12;
  for (const auto& [words, line] : entries) {
    if (line.empty())
      canvas.append(scree_dot(left - 18, y, 8, true));
    else
      canvas.line(left - 30, y, left - 7, y, line);
    canvas.text(left, y + 4.5, words, "start");
    y += 19;
  }
}

inline std::string draw_scree(const Vector<double>& eigenvalues, const ScreeOptions& options) {
  check_scree(eigenvalues, options);
  const bool log_scale = options.log_scale;
  const Index n = eigenvalues.size(), n_shown = std::min(n, options.max_shown);
  const double zero = 1e-9 * eigenvalues.maxCoeff();
  const auto sample = series(eigenvalues, n_shown, log_scale, zero);
  const auto noise = series(options.noise_eigenvalues, n_shown, log_scale, zero);
  std::optional<double> edge = options.upper_edge;
  if (edge && log_scale)
    edge = *edge > zero ? std::optional<double>(std::log10(*edge)) : std::nullopt;

  double low = sample.front().second, high = low;
  const auto include = [&](double height) {
    low = std::min(low, height);
    high = std::max(high, height);
  };
  for (const auto& point : sample) include(point.second);
  for (const auto& point : noise) include(point.second);
  if (edge) include(*edge);
  if (!log_scale) include(0);

  Frame frame;
  frame.top = options.title.empty() ? 14 : 36;
  frame.right = options.width - 14;
  frame.bottom = options.height - 46;
  Axis y = padded_range(low, high);
  if (log_scale) y.high += 0.1 * (y.high - y.low);  // room for what is written at the top
  y.from = frame.bottom, y.to = frame.top;
  const std::vector<Tick> y_ticks = log_scale ? log_ticks_of(y) : ticks_of(y, frame.height() / 60);
  frame.left = left_margin(y_ticks);
  const Axis x{0, static_cast<double>(n_shown) + 1, frame.left, frame.right};
  std::vector<Tick> x_ticks =
      ticks_of(x, std::min(frame.width() / 70, static_cast<double>(n_shown)));
  x_ticks.erase(x_ticks.begin());  // there is no eigenvalue number 0

  const std::string what = options.title.empty() ? "scree plot" : options.title;
  Canvas canvas(options.width, options.height, text(what, ", ", n, " eigenvalues"));
  if (!options.title.empty()) canvas.title(options.title, options.width);
  canvas.axes(frame, x, x_ticks,
              n_shown < n ? text("first ", n_shown, " of ", n, " components") : "component", y,
              y_ticks, log_scale ? "variance (log scale)" : "variance");

  if (noise.size() > 1) {
    std::string curve = "<path d=\"";
    for (std::size_t i = 0; i < noise.size(); ++i)
      curve += (i == 0 ? "M" : "L") + px(x.at(noise[i].first)) + " " + px(y.at(noise[i].second));
    canvas.append(curve + "\"" + noise_curve() + "/>\n");
  }
  if (edge) canvas.line(frame.left, y.at(*edge), frame.right, y.at(*edge), edge_line());
  const double size = std::clamp(0.7 * frame.width() / static_cast<double>(n_shown), 4.0, 8.0);
  for (const auto& [number, height] : sample) {
    const bool above = !edge || height > *edge;
    canvas.append(scree_dot(x.at(number), y.at(height), size, above));
  }

  explain_scree(canvas, frame, noise.size() > 1, edge.has_value(), eigenvalues, options);
  return std::move(canvas).finish();
}

}  // namespace detail

/// The SVG text of a scree plot: the eigenvalues of a covariance (descending), and where noise ends
/// if that is given.
/// \code
///   const unfurl::SpectrumTest test = pca.spectrum_test();
///   unfurl::ScreeOptions options;
///   options.noise_eigenvalues = test.noise_eigenvalues;
///   options.upper_edge = test.upper_edge;
///   std::ofstream("scree.svg") << unfurl::scree_plot(test.eigenvalues, options);
/// \endcode
/// \throws DataError on NaN, infinity, no eigenvalues and, on a logarithmic axis, none above 0;
///   ParameterError.
template <class Derived>
std::string scree_plot(const Eigen::MatrixBase<Derived>& eigenvalues,
                       const ScreeOptions& options = {}) {
  return detail::draw_scree(eigenvalues.template cast<double>(), options);
}

}  // namespace unfurl
