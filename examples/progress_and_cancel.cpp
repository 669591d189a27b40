// Progress and cancelling: a callback that is told how far a fit has come, and may end it.
//
// It is called on the thread that called `fit`. When it answers stop, iterative work (t-SNE's
// descent) keeps the map that it has reached; anything else throws CancelledError, and the
// estimator stays as it was. A button or Ctrl-C sets a flag that the callback looks at.

#include <iostream>
#include <string>

#include "unfurl/core/error.hpp"
#include "unfurl/datasets/blobs.hpp"
#include "unfurl/tsne.hpp"

int main() {
  unfurl::BlobsOptions wanted;
  wanted.n_features = 10;
  const Eigen::MatrixXd X = unfurl::blobs(150, wanted).points;

  unfurl::TSNEOptions options;
  options.max_iter = 1000;
  options.progress_every = 100;
  options.progress = [](const unfurl::Progress& progress) {
    std::cout << progress.stage << " " << static_cast<int>(100 * progress.fraction) << " %";
    if (progress.iteration > 0) std::cout << ", KL divergence " << progress.objective;
    std::cout << "\n";
    const bool enough = progress.iteration >= 500;
    return enough ? unfurl::Control::stop : unfurl::Control::proceed;
  };
  unfurl::TSNE<> tsne(options);
  const Eigen::MatrixXd Y = tsne.fit_transform(X);
  std::cout << "stopped after " << tsne.n_iter() << " iterations, the map is kept\n\n";

  // Before the descent there is nothing to keep.
  options.progress = [](const unfurl::Progress& progress) {
    return progress.stage == "affinities" ? unfurl::Control::stop : unfurl::Control::proceed;
  };
  unfurl::TSNE<> other(options);
  std::string why;
  try {
    other.fit(X);
  } catch (const unfurl::CancelledError& error) {
    why = error.what();
  }
  std::cout << why << "\n";

  const bool right = tsne.stopped_early() && tsne.n_iter() == 500 && Y.rows() == 150 &&
                     !why.empty() && !other.is_fitted();
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
