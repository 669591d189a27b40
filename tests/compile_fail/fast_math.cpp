// flags: -ffast-math
// expect: compile without -ffast-math
#include <unfurl/core/types.hpp>
