#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/plot/canvas.hpp"
#include "unfurl/plot/color.hpp"

namespace unfurl::detail {

/// How the dots of one group look.
struct DotStyle {
  std::string color;
  bool square = false;
  bool faint = false;

  std::string attributes() const {
    return " stroke=\"" + color + "\"" + (square ? " stroke-linecap=\"square\"" : "") +
           (faint ? " stroke-opacity=\"0.2\"" : "");
  }
};

/// Which style each point has, and the explanation beside the picture.
class Legend {
 public:
  /// One style for all points and nothing to explain.
  Legend() : styles_{{categorical_colors()[0]}} {}

  /// Labels in ascending order have the ten colours as round dots, then as square ones. Where there
  /// are more than twenty, the most frequent nineteen have them and the others share one.
  static Legend of_labels(const std::vector<int>& labels, const std::map<int, std::string>& names) {
    std::map<int, std::size_t> counts;
    for (const int label : labels) ++counts[label];
    std::vector<std::pair<std::size_t, int>> by_count;
    for (const auto& [label, count] : counts) by_count.emplace_back(count, label);
    std::stable_sort(by_count.begin(), by_count.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    constexpr std::size_t most = 20;
    const std::size_t n_others = by_count.size() > most ? by_count.size() - (most - 1) : 0;
    by_count.resize(by_count.size() - n_others);

    Legend legend;
    legend.styles_.clear();
    std::map<int, std::size_t> style_of_label;
    for (const auto& entry : by_count) style_of_label[entry.second] = 0;
    for (auto& [label, style] : style_of_label) {
      style = legend.styles_.size();
      const std::size_t n_colors = categorical_colors().size();
      legend.styles_.push_back({categorical_colors()[style % n_colors], style >= n_colors});
      const auto name = names.find(label);
      legend.names_.push_back(
          shortened(name == names.end() ? std::to_string(label) : name->second, 18));
    }
    if (n_others > 0) {
      legend.styles_.push_back({"currentColor", false, true});
      legend.names_.push_back(text(n_others, " others"));
    }
    for (const int label : labels) {
      const auto found = style_of_label.find(label);
      legend.style_of_.push_back(found == style_of_label.end() ? most - 1 : found->second);
    }
    return legend;
  }

  /// A colour bar.
  static Legend of_values(const std::vector<double>& values, const std::string& name) {
    Legend legend;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    legend.bar_ = range_of(*low, *high);
    legend.bar_ticks_ = ticks_of(legend.bar_, 5);
    legend.bar_name_ = shortened(name, 18);
    legend.styles_.clear();
    for (std::size_t level = 0; level < n_levels; ++level)
      legend.styles_.push_back(
          {sequential_color(static_cast<double>(level) / static_cast<double>(n_levels - 1))});
    legend.values_ = values;
    for (const double value : values) {
      const double level = legend.bar_.at(value) * static_cast<double>(n_levels);
      legend.style_of_.push_back(std::min(n_levels - 1, static_cast<std::size_t>(level)));
    }
    return legend;
  }

  const std::vector<DotStyle>& styles() const { return styles_; }
  std::size_t style_of(Index point) const {
    return style_of_.empty() ? 0 : style_of_[static_cast<std::size_t>(point)];
  }

  /// What the hover of a gallery says of the dots of a group: their rows and their label or values.
  std::string rows_attributes(const std::vector<Index>& rows) const {
    std::string numbers, values;
    for (const Index row : rows) {
      numbers += (numbers.empty() ? "" : " ") + std::to_string(row);
      if (!values_.empty())
        values += (values.empty() ? "" : " ") + text(values_[static_cast<std::size_t>(row)]);
    }
    std::string attributes = " data-rows=\"" + numbers + "\"";
    if (!values.empty()) attributes += " data-values=\"" + values + "\"";
    if (!names_.empty() && !rows.empty())
      attributes += " data-label=\"" + escaped(names_[style_of(rows.front())]) + "\"";
    return attributes;
  }

  /// What it needs to the right of the frame.
  double width() const {
    std::size_t longest = 0;
    for (const std::string& name : names_) longest = std::max(longest, n_characters(name));
    for (const Tick& tick : bar_ticks_) longest = std::max(longest, n_characters(tick.label) + 1);
    const double beside_marks =
        longest == 0 ? 0 : 30 + character_width * static_cast<double>(longest);
    return std::max(beside_marks, character_width * static_cast<double>(n_characters(bar_name_)));
  }

  void draw(Canvas& canvas, const Frame& frame) const {
    if (!names_.empty()) draw_names(canvas, frame);
    if (!bar_ticks_.empty()) draw_bar(canvas, frame);
  }

 private:
  static constexpr std::size_t n_levels = 64;

  void draw_names(Canvas& canvas, const Frame& frame) const {
    const double spacing = std::min(19.0, frame.height() / static_cast<double>(names_.size()));
    double y = frame.top + spacing / 2;
    canvas.append("<g stroke-width=\"9\" stroke-linecap=\"round\">\n");
    for (std::size_t i = 0; i < names_.size(); ++i, y += spacing) {
      canvas.append("<path d=\"M" + px(frame.right + 20) + " " + px(y) + "h0\"" +
                    styles_[i].attributes() + "/>\n");
      canvas.text(frame.right + 31, y + 4.5, names_[i], "start");
    }
    canvas.append("</g>\n");
  }

  void draw_bar(Canvas& canvas, const Frame& frame) const {
    const double left = frame.right + 14, thickness = 14;
    if (!bar_name_.empty()) canvas.text(left, frame.top + 10, bar_name_, "start");
    Axis bar = bar_;
    bar.to = frame.top + (bar_name_.empty() ? 4 : 22);
    bar.from = std::min(frame.bottom, bar.to + 220);
    const double step = (bar.from - bar.to) / static_cast<double>(n_levels);
    for (std::size_t level = 0; level < n_levels; ++level) {
      // Each reaches under the next, which leaves no seams.
      const double height = level + 1 < n_levels ? 2 * step : step;
      const double top = bar.from - step * static_cast<double>(level) - height;
      canvas.append("<rect x=\"" + px(left) + "\" y=\"" + px(top) + "\" width=\"" + px(thickness) +
                    "\" height=\"" + px(height) + "\" fill=\"" + styles_[level].color + "\"/>\n");
    }
    for (const Tick& tick : bar_ticks_)
      canvas.text(left + thickness + 6, bar.at(tick.value) + 4, tick.label, "start", Canvas::quiet);
  }

  std::vector<DotStyle> styles_;
  std::vector<std::size_t> style_of_ = {};
  std::vector<std::string> names_ = {};  // of the labels, one a style
  std::vector<double> values_ = {};      // of the points
  std::string bar_name_ = "";
  Axis bar_ = {};
  std::vector<Tick> bar_ticks_ = {};
};

}  // namespace unfurl::detail
