#include "unfurl/plot/html.hpp"

#include <string>

#include "plot/xml.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/plot/svg.hpp"

using namespace unfurl;

namespace {

std::string without(const std::string& page, const std::string& tag) {
  const std::string closing = "</" + tag + ">";
  const std::size_t begin = page.find("<" + tag + ">"), end = page.find(closing);
  return page.substr(0, begin) + page.substr(end + closing.size());
}

/// The page as XML: without the line that only HTML has, the style sheet and the script.
std::string markup_of(const std::string& page) {
  return without(without(page.substr(page.find("<html")), "style"), "script");
}

Gallery sample_gallery() {
  Gallery gallery;
  gallery.title = "Cats & dogs <1>";
  gallery.introduction = "Plain \"text\"";
  gallery.table_header = {"name", "value"};
  gallery.table_rows = {{"a<b", "1"}, {"c", "2"}};
  gallery.figures = {{scatter_plot(test::gaussian<double>(10, 2)), "x < y"},
                     {scree_plot(Vector<double>::LinSpaced(5, 5, 1)), "second"}};
  return gallery;
}

}  // namespace

TEST_CASE("a gallery page is well-formed and holds everything", "[plot]") {
  const std::string page = gallery_page(sample_gallery());
  CHECK(page.rfind("<!DOCTYPE html>", 0) == 0);
  CHECK(test::xml_problem(markup_of(page)).empty());
  CHECK(test::count(page, "<svg ") == 2);
  CHECK(test::count(page, "<figure>") == 2);
  CHECK(test::count(page, "<tr>") == 3);
  CHECK(test::count(page, "Cats &amp; dogs &lt;1&gt;") == 2);
  CHECK(test::count(page, "a&lt;b") == 1);
  CHECK(test::count(page, "x &lt; y") == 1);
}

TEST_CASE("a gallery page loads nothing and knows dark screens and phones", "[plot]") {
  const std::string page = gallery_page(sample_gallery());
  for (const char* outside : {"<link", "<script ", "<img", "url(", "@import",
                              "src=", "href=", "fetch(", "import(", "XMLHttpRequest"})
    CHECK(test::count(page, outside) == 0);
  CHECK(test::count(page, "<script>") == 1);
  CHECK(test::count(page, "prefers-color-scheme: dark") == 1);
  CHECK(test::count(page, "name=\"viewport\"") == 1);
}

TEST_CASE("an empty gallery is a page, a ragged table is refused", "[plot]") {
  const std::string page = gallery_page({});
  CHECK(test::xml_problem(markup_of(page)).empty());
  CHECK(test::count(page, "<table") == 0);
  Gallery ragged = sample_gallery();
  ragged.table_rows.push_back({"only one"});
  CHECK_THROWS_AS(gallery_page(ragged), ParameterError);
}

TEST_CASE("a heading stands where a section begins", "[plot]") {
  Gallery gallery;
  for (const char* section : {"a<b", "a<b", "c", "", "c"})
    gallery.figures.push_back({scatter_plot(test::gaussian<double>(3, 2)), "", "", section});
  const std::string page = gallery_page(gallery);
  CHECK(test::xml_problem(markup_of(page)).empty());
  CHECK(test::count(page, "<h2>a&lt;b</h2>") == 1);
  CHECK(test::count(page, "<h2>c</h2>") == 2);
  CHECK(test::count(page, "<h2>") == 3);
}
