#include "all_headers.inc"

std::uint64_t number_from_second_unit(std::uint64_t seed);

int main() { return unfurl::Random(7).next() == number_from_second_unit(7) ? 0 : 1; }
