#error "Catch2 3 has no catch2/catch.hpp"
