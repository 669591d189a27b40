// PCA: components=50 scalar=float|double
#include "unfurl/pca.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    unfurl::PCAOptions options;
    options.n_components = arguments.count("components", 50);
    if (arguments.text("scalar") == "float")
      bench::fit<float>(arguments, unfurl::PCA<float>(options));
    else
      bench::fit<double>(arguments, unfurl::PCA<>(options));
  });
}
