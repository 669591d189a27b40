#include "picture.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "unfurl/io/number_text.hpp"
#include "unfurl/plot/svg.hpp"

namespace embed {
namespace {

bool is_number(const std::string& text, double& number) {
  return unfurl::detail::parse_number(text, number) == unfurl::detail::NumberText::number;
}

/// Sorts labels as numbers where they are.
struct ByValue {
  bool operator()(const std::string& a, const std::string& b) const {
    double x = 0, y = 0;
    const bool numbers = is_number(a, x) && is_number(b, y);
    return numbers && x != y ? x < y : a < b;
  }
};

}  // namespace

bool are_kinds(const Labels& labels) {
  constexpr std::size_t n_colors = 20;
  double ignored = 0;
  std::set<std::string> different;
  for (const std::string& label : labels.of_rows) {
    if (!is_number(label, ignored)) return true;
    different.insert(label);
  }
  return different.size() <= n_colors;
}

std::string picture(const unfurl::Matrix<double>& Y, const Labels& labels,
                    const std::string& title) {
  unfurl::ScatterOptions options;
  options.title = title;
  options.width = 640;
  options.height = 520;
  if (are_kinds(labels)) {
    std::map<std::string, int, ByValue> kinds;
    for (const std::string& label : labels.of_rows) kinds.emplace(label, 0);
    int next = 0;
    for (auto& [label, number] : kinds) options.label_names[number = next++] = label;
    for (const std::string& label : labels.of_rows) options.labels.push_back(kinds[label]);
  } else {
    options.values_name = labels.name;
    for (const std::string& label : labels.of_rows) is_number(label, options.values.emplace_back());
  }
  return unfurl::scatter_plot(Y.leftCols(Y.cols() <= 3 ? Y.cols() : 2), options);
}

}  // namespace embed
