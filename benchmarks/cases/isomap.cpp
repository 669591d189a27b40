// Isomap: neighbors=10 landmarks=0
#include "unfurl/isomap.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    unfurl::IsomapOptions options;
    options.n_neighbors = arguments.count("neighbors", 10);
    options.n_landmarks = arguments.count("landmarks", 0);
    bench::fit<double>(arguments, unfurl::Isomap<>(options));
  });
}
