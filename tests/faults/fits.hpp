#pragma once

#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "support/matrix.hpp"
#include "unfurl/any_estimator.hpp"
#include "unfurl/every_estimator.hpp"

// Every estimator by every route through it. They are made by fits_test.cpp alone: compiling them
// takes as long as all the rest.
namespace test {

using Any = unfurl::AnyEstimator<double>;

Any estimator(const unfurl::PCAOptions& options);
Any estimator(const unfurl::ClassicalMDSOptions& options, const unfurl::AutoSolver& solver = {});
/// Classical scaling whose `fit` and `transform` take distances for what they are given.
Any scaled_distances(const unfurl::ClassicalMDSOptions& options,
                     const unfurl::AutoSolver& solver = {});
Any estimator(const unfurl::IsomapOptions& options, const unfurl::AutoSearch& search = {},
              const unfurl::AutoSolver& solver = {});
Any estimator(const unfurl::LLEOptions& options, const unfurl::AutoSearch& search = {},
              const unfurl::AutoSolver& solver = {});
Any estimator(const unfurl::LaplacianEigenmapOptions& options,
              const unfurl::AutoSearch& search = {}, const unfurl::AutoSolver& solver = {});
Any estimator(const unfurl::DiffusionMapOptions& options, const unfurl::AutoSearch& search = {},
              const unfurl::AutoSolver& solver = {});
Any estimator(const unfurl::TSNEOptions& options, const unfurl::AutoSearch& search = {});

/// A model of any of these kinds.
Any load_any(std::istream& in);

/// What `save` writes.
std::string saved(const Any& estimator);

/// A gently bent sheet in three dimensions, points drawn at random.
Matrix<double> sheet(Index n, std::uint64_t seed);

/// A route through an estimator, which is not fitted yet.
struct Route {
  std::string name;
  Any blank;
  std::string solver;  ///< part of what the report says of it
  bool takes_distances = false;

  /// What to call it with for these points: themselves, or their distances to the samples.
  Matrix<double> input(const Matrix<double>& points, const Matrix<double>& samples) const;
};

/// All routes, for some tens of samples: so few that each allocation can be tried.
/// \param progress of each, may be empty
std::vector<Route> small_routes(int n_threads, const unfurl::ProgressFunction& progress = nullptr);

}  // namespace test
