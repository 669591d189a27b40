#pragma once

#include <string>

#include "data.hpp"
#include "unfurl/core/types.hpp"

namespace embed {

/// Whether labels name kinds: there are at most twenty, or they are no numbers.
bool are_kinds(const Labels& labels);

/// The SVG text of a map, with a colour for each kind of label, or by their values. Of more than
/// three dimensions the first two are drawn.
std::string picture(const unfurl::Matrix<double>& Y, const Labels& labels,
                    const std::string& title);

}  // namespace embed
