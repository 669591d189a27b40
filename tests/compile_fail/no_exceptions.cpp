// flags: -fno-exceptions
// expect: compile without -fno-exceptions
#include <unfurl/core/types.hpp>
