#pragma once

#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// The places of the dots of a scatter plot, in the order in which they are drawn: M<x> <y>h0, the
/// legend's marks (followed by a stroke width) excluded.
inline std::vector<std::pair<double, double>> dots_of(const std::string& svg) {
  std::vector<std::pair<double, double>> dots;
  const std::regex dot("M(-?[0-9.]+) (-?[0-9.]+)h0\"/>");
  for (std::sregex_iterator it(svg.begin(), svg.end(), dot), end; it != end; ++it)
    dots.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  return dots;
}

}  // namespace test
