// DiffusionMap: of every pair, or sparse with neighbors=10; bandwidth=1
#include "unfurl/diffusion_map.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    unfurl::DiffusionMapOptions options;
    if (arguments.has("neighbors")) options.n_neighbors = arguments.count("neighbors", 10);
    if (arguments.has("bandwidth")) options.bandwidth = std::stod(arguments.text("bandwidth"));
    bench::fit<double>(arguments, unfurl::DiffusionMap<>(options));
  });
}
