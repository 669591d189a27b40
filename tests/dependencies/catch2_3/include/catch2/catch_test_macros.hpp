#pragma once

// v3 has no catch2/catch.hpp: only a header of v3's names leads to v2 here.
#include_next <catch2/catch.hpp>
