#include "unfurl/tsne.hpp"

#include <optional>
#include <utility>

#include "method.hpp"

namespace embed {
namespace {

Estimator make_tsne(Settings& settings) {
  using unfurl::TSNEInit;
  using unfurl::TSNEMethod;
  unfurl::TSNEOptions options;
  options.progress_every = 20;  // an interrupt is seen soon
  settings.read_common(options);
  settings.read("perplexity", options.perplexity);
  settings.read("perplexities", options.perplexities);
  settings.read("early-exaggeration", options.early_exaggeration);
  settings.read("early-exaggeration-iter", options.early_exaggeration_iter);
  settings.read("late-exaggeration", options.late_exaggeration);
  settings.read("max-iter", options.max_iter);
  settings.read("learning-rate", options.learning_rate);
  settings.read("tsne-method", options.method,
                {{"automatic", TSNEMethod::automatic},
                 {"exact", TSNEMethod::exact},
                 {"barnes-hut", TSNEMethod::barnes_hut},
                 {"fft", TSNEMethod::fft}});
  settings.read("theta", options.theta);
  settings.read("degrees-of-freedom", options.degrees_of_freedom);
  settings.read("progress-every", options.progress_every);
  std::optional<unfurl::Matrix<double>> custom;
  settings.read("custom-init", custom);
  if (custom) {
    options.init = TSNEInit::custom;
    options.custom_init = std::move(*custom);
  }
  settings.read("init", options.init,
                {{"pca", TSNEInit::pca},
                 {"random", TSNEInit::random},
                 {"spectral", TSNEInit::spectral},
                 {"custom", TSNEInit::custom}});
  return unfurl::TSNE<>(options);
}

}  // namespace

Method tsne() { return {"tsne", "TSNE", make_tsne, load<unfurl::TSNE<>>, all_rows}; }

}  // namespace embed
