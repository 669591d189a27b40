#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fuzz/examine.hpp"
#include "fuzz/input.hpp"
#include "unfurl/every_estimator.hpp"

namespace fuzz {

/// The options that all estimators have.
template <class Options>
Options common_options(Input& input) {
  constexpr std::size_t limits[] = {std::size_t{1} << 25, 0, 1, 4096};
  constexpr int threads[] = {1, 1, 1, 2, -1};
  Options options;
  options.n_components = input.count();
  options.seed = input.byte();
  options.n_threads = threads[input.byte() % 64 < 48 ? 0 : input.byte() % 5];
  options.memory_limit = limits[input.byte() % 64 < 48 ? 0 : input.byte() % 4];
  return options;
}

template <class Options>
void neighbor_options(Options& options, Input& input) {
  options.n_neighbors = input.count();
  options.radius = input.maybe_real();
  options.on_disconnected = input.choice<unfurl::OnDisconnected>(4);
}

inline void fill(unfurl::PCAOptions& options, Input& input) {
  options.whiten = input.flag();
  options.solver = input.choice<unfurl::PCASolver>(4);
  options.n_oversamples = input.count();
  options.n_power_iterations = input.count();
  options.variance_fraction = input.maybe_real();
}
inline void fill(unfurl::ClassicalMDSOptions& options, Input& input) {
  options.n_landmarks = input.flag() ? input.count() : 0;
}
inline void fill(unfurl::IsomapOptions& options, Input& input) {
  neighbor_options(options, input);
  options.path = input.choice<unfurl::Path>(2);
  options.n_landmarks = input.flag() ? input.count() : 0;
}
inline void fill(unfurl::LLEOptions& options, Input& input) {
  neighbor_options(options, input);
  options.regularization = input.flag() ? input.real() : 1e-3;
}
inline void fill(unfurl::LaplacianEigenmapOptions& options, Input& input) {
  neighbor_options(options, input);
  options.bandwidth = input.maybe_real();
}
inline void fill(unfurl::DiffusionMapOptions& options, Input& input) {
  if (input.flag()) neighbor_options(options, input);
  options.bandwidth = input.maybe_real();
  options.alpha = input.flag() ? input.real() : 0;
  options.time = input.flag() ? input.real() : 1;
}
inline void fill(unfurl::TSNEOptions& options, Input& input) {
  options.perplexity = input.real();
  for (unsigned more = input.byte() % 8; more > 5; --more)
    options.perplexities.push_back(input.real());
  options.early_exaggeration = input.flag() ? input.real() : 12;
  options.early_exaggeration_iter = input.byte() % 8;
  options.late_exaggeration = input.flag() ? input.real() : 1;
  options.max_iter = input.byte() % 16;
  options.learning_rate = input.maybe_real();
  options.method = input.choice<unfurl::TSNEMethod>(4);
  options.theta = input.flag() ? input.real() : 0.5;
  options.degrees_of_freedom = input.flag() ? input.real() : 1;
  options.init = input.choice<unfurl::TSNEInit>(4);
  if (options.init == unfurl::TSNEInit::custom) options.custom_init = input.matrix<double>(24, 2);
  options.progress_every = 1 + input.byte() % 4;
}

template <class Scalar>
unfurl::NeighborList<Scalar> neighbor_lists(Index n, Input& input) {
  std::vector<Index> lengths;
  for (Index i = 0; i < n; ++i) lengths.push_back(input.byte() % 6);
  unfurl::NeighborList<Scalar> lists(lengths);
  const bool wild = input.byte() % 4 == 3;
  const Matrix<Scalar> distances = input.matrix<Scalar>(n, 6).cwiseAbs();
  for (Index i = 0; i < n; ++i)
    for (Index e = 0; e < lists.count(i); ++e) {
      const int b = static_cast<int>(input.byte());
      lists.indices(i)[e] = wild ? b - 2 : static_cast<int>((i + 1 + b % (n - 1)) % n);
      lists.distances(i)[e] = distances(i, e);
    }
  return lists;
}

/// Entries (i, j) and, unless it is wild, (j, i) with the same value.
template <class Scalar>
Matrix<Scalar> table(Index n, bool zero_diagonal, Input& input) {
  Matrix<Scalar> T = input.matrix<Scalar>(n, n);
  if (input.byte() % 8 == 7) return T;
  T = T.cwiseAbs().eval();
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) T(j, i) = T(i, j) = i == j && zero_diagonal ? 0 : T(i, j);
  return T;
}

