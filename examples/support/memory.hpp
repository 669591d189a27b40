#pragma once

#include <cstddef>
#include <fstream>
#include <string>

namespace example {

/// The most memory that this process has held at any time, in bytes; 0 where the system does not
/// tell (elsewhere than Linux).
inline std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stoul(line.substr(6)) * 1024;
  return 0;
}

}  // namespace example
