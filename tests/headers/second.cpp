#include "all_headers.inc"

std::uint64_t number_from_second_unit(std::uint64_t seed);

std::uint64_t number_from_second_unit(std::uint64_t seed) { return unfurl::Random(seed).next(); }
