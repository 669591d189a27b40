#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "unfurl/core/error.hpp"

// What the fuzz targets have in common.
namespace fuzz {

/// Not an unfurl::Error, so that no target takes it for one of the library's answers.
struct Finding : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool condition, const char* what) {
  if (!condition) throw Finding(what);
}

/// Runs the action; false when it ends in one of the library's own errors.
template <class Action>
bool succeeds(Action&& action) {
  try {
    action();
    return true;
  } catch (const unfurl::Error& error) {
    require(error.what()[0] != '\0', "an error without a text");
    return false;
  }
}

/// The bits of two matrices are the same.
template <class M>
bool identical(const M& a, const M& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) ==
              0);
}

}  // namespace fuzz
