#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fuzz {

/// Takes bytes that may be anything; an exception that leaves it is a finding.
using Target = void (*)(const std::string&);

/// By name.
const std::vector<std::pair<std::string, Target>>& targets();

}  // namespace fuzz
