// The library's Swiss roll: points.npy truth.npy n=…
#include "unfurl/datasets/swiss_roll.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [&](const bench::Arguments& arguments) {
    const auto roll = unfurl::swiss_roll(arguments.count("n", 10000));
    unfurl::write_npy(argv[1], roll.points);
    arguments.write(roll.coordinates);
  });
}
