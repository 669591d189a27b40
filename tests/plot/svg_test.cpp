#include "unfurl/plot/svg.hpp"

#include <cmath>
#include <limits>
#include <locale>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "plot/dots.hpp"
#include "plot/xml.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using test::count;
using test::dots_of;
using test::xml_problem;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<int> cycling_labels(Index n, int n_labels) {
  std::vector<int> labels;
  for (Index i = 0; i < n; ++i) labels.push_back(static_cast<int>(i % n_labels));
  return labels;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the checker of these tests sees what is wrong", "[plot]") {
  CHECK(xml_problem("<a b=\"1\"><c/>x &amp; y</a>\n").empty());
  for (const char* bad : {"<a>", "<a></b>", "<a/><b></b><c></c>", "<a>&</a>", "<a b=1></a>",
                          "<a b=\"1\" b=\"2\"></a>", "<a></a>x", "<a b=\"<\"></a>", "</a>"})
    CHECK_FALSE(xml_problem(bad).empty());
}

TEST_CASE("a scatter plot is well-formed and has one dot a point", "[plot]") {
  const Matrix<double> Y = test::gaussian<double>(50, 2);
  ScatterOptions options;
  SECTION("plain") {}
  SECTION("with a title") { options.title = "Points"; }
  SECTION("by label") { options.labels = cycling_labels(50, 3); }
  SECTION("by value") {
    for (int i = 0; i < 50; ++i) options.values.push_back(std::sin(i));
    options.values_name = "sine";
  }
  SECTION("by equal values") { options.values.assign(50, 3.0); }
  const std::string svg = scatter_plot(Y, options);
  CHECK(xml_problem(svg).empty());
  CHECK(dots_of(svg).size() == 50);
  CHECK(contains(svg, "xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(contains(svg, ">component 1</text>"));
  CHECK(contains(svg, ">component 2</text>"));
  CHECK(contains(svg, "currentColor"));
  for (const auto& [x, y] : dots_of(svg)) {
    CHECK((x > 0 && x < options.width));
    CHECK((y > 0 && y < options.height));
  }
  CHECK(svg == scatter_plot(Y, options));
}

TEST_CASE("both axes of an embedding have the same scale", "[plot]") {
  Matrix<double> Y(3, 2);
  Y << 0, 0, 30, 0, 0, 7;
  const auto dots = dots_of(scatter_plot(Y));
  REQUIRE(dots.size() == 3);
  std::multiset<double> distances;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j)
      distances.insert(std::hypot(dots[i].first - dots[j].first, dots[i].second - dots[j].second));
  const double shortest = *distances.begin(), longest = *distances.rbegin();
  CHECK(std::abs(longest / shortest - std::hypot(30, 7) / 7) < 0.02);
}

TEST_CASE("one column is drawn over the number of the row", "[plot]") {
  Matrix<double> Y(4, 1);
  Y << 0, 1, 4, 9;
  const std::string svg = scatter_plot(Y.cast<float>());
  CHECK(xml_problem(svg).empty());
  CHECK(dots_of(svg).size() == 4);
  CHECK(contains(svg, ">sample</text>"));
}

TEST_CASE("labels are named in the legend and have a colour each", "[plot]") {
  const Matrix<double> Y = test::gaussian<double>(100, 2);
  ScatterOptions options;
  options.labels = cycling_labels(100, 10);
  options.label_names = {{0, "zero"}, {9, "<nine>"}};
  const std::string svg = scatter_plot(Y, options);
  CHECK(contains(svg, ">zero</text>"));
  CHECK(contains(svg, ">8</text>"));
  CHECK(contains(svg, ">&lt;nine&gt;</text>"));
  for (const char* color : categorical_colors()) CHECK(contains(svg, color));

  // Twenty labels are ten colours as round and as square dots; of more, the frequent ones.
  options.labels = cycling_labels(100, 20);
  CHECK(contains(scatter_plot(Y, options), "stroke-linecap=\"square\""));
  options.labels = cycling_labels(100, 50);
  CHECK(contains(scatter_plot(Y, options), ">31 others</text>"));
  CHECK(dots_of(scatter_plot(Y, options)).size() == 100);
}

TEST_CASE("text is escaped, and what XML cannot hold is replaced", "[plot]") {
  ScatterOptions options;
  options.title = "a < b & \"c\" > 'd'\x01\xff é";
  options.x_name = "]]>";
  const std::string svg = scatter_plot(test::gaussian<double>(5, 2), options);
  CHECK(xml_problem(svg).empty());
  CHECK(contains(svg, "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;\xEF\xBF\xBD\xEF\xBF\xBD é"));
  // Truncated, overlong and surrogate sequences.
  for (const char* bad : {"\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF8\x88\x80\x80", "\x80"})
    CHECK(contains(detail::escaped(bad), "\xEF\xBF\xBD"));
  CHECK(detail::escaped("日本 😀") == "日本 😀");
  CHECK(detail::shortened("añb", 3) == "añb");
  CHECK(detail::shortened("añbcd", 3) == "añ…");
}

TEST_CASE("100000 points give a small file that says how many are drawn", "[plot]") {
  ScatterOptions options;
  options.labels = cycling_labels(100000, 10);
  const Matrix<double> Y = test::gaussian<double>(100000, 2);
  const std::string svg = scatter_plot(Y, options);
  CHECK(svg.size() < 700000);
  CHECK(dots_of(svg).size() == 20000);
  CHECK(contains(svg, "20000 of 100000 points drawn"));
  CHECK(xml_problem(svg).empty());
  CHECK(svg == scatter_plot(Y, options));
}

TEST_CASE("numbers do not follow the program's locale", "[plot]") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const Matrix<double> Y = 1e4 * test::gaussian<double>(30, 2);
  ScatterOptions options;
  options.title = "title";
  options.values.assign(30, 0.0);
  for (std::size_t i = 0; i < 30; ++i) options.values[i] = 0.01 * static_cast<double>(i);
  ScreeOptions scree;
  scree.upper_edge = 1.25;
  const Vector<double> eigenvalues = Vector<double>::LinSpaced(2000, 3000.5, 0.5);
  const std::string before = scatter_plot(Y, options),
                    scree_before = scree_plot(eigenvalues, scree);
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string after = scatter_plot(Y, options), scree_after = scree_plot(eigenvalues, scree);
  std::locale::global(old);
  CHECK(before == after);
  CHECK(scree_before == scree_after);
}

