#pragma once

#include <locale>
#include <sstream>
#include <string>

namespace unfurl::detail {

/// The arguments one after the other, numbers in the classic locale whatever the program has set.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  (out << ... << parts);
  return out.str();
}

}  // namespace unfurl::detail
