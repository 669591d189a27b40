// The main program of the tests where Catch2 v2 was installed without its own (a build option
// there). Catch2 v3 always brings one.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
