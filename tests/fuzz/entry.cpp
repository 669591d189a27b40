// libFuzzer's entry to the target that the environment variable FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/targets.hpp"

namespace {

fuzz::Target chosen() {
  const char* const name = std::getenv("FUZZ_TARGET");
  for (const auto& [target, function] : fuzz::targets())
    if (name && target == name) return function;
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Target target = chosen();
  target(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