TEST_CASE("axes have round numbers for any range", "[plot]") {
  const auto labels = [](double low, double high) {
    std::string all;
    for (const auto& tick : detail::ticks_of({low, high, 0, 1}, 5)) all += tick.label + " ";
    return all;
  };
  CHECK(labels(-1, 1) == "−1.0 −0.5 0.0 0.5 1.0 ");
  CHECK(labels(0, 10) == "0 2 4 6 8 10 ");
  CHECK(labels(3.2, 48) == "10 20 30 40 ");
  CHECK(labels(0, 0.011) == "0.000 0.002 0.004 0.006 0.008 0.010 ");
  CHECK(labels(0, 2e7) == "0 5e6 1.0e7 1.5e7 2.0e7 ");
  CHECK(labels(-3e-7, 0) == "−3.0e−7 −2.5e−7 −2.0e−7 −1.5e−7 −1.0e−7 −5e−8 0 ");
  CHECK(labels(1000000, 1000004) == "1.000000e6 1.000001e6 1.000002e6 1.000003e6 1.000004e6 ");
}

TEST_CASE("points that coincide and extreme ranges can be drawn", "[plot]") {
  for (const double scale : {0.0, 1.0, 1e-300, 1e-12, 1e12, 1e140}) {
    CAPTURE(scale);
    for (const Matrix<double>& Y : {Matrix<double>(Matrix<double>::Constant(3, 2, scale)),
                                    Matrix<double>(scale * test::gaussian<double>(9, 2))}) {
      const std::string svg = scatter_plot(Y);
      CHECK(xml_problem(svg).empty());
      CHECK_FALSE(contains(svg, "nan"));
      CHECK_FALSE(contains(svg, "inf"));
      CHECK(svg.size() < 10000);
    }
  }
  CHECK(dots_of(scatter_plot(Matrix<double>(Matrix<double>::Zero(1, 2)))).size() == 1);
}

TEST_CASE("a scatter plot refuses what it cannot draw", "[plot]") {
  Matrix<double> Y = test::gaussian<double>(6, 2);
  ScatterOptions options;
  CHECK_THROWS_AS(scatter_plot(Matrix<double>(0, 2)), DataError);
  CHECK_THROWS_AS(scatter_plot(Matrix<double>(6, 0)), DataError);
  CHECK_THROWS_AS(scatter_plot(test::gaussian<double>(6, 4)), ParameterError);
  options.labels = {1, 2, 3};
  CHECK_THROWS_AS(scatter_plot(Y, options), DimensionError);
  options.labels = cycling_labels(6, 2);
  options.values.assign(6, 0.0);
  CHECK_THROWS_AS(scatter_plot(Y, options), ParameterError);
  options.labels.clear();
  options.values[2] = std::nan("");
  CHECK_THROWS_AS(scatter_plot(Y, options), DataError);
  options = {};
  options.width = 10;
  CHECK_THROWS_AS(scatter_plot(Y, options), ParameterError);
  options = {};
  options.max_points = 0;
  CHECK_THROWS_AS(scatter_plot(Y, options), ParameterError);
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    Y(1, 1) = bad;
    CHECK_THROWS_AS(scatter_plot(Y), DataError);
  }
}

