#pragma once

// One estimator by every route to its answer: 1 to 8 threads, layouts of the data, powers of two,
// float and double, compilers. Each tests/<estimator>_test.cpp, where both precisions are compiled
// anyway, calls check_every_route once.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "differential/nasty_data.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/matrix.hpp"
#include "unfurl/core/error.hpp"

namespace test {

/// What is known of the estimator.
struct Routes {
  const char* name;                 ///< of its file in differential/reference
  bool keeps_distances = false;     ///< twice as large data, twice as large embedding
  bool fixes_signs = true;          ///< the entry of largest modulus in each column is positive
  double across_scales = 1e-8;      ///< relative errors that its distances may show
  double across_precisions = 1e-3;  ///< between float and double
  double across_compilers = 1e-9;
  std::vector<std::string> arbitrary = {};  ///< data that leave float a choice
};

/// The embedding of samples and of new points among them, or the error.
template <class Scalar>
struct Answer {
  Matrix<Scalar> embedding = {}, placed = {};
  std::string error = "";
};

template <class E, class Options, class Samples>
auto answer_of(const Options& options, const Samples& X) {
  using Scalar = typename std::decay_t<decltype(std::declval<const E&>().embedding())>::Scalar;
  Answer<Scalar> answer;
  try {
    E estimator(options);
    estimator.fit(X);
    answer.embedding = estimator.embedding();
    answer.placed = estimator.transform((X.topRows(9) + X.middleRows(9, 9)) / Scalar(2));
  } catch (const std::exception& error) {
    if (dynamic_cast<const unfurl::Error*>(&error) == nullptr) throw;
    answer.error = error.what();
  }
  return answer;
}

template <class Scalar>
void check_same_bytes(const Answer<Scalar>& found, const Answer<Scalar>& expected) {
  CHECK(found.error == expected.error);
  CHECK(same_bytes(found.embedding, expected.embedding));
  CHECK(same_bytes(found.placed, expected.placed));
}

/// Of distances in an embedding, which no sign or rotation changes.
template <class A, class B>
double distance_gap(const Matrix<A>& found, const Matrix<B>& expected) {
  const Matrix<double> wanted = pairwise_distances<double>(expected.template cast<double>());
  const double largest = wanted.cwiseAbs().maxCoeff();
  return max_abs_diff(pairwise_distances<double>(found.template cast<double>()), wanted) /
         (largest > 0 ? largest : 1);
}

template <class E, class Options>
void check_threads_and_layouts(Options options) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (const NastyData& data : nasty_data()) {
    CAPTURE(data.name);
    options.n_threads = 1;
    const auto expected = answer_of<E>(options, data.X);
    for (int n_threads = 2; n_threads <= 8; ++n_threads) {
      CAPTURE(n_threads);
      options.n_threads = n_threads;
      check_same_bytes(answer_of<E>(options, data.X), expected);
    }
    INFO("row-major");
    check_same_bytes(answer_of<E>(options, RowMajor(data.X)), expected);
  }
}

/// From denormal numbers to squares near the largest: the same picture, or an error.
template <class E, class Options>
void check_scales(const Options& options, const Routes& routes) {
  const std::vector<NastyData> sets = nasty_data();
  for (const std::size_t number : {0u, 1u}) {
    const Matrix<double>& X = sets[number].X;
    const auto expected = answer_of<E>(options, X);
    for (const int exponent : {-1060, -490, 480}) {
      CAPTURE(sets[number].name, exponent);
      auto found = answer_of<E>(options, X * std::ldexp(1.0, exponent));
      if (!found.error.empty()) {
        CHECK(found.error.find("rescale") != std::string::npos);
        CHECK(exponent == -1060);
        continue;
      }
      REQUIRE(expected.error.empty());
      if (routes.keeps_distances)
        for (Index i = 0; i < found.embedding.size(); ++i)
          found.embedding.data()[i] = std::ldexp(found.embedding.data()[i], -exponent);
      // Denormal numbers have few digits.
      CHECK(distance_gap(found.embedding, expected.embedding) <
            (exponent == -1060 ? 1e-2 : routes.across_scales));
    }
  }
}

template <class Narrow, class Wide, class Options>
void check_precisions(const Options& options, const Routes& routes) {
  for (const NastyData& data : nasty_data()) {
    bool arbitrary = data.name == "far from the origin";  // no digits are left for float
    for (const std::string& name : routes.arbitrary) arbitrary = arbitrary || name == data.name;
    if (arbitrary) continue;
    CAPTURE(data.name);
    const Matrix<float> narrow = data.X.cast<float>();
    const auto found = answer_of<Narrow>(options, narrow);
    const auto expected = answer_of<Wide>(options, narrow.cast<double>().eval());
    CAPTURE(found.error, expected.error);
    REQUIRE(found.error.empty() == expected.error.empty());
    if (found.error.empty())
      CHECK(distance_gap(found.embedding, expected.embedding) < routes.across_precisions);
  }
}

/// Every compiler gives what stands in the file, signs included. Numbers and not their bytes: the
/// library promises bytes for every number of threads, while compilers differ in how they fuse and
/// order sums. With UNFURL_WRITE_REFERENCE in the environment the file is written instead.
template <class E, class Options>
void check_reference(const Options& options, const Routes& routes) {
  const std::string file = std::string("../differential/reference/") + routes.name + ".csv";
  const auto found = answer_of<E>(options, bent_sheet(40));
  REQUIRE(found.error.empty());
  for (Index j = 0; j < found.embedding.cols() && routes.fixes_signs; ++j)
    CHECK(found.embedding.col(j).maxCoeff() > -found.embedding.col(j).minCoeff());
  Matrix<double> both(49, found.embedding.cols());
  both << found.embedding, found.placed;
  if (std::getenv("UNFURL_WRITE_REFERENCE") != nullptr) {
    std::ofstream out(std::string(UNFURL_SOURCE_DIR) + "/tests/reference/" + file);
    out.precision(17);
    out << both.format(Eigen::IOFormat(Eigen::FullPrecision, Eigen::DontAlignCols, ",", "\n"))
        << '\n';
  }
  const Matrix<double> expected = golden(file);
  CHECK(max_abs_diff(both, expected) < routes.across_compilers * expected.cwiseAbs().maxCoeff());
}

template <class Narrow, class Wide, class Options>
void check_every_route(const Options& options, const Routes& routes) {
  SECTION("threads and layouts") { check_threads_and_layouts<Wide>(options); }
  SECTION("powers of two") { check_scales<Wide>(options, routes); }
  SECTION("float and double") { check_precisions<Narrow, Wide>(options, routes); }
  SECTION("compilers") { check_reference<Wide>(options, routes); }
}

}  // namespace test
