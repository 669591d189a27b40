// TSNE in float: perplexity=30 method=automatic|exact|barnes_hut|fft
#include "unfurl/tsne.hpp"

#include "../support/measure.hpp"

int main(int argc, char** argv) {
  return bench::run(argc, argv, [](const bench::Arguments& arguments) {
    unfurl::TSNEOptions options;
    options.perplexity = std::stod(arguments.text("perplexity", "30"));
    const std::string method = arguments.text("method");
    if (method == "exact") options.method = unfurl::TSNEMethod::exact;
    if (method == "barnes_hut") options.method = unfurl::TSNEMethod::barnes_hut;
    if (method == "fft") options.method = unfurl::TSNEMethod::fft;
    bench::fit<float>(arguments, unfurl::TSNE<float>(options));
  });
}
