#pragma once

#include <functional>
#include <string>

#include "unfurl/core/types.hpp"

namespace unfurl {

/// What a progress callback is told.
struct Progress {
  std::string stage = "";  ///< "neighbors", "covariance", "eigenpairs", …
  double fraction = 0;     ///< of this stage, 0 to 1
  Index iteration = 0;     ///< of an iterative stage, else 0
  double objective = 0;    ///< of an iterative stage (t-SNE: KL divergence), else 0
};

/// What it answers.
enum class Control {
  proceed,  ///< go on
  stop      ///< iterative work keeps what it has reached; anything else throws CancelledError
};

/// Called on the thread that called `fit`, at the start of every stage and then a few times a
/// second. It may throw: the exception reaches the caller of `fit` and the estimator stays as it
/// was.
using ProgressFunction = std::function<Control(const Progress&)>;

}  // namespace unfurl
