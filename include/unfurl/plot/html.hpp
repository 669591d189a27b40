#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/plot/hover.hpp"
#include "unfurl/plot/markup.hpp"

namespace unfurl {

/// A picture of a gallery.
struct Figure {
  std::string svg = "";  ///< as scatter_plot and scree_plot return it; goes into the page as it is
  std::string caption = "";  ///< plain text
  /// Names the data: the row under the pointer is marked in every figure of the same data. Empty:
  /// in this figure only.
  std::string data = "";
  std::string section = "";  ///< a heading above, where it differs from that of the figure before
};

/// The content of a gallery page. All texts are plain text.
struct Gallery {
  std::string title = "";                      ///< of the page and its first heading
  std::string introduction = "";               ///< a paragraph before the table; empty: none
  std::vector<std::string> table_header = {};  ///< names of the columns; empty: no table
  std::vector<std::vector<std::string>> table_rows = {};  ///< each as long as the header
  std::vector<Figure> figures = {};  ///< in this order, as many beside each other as fit
};

namespace detail {

/// Light and dark as the reader's system says; one column of figures on a phone.
inline const char* gallery_style() {
  return R"(:root { color-scheme: light dark; --text: #1c1f24; --page: #ffffff; --panel: #f5f6f8; --line: #d9dce1; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6ea; --page: #15171b; --panel: #1d2025; --line: #383c44; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem clamp(0.75rem, 3vw, 2.5rem); max-width: 96rem;
  font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.5rem; }
h2 { font-size: 1.2rem; line-height: 1.25; margin: 0.75rem 0 0; grid-column: 1 / -1; }
p { max-width: 46rem; margin: 0 0 1.25rem; }
.table { overflow-x: auto; margin-bottom: 1.5rem; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.9rem 0.35rem 0; text-align: left; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
td:last-child { white-space: normal; min-width: 14rem; }
.figures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }
figure { margin: 0; padding: clamp(0.25rem, 1vw, 0.6rem); border: 1px solid var(--line); border-radius: 0.5rem;
  background: var(--panel); }
figure svg { display: block; width: 100%; height: auto; }
figcaption { padding: 0.4rem 0.4rem 0; font-size: 0.9rem; }
)";
}

inline std::string table_row(const std::vector<std::string>& cells, const std::string& tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += "<" + tag + ">" + escaped(cell) + "</" + tag + ">";
  return row + "</tr>\n";
}

}  // namespace detail

/// The text of a web page that needs nothing else: pictures, style and script are in it, and
/// nothing is loaded. Under the pointer, or a finger, the row of a dot is shown, with its label or
/// value and its coordinates; rows count from 0. A dot takes about 35 bytes and at most
/// ScatterOptions::max_points are drawn, which bounds the size of a page. \throws ParameterError
/// when a row of the table is not as long as the header.
inline std::string gallery_page(const Gallery& gallery) {
  using detail::escaped;
  for (std::size_t i = 0; i < gallery.table_rows.size(); ++i)
    if (gallery.table_rows[i].size() != gallery.table_header.size())
      throw ParameterError(detail::text("gallery_page: row ", i, " of the table has ",
                                        gallery.table_rows[i].size(), " cells, the header has ",
                                        gallery.table_header.size()));
  const std::string title = escaped(gallery.title);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
      title + "</title>\n<style>\n" + detail::gallery_style() + detail::hover_style() +
      "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n";
  if (!gallery.introduction.empty()) page += "<p>" + escaped(gallery.introduction) + "</p>\n";
  if (!gallery.table_header.empty()) {
    page += "<div class=\"table\" tabindex=\"0\"><table>\n<thead>\n" +
            detail::table_row(gallery.table_header, "th") + "</thead>\n<tbody>\n";
    for (const auto& row : gallery.table_rows) page += detail::table_row(row, "td");
    page += "</tbody>\n</table></div>\n";
  }
  page += "<div class=\"figures\">\n";
  std::string section;
  for (const Figure& figure : gallery.figures) {
    if (figure.section != section) {
      section = figure.section;
      if (!section.empty()) page += "<h2>" + escaped(section) + "</h2>\n";
    }
    const std::string of = figure.data.empty() ? "" : " data-of=\"" + escaped(figure.data) + "\"";
    page += "<figure" + of + ">\n" + figure.svg + "<figcaption>" + escaped(figure.caption) +
            "</figcaption>\n</figure>\n";
  }
  return page + "</div>\n<script>\n" + detail::hover_script() + "</script>\n</body>\n</html>\n";
}

}  // namespace unfurl
