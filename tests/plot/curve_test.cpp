#include "unfurl/plot/curve.hpp"

#include <cmath>
#include <string>

#include "plot/xml.hpp"
#include "support/catch.hpp"

using namespace unfurl;
using test::count;
using test::xml_problem;

TEST_CASE("curves are drawn with a dot for each value and named", "[plot]") {
  CurveOptions options;
  options.title = "How large a neighbourhood";
  options.x_name = "k";
  options.mark = 10;
  const std::string svg = curve_plot(
      {5, 10, 15, 25},
      {{"residual variance", {0.1, 0.01, 0.05, 0.3}}, {"fraction < outside", {0.2, 0, 0, 0}}},
      options);
  CHECK(xml_problem(svg) == "");
  CHECK(count(svg, "h0\"/>") == 8);
  CHECK(count(svg, ">residual variance</text>") == 1);
  CHECK(count(svg, ">fraction &lt; outside</text>") == 1);
  CHECK(count(svg, ">suggested</text>") == 1);
  CHECK(xml_problem(curve_plot({1}, {{"", {3}}})) == "");
}

TEST_CASE("curves are drawn by ascending x, whatever their order", "[plot]") {
  CHECK(curve_plot({1, 2, 3}, {{"a", {4, 5, 7}}}) == curve_plot({3, 1, 2}, {{"a", {7, 4, 5}}}));
}

TEST_CASE("a curve plot refuses what it cannot draw", "[plot]") {
  CHECK_THROWS_AS(curve_plot({}, {{"a", {}}}), DataError);
  CHECK_THROWS_AS(curve_plot({1, 2}, {}), ParameterError);
  CHECK_THROWS_AS(curve_plot({1, 2}, {{"a", {1}}}), DimensionError);
  CHECK_THROWS_AS(curve_plot({1, 2}, {{"a", {1, std::nan("")}}}), DataError);
  CHECK_THROWS_AS(curve_plot({1, std::nan("")}, {{"a", {1, 2}}}), DataError);
  CurveOptions options;
  options.mark = std::nan("");
  CHECK_THROWS_AS(curve_plot({1, 2}, {{"a", {1, 2}}}, options), ParameterError);
}