TEST_CASE("a scree plot shows the eigenvalues, the noise and the edge", "[plot]") {
  Vector<double> eigenvalues(6);
  eigenvalues << 90, 40, 2.5, 1.5, 0.7, 0;
  ScreeOptions options;
  options.title = "Scree";
  const std::string plain = scree_plot(eigenvalues, options);
  CHECK(xml_problem(plain).empty());
  CHECK(count(plain, "<circle") == 5);  // 0 has no logarithm

  options.noise_eigenvalues = Vector<double>::LinSpaced(6, 2.8, 0.4);
  options.upper_edge = 3.0;
  const std::string svg = scree_plot(eigenvalues, options);
  CHECK(xml_problem(svg).empty());
  CHECK(count(svg, "<circle") == 6);  // with the one of the explanation
  CHECK(contains(svg, "2 of 6 above the edge"));
  CHECK(contains(svg, "Marchenko–Pastur edge, 3<"));
  CHECK(contains(svg, "stroke-dasharray"));

  options.log_scale = false;
  CHECK(count(scree_plot(eigenvalues, options), "<circle") == 7);
  options.max_shown = 3;
  const std::string short_one = scree_plot(eigenvalues, options);
  CHECK(count(short_one, "<circle") == 4);
  CHECK(contains(short_one, "first 3 of 6 components"));
  CHECK(xml_problem(scree_plot(Vector<double>::Constant(1, 2.0))).empty());
}

TEST_CASE("a scree plot refuses what it cannot draw", "[plot]") {
  ScreeOptions options;
  CHECK_THROWS_AS(scree_plot(Vector<double>()), DataError);
  CHECK_THROWS_AS(scree_plot(Vector<double>::Zero(3)), DataError);
  CHECK_THROWS_AS(scree_plot(Vector<double>::Constant(3, std::nan(""))), DataError);
  const Vector<double> eigenvalues = Vector<double>::Ones(3);
  options.upper_edge = std::nan("");
  CHECK_THROWS_AS(scree_plot(eigenvalues, options), ParameterError);
  options = {};
  options.noise_eigenvalues = Vector<double>::Constant(3, infinity);
  CHECK_THROWS_AS(scree_plot(eigenvalues, options), DataError);
  options = {};
  options.log_scale = false;
  CHECK(xml_problem(scree_plot(Vector<double>::Zero(3), options)).empty());
}

TEST_CASE("the sequential colours grow lighter from end to end", "[plot]") {
  CHECK(sequential_color(0) == "#4b1e7f");
  CHECK(sequential_color(1) == "#efd953");
  CHECK(sequential_color(-1) == sequential_color(0));
  CHECK(sequential_color(2) == sequential_color(1));
  double before = -1;
  for (int i = 0; i <= 100; ++i) {
    const std::string color = sequential_color(i / 100.0);
    const auto channel = [&](std::size_t at) {
      return std::stoi(color.substr(at, 2), nullptr, 16);
    };
    const double luminance = 0.2126 * std::pow(channel(1), 2.2) +
                             0.7152 * std::pow(channel(3), 2.2) +
                             0.0722 * std::pow(channel(5), 2.2);
    CHECK(luminance > before);
    before = luminance;
  }
}

TEST_CASE("numbers below the picture do not touch each other", "[plot]") {
  ScatterOptions options;
  options.labels = cycling_labels(50, 10);
  for (double scale = 1e-5; scale < 1e7; scale *= 1.3) {
    const Matrix<double> Y = scale * test::gaussian<double>(50, 2);
    const std::string svg = scatter_plot(Y, options);
    const std::regex number(
        "<text x=\"([0-9.]+)\" y=\"321\" text-anchor=\"middle\"[^>]*>([^<]*)</text>");
    std::vector<double> begin, end;
    for (std::sregex_iterator it(svg.begin(), svg.end(), number), none; it != none; ++it) {
      const double half = 3.3 * static_cast<double>(detail::n_characters((*it)[2].str()));
      begin.push_back(std::stod((*it)[1]) - half);
      end.push_back(std::stod((*it)[1]) + half);
    }
    REQUIRE(begin.size() >= 2);
    for (std::size_t i = 1; i < begin.size(); ++i) CHECK(begin[i] > end[i - 1] + 5);
  }
}
