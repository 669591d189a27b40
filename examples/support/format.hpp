#pragma once

#include <iomanip>
#include <ios>
#include <locale>
#include <sstream>
#include <string>

#include "unfurl/core/report.hpp"

namespace example {

/// With so many digits after the point.
inline std::string fixed(double number, int digits) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << std::fixed << std::setprecision(digits) << number;
  return out.str();
}

/// In seconds, to the tenth of a millisecond where that matters.
inline std::string duration(double seconds) { return fixed(seconds, seconds < 0.01 ? 4 : 3); }

inline std::string bytes(double count) {
  if (count < 1e6) return fixed(count / 1e3, 0) + " kB";
  if (count < 1e9) return fixed(count / 1e6, 1) + " MB";
  return fixed(count / 1e9, 1) + " GB";
}

/// "yes: how it was verified" or "no: why not"
inline std::string certificate(const unfurl::FitReport& report) {
  const std::string not_so = "not certified: ";
  std::string why = report.certificate;
  if (why.rfind(not_so, 0) == 0) why.erase(0, not_so.size());
  return (report.certified ? "yes" : "no") + (why.empty() ? "" : ": " + why);
}

}  // namespace example
