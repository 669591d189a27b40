// flags: -ffinite-math-only
// expect: compile without -ffast-math / -ffinite-math-only
#include <unfurl/core/types.hpp>
