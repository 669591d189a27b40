#include <cmath>
#include <string>

#include "plot/dots.hpp"
#include "plot/xml.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/plot/svg.hpp"

using namespace unfurl;
using test::count;
using test::dots_of;
using test::xml_problem;

TEST_CASE("three columns are drawn in space, far points first", "[plot]") {
  ScatterOptions options;
  options.azimuth = 0;  // from the end of the first axis
  options.elevation = 0;
  Matrix<double> Y(3, 3);
  Y << 1, 0, 0,  // near, to the left and below
      -1, 1, 0,  // far, to the right and below
      0, 0, 1;   // between, above
  const auto dots = dots_of(scatter_plot(Y, options));
  REQUIRE(dots.size() == 3);
  CHECK(dots[0].first > dots[2].first);
  CHECK(dots[1].second < dots[2].second);
  CHECK(dots[0].second == dots[2].second);

  const Matrix<double> many = test::gaussian<double>(200, 3);
  options = {};
  options.title = "Space";
  const std::string svg = scatter_plot(many, options);
  CHECK(xml_problem(svg) == "");
  CHECK(dots_of(svg).size() == 200);
  for (const char* name : {"component 1", "component 2", "component 3"})
    CHECK(count(svg, ">" + std::string(name) + "</text>") == 1);
  for (const auto& [x, y] : dots_of(svg)) {
    CHECK((x > 0 && x < options.width));
    CHECK((y > 0 && y < options.height));
  }
  options.elevation = 120;
  CHECK_THROWS_AS(scatter_plot(many, options), ParameterError);
  CHECK(xml_problem(scatter_plot(Matrix<double>::Zero(5, 3))) == "");  // all in one place
}

TEST_CASE("images are drawn at their points where there is room", "[plot]") {
  Matrix<double> Y(3, 2), images(3, 4);
  Y << 0, 0, 0, 0, 5, 5;  // the first two in one place
  images << 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1;
  ScatterOptions options;
  options.images = images;
  const std::string svg = scatter_plot(Y, options);
  CHECK(xml_problem(svg) == "");
  CHECK(count(svg, "<path stroke-opacity=\"1\"") == 2);
  CHECK(dots_of(svg).size() == 1);

  options.image_width = 4;
  CHECK(xml_problem(scatter_plot(Y, options)) == "");
  options.image_width = 3;
  CHECK_THROWS_AS(scatter_plot(Y, options), ParameterError);
  options.image_width = 0;
  options.images = Matrix<double>::Ones(3, 5);
  CHECK_THROWS_AS(scatter_plot(Y, options), ParameterError);
  options.images = Matrix<double>::Ones(2, 4);
  CHECK_THROWS_AS(scatter_plot(Y, options), DimensionError);
  options.images = images;
  options.images(1, 1) = std::nan("");
  CHECK_THROWS_AS(scatter_plot(Y, options), DataError);
  options.images = Matrix<double>::Ones(3, 900);  // all alike: nothing to see, nothing breaks
  CHECK(xml_problem(scatter_plot(Y, options)) == "");
}
