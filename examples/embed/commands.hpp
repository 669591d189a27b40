#pragma once

#include "arguments.hpp"

namespace embed {

/// The exit codes.
constexpr int done = 0, failed = 1, wrong_call = 2, interrupted = 130;

// Each does what it is called and returns an exit code.
int fit(const Arguments& arguments);
int apply(const Arguments& arguments);
int compare(const Arguments& arguments);

}  // namespace embed
