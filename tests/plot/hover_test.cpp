#include "unfurl/plot/hover.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "plot/xml.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/plot/html.hpp"
#include "unfurl/plot/svg.hpp"

using namespace unfurl;
using test::count;

namespace {

/// What the script of a page knows of a dot.
struct Dot {
  double x = 0, y = 0;
  std::string label = "", value = "";
};

std::string attribute(const std::string& tag, const std::string& name) {
  const std::size_t begin = tag.find(" " + name + "=\"");
  if (begin == std::string::npos) return "";
  const std::size_t from = begin + name.size() + 3;
  return tag.substr(from, tag.find('"', from) - from);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> found;
  for (std::string word; in >> word;) found.push_back(word);
  return found;
}

/// Reads a picture as hover_script does.
std::map<Index, Dot> dots_by_row(const std::string& svg) {
  std::map<Index, Dot> dots;
  for (std::size_t at = svg.find("<g "); at != std::string::npos; at = svg.find("<g ", at + 1)) {
    const std::size_t end = svg.find('>', at);
    const std::string tag = svg.substr(at, end - at), rows = attribute(tag, "data-rows");
    if (rows.empty()) continue;
    const std::string inside = svg.substr(end, svg.find("</g>", end) - end);
    const std::vector<std::string> values = words(attribute(tag, "data-values"));
    const std::regex place("d=\"M(-?[0-9.]+ -?[0-9.]+)h0\"");
    std::sregex_iterator dot(inside.begin(), inside.end(), place);
    std::size_t i = 0;
    for (const std::string& row : words(rows)) {
      const std::string given = attribute(tag, "data-at");
      const std::vector<std::string> xy = words(given.empty() ? (*dot++)[1].str() : given);
      REQUIRE(xy.size() == 2);
      Dot& found = dots[std::stol(row)];
      found = {std::stod(xy[0]), std::stod(xy[1]), attribute(tag, "data-label"), ""};
      if (!values.empty()) found.value = values.at(i);
      ++i;
    }
  }
  return dots;
}

/// The number of an axis at a pixel.
double coordinate(const std::string& svg, const char* name, double pixel) {
  const std::vector<std::string> axis = words(attribute(svg.substr(0, svg.find('>')), name));
  REQUIRE(axis.size() == 4);
  const double from = std::stod(axis[0]), to = std::stod(axis[1]);
  const double low = std::stod(axis[2]), high = std::stod(axis[3]);
  return low + (pixel - from) / (to - from) * (high - low);
}

}  // namespace

TEST_CASE("every dot knows its row, and pixels lead back to the numbers", "[plot]") {
  Matrix<double> Y = test::gaussian<double>(200, 2);
  Y.col(0).array() += 1e6;  // far from 0 digits are needed
  const std::string svg = scatter_plot(Y);
  const std::map<Index, Dot> dots = dots_by_row(svg);
  REQUIRE(dots.size() == 200);
  for (const auto& [row, dot] : dots) {
    CHECK(std::abs(coordinate(svg, "data-x", dot.x) - Y(row, 0)) < 0.02);
    CHECK(std::abs(coordinate(svg, "data-y", dot.y) - Y(row, 1)) < 0.02);
    CHECK(dot.label.empty());
    CHECK(dot.value.empty());
  }
}

TEST_CASE("labels and values of a row are kept for the hover", "[plot]") {
  const Matrix<double> Y = test::gaussian<double>(90, 3);
  ScatterOptions options;
  SECTION("labels") {
    for (int i = 0; i < 90; ++i) options.labels.push_back(i % 3);
    options.label_names[1] = "a \"b\" <c>";
    const std::string svg = scatter_plot(Y, options);
    CHECK(test::xml_problem(svg).empty());
    const std::map<Index, Dot> dots = dots_by_row(svg);
    REQUIRE(dots.size() == 90);
    for (const auto& [row, dot] : dots)
      CHECK(dot.label == (row % 3 == 1 ? "a &quot;b&quot; &lt;c&gt;" : std::to_string(row % 3)));
  }
  SECTION("values") {
    for (int i = 0; i < 90; ++i) options.values.push_back(0.25 * i);
    options.values_name = "height";
    const std::string svg = scatter_plot(Y, options);
    CHECK(attribute(svg.substr(0, svg.find('>')), "data-values") == "height");
    const std::map<Index, Dot> dots = dots_by_row(svg);
    REQUIRE(dots.size() == 90);
    for (const auto& [row, dot] : dots)
      CHECK(std::stod(dot.value) == 0.25 * static_cast<double>(row));
  }
}

TEST_CASE("a row that is drawn as an image is found too", "[plot]") {
  const Matrix<double> Y = test::gaussian<double>(40, 2);
  ScatterOptions options;
  options.images = test::gaussian<double>(40, 16);
  const std::string svg = scatter_plot(Y, options);
  CHECK(count(svg, "data-at=") > 3);
  const std::map<Index, Dot> dots = dots_by_row(svg);
  REQUIRE(dots.size() == 40);
  for (const auto& [row, dot] : dots)
    CHECK(std::abs(coordinate(svg, "data-x", dot.x) - Y(row, 0)) < 0.02);
}

TEST_CASE("of many points those that are drawn are known by their rows", "[plot]") {
  const Matrix<double> Y = test::gaussian<double>(70000, 2);
  ScatterOptions options;
  for (int i = 0; i < 70000; ++i) options.values.push_back(std::sin(i));
  const std::string svg = scatter_plot(Y, options);
  CHECK(svg.size() < 900000);
  const std::map<Index, Dot> dots = dots_by_row(svg);
  REQUIRE(dots.size() == 20000);
  for (const auto& [row, dot] : dots) {
    if (std::abs(coordinate(svg, "data-x", dot.x) - Y(row, 0)) >= 0.02) FAIL("row " << row);
    if (std::abs(std::stod(dot.value) - std::sin(row)) > 1e-5) FAIL("value of row " << row);
  }
}

TEST_CASE("figures of the same data are marked together", "[plot]") {
  Gallery gallery;
  const std::string svg = scatter_plot(test::gaussian<double>(10, 2));
  gallery.figures = {{svg, "one", "a \"b\""}, {svg, "two", "a \"b\""}, {svg, "three", ""}};
  const std::string page = gallery_page(gallery);
  CHECK(count(page, "<figure data-of=\"a &quot;b&quot;\">") == 2);
  CHECK(count(page, "<figure>") == 1);
}
