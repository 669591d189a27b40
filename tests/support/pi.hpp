#pragma once

namespace test {

inline constexpr double pi = 3.14159265358979323846;

}  // namespace test