// Each level that the estimator has; what it has not is fitted on points.
template <class E, class Data>
auto fit_distances(E& e, const Data& D, int) -> decltype(void(e.fit_distances(D))) {
  e.fit_distances(D);
}
template <class E, class Data>
void fit_distances(E& e, const Data& D, long) {
  e.fit(D);
}
template <class E, class Lists>
auto fit_neighbors(E& e, const Lists& lists, int) -> decltype(void(e.fit_neighbors(lists))) {
  e.fit_neighbors(lists);
}
template <class E, class Lists>
void fit_neighbors(E&, const Lists&, long) {}
template <class Scalar, class Lists>
void fit_neighbors(unfurl::LLE<Scalar>& e, const Lists& lists, int) {
  e.fit_neighbors(Input("").matrix<Scalar>(lists.size(), 4), lists);
}
template <class E, class Data>
auto fit_affinity(E& e, const Data& W, int) -> decltype(void(e.fit_affinity(W))) {
  e.fit_affinity(W);
}
template <class E, class Data>
void fit_affinity(E&, const Data&, long) {}

template <class E>
void fit_something(E& estimator, Input& input) {
  using Scalar = ScalarOf<E>;
  const unsigned level = input.byte() % 8;
  const Index n = input.byte() % 32, n_square = std::min<Index>(n, 16);
  if (level == 7)
    fit_distances(estimator, table<Scalar>(n_square, true, input), 0);
  else if (level == 6 && n > 1)
    fit_neighbors(estimator, neighbor_lists<Scalar>(n, input), 0);
  else if (level == 5)
    fit_affinity(
        estimator,
        unfurl::SparseMatrix<Scalar>(table<Scalar>(n_square, input.flag(), input).sparseView()), 0);
  else
    estimator.fit(input.matrix<Scalar>(n, input.byte() % 6));
}

/// Options, then data. An error leaves a former model as it was; a fit that succeeds is sound.
template <class E>
void fit_one(Input& input) {
  using Options = std::decay_t<decltype(std::declval<const E&>().options())>;
  Options options = common_options<Options>(input);
  fill(options, input);
  E estimator(options);
  const bool fitted = succeeds([&] { estimator.fit(Input("").matrix<ScalarOf<E>>(24, 3)); });
  const std::string before = fitted ? saved(estimator) : "";
  if (!succeeds([&] { fit_something(estimator, input); }))
    require(estimator.is_fitted() == fitted && (!fitted || saved(estimator) == before),
            "a fit that fails has changed the model");
  if (!estimator.is_fitted()) return;
  require(estimator.embedding().allFinite() && estimator.embedding().cols() >= 1 &&
              estimator.embedding().rows() == estimator.n_samples(),
          "a fitted model has no sound embedding");
  examine(estimator);
}

/// The first byte tells float from double, and in fit_any the estimator.
template <template <class...> class Estimator>
void fit(const std::string& bytes) {
  Input input(bytes);
  if (input.byte() < 128)
    fit_one<Estimator<double>>(input);
  else
    fit_one<Estimator<float>>(input);
}

/// Any bytes: an estimator, its options, its data.
inline void fit_any(const std::string& bytes) {
  switch (Input(bytes).byte() % 7) {
    case 0:
      return fit<unfurl::PCA>(bytes);
    case 1:
      return fit<unfurl::ClassicalMDS>(bytes);
    case 2:
      return fit<unfurl::Isomap>(bytes);
    case 3:
      return fit<unfurl::LLE>(bytes);
    case 4:
      return fit<unfurl::LaplacianEigenmap>(bytes);
    case 5:
      return fit<unfurl::DiffusionMap>(bytes);
    default:
      return fit<unfurl::TSNE>(bytes);
  }
}

}  // namespace fuzz
