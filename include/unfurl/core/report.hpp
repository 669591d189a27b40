#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl {

/// The time of one stage of a fit.
struct StageTime {
  std::string name;    ///< as in Progress, e.g. "neighbors" or "eigenpairs"
  double seconds = 0;  ///< by the wall clock
};

/// What happened during `fit`. Repairable trouble is written here, never printed.
struct FitReport {
  /// The path taken and why, e.g. "covariance 784 x 784, Lanczos".
  std::string solver = "";
  /// The eigenpairs were verified: small residuals, orthonormal, none missing (repeated
  /// eigenvalues with their full multiplicity). If false, `certificate` says what is not known.
  bool certified = false;
  /// What was verified and how, or why it could not be.
  std::string certificate = "";
  /// Largest |A v - lambda v| over the pairs, relative to |A|.
  double max_residual = 0;
  /// Between the last wanted eigenvalue and the next, relative to the largest in modulus. Near 0
  /// the last coordinates are an arbitrary choice within an eigenspace. Negative: not known.
  double eigengap = -1;
  /// Connected components of the neighbourhood graph before any repair; 0 where there is no graph.
  Index graph_components = 0;
  /// Sum of the moduli of the negative eigenvalues over the sum of all moduli.
  double negative_mass = 0;
  /// Points whose perplexity could not be met (t-SNE).
  Index n_infeasible_perplexity = 0;
  /// In the order in which they ran.
  std::vector<StageTime> stages = {};
  /// Peak of the memory beside the caller's data, as the library foresaw it: within a fifth of what
  /// is allocated.
  std::size_t peak_bytes = 0;
  /// Sentences on whatever was repaired or deserves a look, one each.
  std::vector<std::string> notes = {};
};

}  // namespace unfurl
