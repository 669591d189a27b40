#pragma once

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace example {

/// Rows of text printed in columns.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows = {};

  void print(std::ostream& out) const {
    std::vector<std::size_t> widths(header.size(), 0);
    const auto measure = [&](const std::vector<std::string>& row) {
      for (std::size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], n_characters(row[i]));
    };
    measure(header);
    for (const auto& row : rows) measure(row);
    const auto print_row = [&](const std::vector<std::string>& row) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += row[i] + std::string(widths[i] - n_characters(row[i]) + 2, ' ');
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    };
    print_row(header);
    std::vector<std::string> rule;
    for (const std::size_t width : widths) rule.emplace_back(width, '-');
    print_row(rule);
    for (const auto& row : rows) print_row(row);
  }

 private:
  /// Of UTF-8: every byte but those that continue a character.
  static std::size_t n_characters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
  }
};

}  // namespace example
