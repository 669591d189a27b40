#pragma once

// The contract that every estimator keeps (rows of the project's contract are cited in the tags).
// Each tests/contract_<estimator>_test.cpp names its types in `Estimators` and includes this:
//
//   #include "unfurl/pca.hpp"
//   using Estimators = std::tuple<unfurl::PCA<float>, unfurl::PCA<double>>;
//   #include "support/estimator_contract.hpp"
#include <atomic>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/estimator_traits.hpp"
#include "support/matrix.hpp"
#include "unfurl/estimator.hpp"

using namespace unfurl;
using test::max_abs_diff;
using test::same_bytes;

namespace {

/// An elongated cloud on a gently bent sheet: simple spectrum, connected graph.
template <class E>
Matrix<ScalarOf<E>> samples(Index n = 60, std::uint64_t seed = 5) {
  using Scalar = ScalarOf<E>;
  Random random(seed);
  Matrix<Scalar> X(n, 4);
  for (Index i = 0; i < n; ++i) {
    const double u = 3 * random.uniform(), v = random.uniform();
    X.row(i) << static_cast<Scalar>(u), static_cast<Scalar>(v), static_cast<Scalar>(0.2 * u * u),
        static_cast<Scalar>(0.1 * random.normal());
  }
  return X;
}

template <class E>
std::string state_of(const E& estimator) {
  std::ostringstream out;
  estimator.save(out);
  return out.str();
}

template <class E, class Action>
void check_left_alone_by(E& fitted, Action&& action) {
  const std::string before = state_of(fitted);
  action();
  REQUIRE(fitted.is_fitted());
  CHECK(state_of(fitted) == before);
}

/// The message of the Expected exception that `action` throws.
template <class Expected, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Expected& error) {
    CHECK(dynamic_cast<const Error*>(&error) != nullptr);
    return error.what();
  }
  FAIL("nothing was thrown");
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  INFO("message: " << text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("an estimator has the members of the interface", "[estimator][contract17]",
                        Estimators) {
  STATIC_REQUIRE(is_estimator_v<TestType>);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<TestType>);
  STATIC_REQUIRE(std::is_copy_constructible_v<TestType>);
}

TEMPLATE_LIST_TEST_CASE("before fit every fitted member says so", "[estimator][contract1]",
                        Estimators) {
  const TestType estimator;  // contract 10: the default is valid and cheap
  CHECK_FALSE(estimator.is_fitted());
  const auto X = samples<TestType>();
  std::ostringstream out;
  contains(message_of<NotFittedError>([&] { estimator.transform(X); }), "::transform");
  contains(message_of<NotFittedError>([&] { estimator.embedding(); }), "::embedding");
  contains(message_of<NotFittedError>([&] { estimator.save(out); }), "::save");
  CHECK_THROWS_AS(estimator.report(), NotFittedError);
  CHECK_THROWS_AS(estimator.n_samples(), NotFittedError);
  CHECK_THROWS_AS(estimator.n_features(), NotFittedError);
  CHECK(out.str().empty());
}

TEMPLATE_LIST_TEST_CASE("fit gives an embedding of the asked shape", "[estimator][contract2]",
                        Estimators) {
  TestType estimator;
  const auto X = samples<TestType>();
  CHECK(&estimator.fit(X) == &estimator);
  CHECK(estimator.is_fitted());
  CHECK(estimator.n_samples() == X.rows());
  CHECK(estimator.n_features() == X.cols());
  CHECK(estimator.embedding().rows() == X.rows());
  CHECK(estimator.embedding().cols() == estimator.options().n_components);
  CHECK(estimator.embedding().allFinite());
  CHECK(estimator.embedding().norm() > 0);
  CHECK_FALSE(estimator.report().stages.empty());
  CHECK_FALSE(estimator.report().solver.empty());
  CHECK(estimator.report().peak_bytes > 0);
}

TEMPLATE_LIST_TEST_CASE("too little data is refused", "[estimator][contract3][contract4]",
                        Estimators) {
  using Scalar = ScalarOf<TestType>;
  TestType estimator;
  contains(message_of<DataError>([&] { estimator.fit(Matrix<Scalar>(0, 4)); }), "0 samples");
  contains(message_of<DataError>([&] { estimator.fit(Matrix<Scalar>(9, 0)); }),
           "0 features (shape=(9,0))");
  contains(message_of<DataError>([&] { estimator.fit(Matrix<Scalar>::Ones(1, 4)); }), "1 sample");
  CHECK_FALSE(estimator.is_fitted());
}

TEMPLATE_LIST_TEST_CASE("one feature works", "[estimator][contract5]", Estimators) {
  OptionsOf<TestType> options;
  options.n_components = 1;
  TestType estimator(options);
  const Matrix<ScalarOf<TestType>> X = samples<TestType>().leftCols(1);
  estimator.fit(X);
  CHECK(estimator.embedding().allFinite());
  CHECK(estimator.transform(X).cols() == 1);
}

TEMPLATE_LIST_TEST_CASE("NaN and Inf are refused with their place", "[estimator][contract6]",
                        Estimators) {
  using Scalar = ScalarOf<TestType>;
  TestType estimator;
  const auto X = samples<TestType>();
  estimator.fit(X);
  for (const Scalar bad :
       {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity(),
        -std::numeric_limits<Scalar>::infinity()}) {
    auto spoiled = X;
    spoiled(17, 2) = bad;
    spoiled(40, 1) = bad;  // a later row in an earlier column
    check_left_alone_by(estimator, [&] {
      const auto text = message_of<DataError>([&] { estimator.fit(spoiled); });
      contains(text, std::isnan(bad) ? "NaN" : "Inf");
      contains(text, "(row 17, column 2)");
      contains(message_of<DataError>([&] { estimator.transform(spoiled); }), "(row 17, column 2)");
    });
  }
}

TEMPLATE_LIST_TEST_CASE("data whose squares overflow are refused", "[estimator][contract7]",
                        Estimators) {
  using Scalar = ScalarOf<TestType>;
  TestType estimator;
  auto X = samples<TestType>();
  estimator.fit(X);
  auto huge = X;
  huge *= std::sqrt((std::numeric_limits<Scalar>::max)());
  check_left_alone_by(estimator, [&] {
    contains(message_of<DataError>([&] { estimator.fit(huge); }), "magnitude too large");
    contains(message_of<DataError>([&] { estimator.transform(huge); }), "rescale");
  });
}

TEMPLATE_LIST_TEST_CASE("large and small scales and offsets do no harm", "[estimator]",
                        Estimators) {
  using Scalar = ScalarOf<TestType>;
  const bool wide = std::is_same_v<Scalar, double>;
  for (const double scale : {wide ? 1e-140 : 1e-14, wide ? 1e140 : 1e14}) {
    TestType plain, scaled;
    const auto X = samples<TestType>();
    const Matrix<Scalar> Xs = X * static_cast<Scalar>(scale);
    plain.fit(X);
    scaled.fit(Xs);
    CHECK(scaled.embedding().allFinite());
    if (descends<TestType>) continue;  // a descent magnifies rounding
    const Matrix<Scalar> back =
        scaled.embedding() / static_cast<Scalar>(keeps_distances<TestType> ? scale : 1);
    CHECK(max_abs_diff(back, plain.embedding()) <
          (on_a_graph<TestType> ? (wide ? 1e-8 : 1e-3) : (wide ? 1e-10 : 1e-4)));
  }
}

TEMPLATE_LIST_TEST_CASE("transform checks the shape of its input", "[estimator][contract8]",
                        Estimators) {
  using Scalar = ScalarOf<TestType>;
  TestType estimator;
  estimator.fit(samples<TestType>());
  const auto text =
      message_of<DimensionError>([&] { estimator.transform(Matrix<Scalar>::Ones(3, 7)); });
  contains(text, "X has 7 features, expecting 4");
  const auto nothing = estimator.transform(Matrix<Scalar>(0, 4));
  CHECK(nothing.rows() == 0);
  CHECK(nothing.cols() == 2);
}

TEMPLATE_LIST_TEST_CASE("options out of range are refused by fit, not by the constructor",
                        "[estimator][contract9][contract19][contract20]", Estimators) {
  const auto X = samples<TestType>();
  TestType former;
  former.fit(X);
  for (const Index n : {Index{0}, Index{-1}, X.rows(), Index{1000000}}) {
    OptionsOf<TestType> options;
    options.n_components = n;
    TestType estimator(options);
    const auto text = message_of<ParameterError>([&] { estimator.fit(X); });
    contains(text, "n_components must be in [1, ");
    contains(text, "got " + std::to_string(n));
    CHECK_FALSE(estimator.is_fitted());
  }
  OptionsOf<TestType> options;
  options.n_threads = -1;
  TestType estimator(options);
  contains(message_of<ParameterError>([&] { estimator.fit(X); }), "n_threads");
  if constexpr (has_n_neighbors<OptionsOf<TestType>>) {
    OptionsOf<TestType> unused;
    unused.radius = 3;  // instead of n_neighbors, which must be a number of neighbours all the same
    unused.n_neighbors = 0;
    TestType within(unused);
    contains(message_of<ParameterError>([&] { within.fit(X); }), "n_neighbors");
  }
}

TEMPLATE_LIST_TEST_CASE("fit and transform leave options, input and model as they were",
                        "[estimator][contract11][contract12]", Estimators) {
  OptionsOf<TestType> options;
  options.n_components = 2;
  options.seed = 9;
  TestType estimator(options);
  const auto X = samples<TestType>();
  const auto copy = X;
  estimator.fit(X);
  CHECK(estimator.options().n_components == 2);
  CHECK(estimator.options().seed == 9);
  check_left_alone_by(estimator, [&] { estimator.transform(X); });
  CHECK(same_bytes(X, copy));
}

TEMPLATE_LIST_TEST_CASE("any Eigen layout is taken", "[estimator][contract12]", Estimators) {
  using Scalar = ScalarOf<TestType>;
  const auto X = samples<TestType>();
  TestType reference;
  reference.fit(X);
  const double tolerance = std::is_same_v<Scalar, double> ? 1e-12 : 1e-5;
  const auto agrees = [&](const auto& Y) {
    TestType other;
    other.fit(Y);
    if (descends<TestType>) {  // which magnifies rounding
      CHECK(other.embedding().allFinite());
      return;
    }
    CHECK(max_abs_diff(other.embedding(), reference.embedding()) <= tolerance);
    CHECK(max_abs_diff(other.transform(Y), reference.transform(X)) <= tolerance);
  };
  const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> row_major = X;
  agrees(row_major);
  agrees(Eigen::Map<const Matrix<Scalar>>(X.data(), X.rows(), X.cols()));
  Matrix<Scalar> frame = Matrix<Scalar>::Zero(X.rows() + 3, X.cols() + 2);
  frame.block(2, 1, X.rows(), X.cols()) = X;
  agrees(frame.block(2, 1, X.rows(), X.cols()));
  std::vector<Scalar> strided(static_cast<std::size_t>(X.size()) * 2, Scalar(-1));
  Eigen::Map<Matrix<Scalar>, 0, Eigen::Stride<Eigen::Dynamic, 2>> gaps(
      strided.data(), X.rows(), X.cols(), Eigen::Stride<Eigen::Dynamic, 2>(2 * X.rows(), 2));
  gaps = X;
  agrees(gaps);
  agrees(X * Scalar(1));
}

TEMPLATE_LIST_TEST_CASE("fitting again is fitting afresh", "[estimator][contract13]", Estimators) {
  const auto X = samples<TestType>();
  const auto other = samples<TestType>(37, 8);
  TestType once, twice;
  once.fit(X);
  twice.fit(other).fit(X);
  CHECK(same_bytes(once.embedding(), twice.embedding()));
  CHECK(state_of(once) == state_of(twice));
  twice.fit(other);
  CHECK(twice.n_samples() == 37);
}

TEMPLATE_LIST_TEST_CASE("fit_transform is fit and embedding", "[estimator][contract14]",
                        Estimators) {
  using Scalar = ScalarOf<TestType>;
  const auto X = samples<TestType>();
  TestType a, b;
  CHECK(same_bytes(a.fit_transform(X), b.fit(X).embedding()));
  if (descends<TestType>) return;  // it places a sample anew, near to where it was
  CHECK(max_abs_diff(b.transform(X), b.embedding()) <
        (std::is_same_v<Scalar, double> ? 1e-8 : 1e-4));
}

TEMPLATE_LIST_TEST_CASE("transform does not depend on the batch", "[estimator][contract15]",
                        Estimators) {
  const auto X = samples<TestType>(300);
  const auto fresh = samples<TestType>(131, 6);
  TestType estimator;
  estimator.fit(X);
  const auto whole = estimator.transform(fresh);
  for (Index i = 0; i < fresh.rows(); ++i)
    REQUIRE(same_bytes(estimator.transform(fresh.row(i)), whole.row(i)));
  const auto part = estimator.transform(fresh.middleRows(7, 60));
  CHECK(same_bytes(part, whole.middleRows(7, 60)));
  CHECK(same_bytes(estimator.transform(fresh.colwise().reverse()), whole.colwise().reverse()));
}

TEMPLATE_LIST_TEST_CASE("the order of the samples does not matter", "[estimator][contract16]",
                        Estimators) {
  using Scalar = ScalarOf<TestType>;
  if (descends<TestType>) return;
  const auto X = samples<TestType>();
  const Matrix<Scalar> reversed = X.colwise().reverse();
  TestType a, b;
  a.fit(X);
  b.fit(reversed);
  const Matrix<Scalar> back = b.embedding().colwise().reverse();
  CHECK(test::max_abs_diff_up_to_sign(a.embedding(), back) <
        (std::is_same_v<Scalar, double> ? 1e-8 : 2e-3));
}

TEMPLATE_LIST_TEST_CASE("identical points give a finite result", "[estimator][contract34]",
                        Estimators) {
  using Scalar = ScalarOf<TestType>;
  TestType estimator;
  const Matrix<Scalar> X = Matrix<Scalar>::Constant(20, 4, Scalar(3.7));
  if (has_degrees<TestType>) {
    contains(message_of<NumericalError>([&] { estimator.fit(X); }), "kernel scale is zero");
    return;
  }
  estimator.fit(X);
  CHECK(estimator.embedding().allFinite());
  CHECK(estimator.transform(X).allFinite());
}

TEMPLATE_LIST_TEST_CASE("two samples are enough", "[estimator]", Estimators) {
  using Scalar = ScalarOf<TestType>;
  OptionsOf<TestType> options;
  options.n_components = 1;
  if constexpr (has_n_neighbors<OptionsOf<TestType>>) options.n_neighbors = 1;
  TestType estimator(options);
  Matrix<Scalar> X(2, 3);
  X << 1, 2, 3, 4, 6, 3;
  if (has_weights<TestType> || descends<TestType>) {  // too few for neighbours or a perplexity
    CHECK_THROWS_AS(estimator.fit(X), ParameterError);
    return;
  }
  estimator.fit(X);
  CHECK(estimator.embedding().allFinite());
  CHECK(estimator.transform(X).allFinite());
  if (!keeps_distances<TestType>) return;
  const Scalar apart = std::abs(estimator.embedding()(0, 0) - estimator.embedding()(1, 0));
  CHECK(std::abs(apart - 5) < 1e-5);
}

TEMPLATE_LIST_TEST_CASE("progress is told and can stop a fit", "[estimator][contract53]",
                        Estimators) {
  const auto X = samples<TestType>();
  std::vector<std::string> stages;
  OptionsOf<TestType> options;
  options.progress = [&](const Progress& p) {
    CHECK(p.fraction >= 0);
    CHECK(p.fraction <= 1);
    if (stages.empty() || stages.back() != p.stage) stages.push_back(p.stage);
    return Control::proceed;
  };
  TestType watched(options), plain;
  watched.fit(X);
  plain.fit(X);
  CHECK(same_bytes(watched.embedding(), plain.embedding()));
  REQUIRE(stages.size() >= 3);
  REQUIRE(watched.report().stages.size() == stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i)
    CHECK(watched.report().stages[i].name == stages[i]);

  // Stop in each stage in turn; a fitted model stays as it was.
  for (const std::string& at : stages) {
    options.progress = [&](const Progress& p) {
      return p.stage == at ? Control::stop : Control::proceed;
    };
    TestType estimator(options);
    if constexpr (descends<TestType>) {
      if (at == "descent") {  // what has been reached is kept
        estimator.fit(X);
        CHECK(estimator.stopped_early());
        CHECK(estimator.embedding().allFinite());
        continue;
      }
    }
    contains(message_of<CancelledError>([&] { estimator.fit(X); }), at);
    CHECK_FALSE(estimator.is_fitted());
  }
}

TEMPLATE_LIST_TEST_CASE("a callback's exception reaches the caller and the model is left alone",
                        "[estimator][contract53][contract54]", Estimators) {
  struct Mine {
    int call;
  };
  const auto X = samples<TestType>();
  int calls = 0, throw_at = 0;
  OptionsOf<TestType> options;
  options.progress = [&](const Progress&) -> Control {
    if (++calls == throw_at) throw Mine{calls};
    return Control::proceed;
  };
  TestType estimator(options);
  estimator.fit(X);
  const std::string before = state_of(estimator);
  // Every stage begins with a call; how many there are within one depends on the time it takes.
  const int n_stages = static_cast<int>(estimator.report().stages.size());
  const int n_calls = calls;
  for (throw_at = 1; throw_at <= n_calls; ++throw_at) {
    calls = 0;
    TestType trial = estimator;
    bool thrown = false;
    try {
      trial.fit(samples<TestType>(50, 77));
    } catch (const Mine& mine) {
      thrown = true;
      CHECK(mine.call == throw_at);
    }
    if (!thrown) break;
    CHECK(state_of(trial) == before);
  }
  CHECK(throw_at > n_stages);
}

TEMPLATE_LIST_TEST_CASE("too small a memory limit is an error before the work",
                        "[estimator][contract60]", Estimators) {
  OptionsOf<TestType> options;
  options.memory_limit = 16;
  TestType estimator(options);
  try {
    estimator.fit(samples<TestType>());
    FAIL("nothing was thrown");
  } catch (const SizeLimitError& error) {
    CHECK(error.limit() == 16);
    CHECK(error.needed() > 16);
    contains(error.what(), "memory_limit");
  }
}

TEMPLATE_LIST_TEST_CASE("one model serves many threads", "[estimator][contract55]", Estimators) {
  TestType estimator;
  const auto X = samples<TestType>(200);
  estimator.fit(X);
  const TestType& shared = estimator;
  const auto expected = shared.transform(X);
  std::atomic<int> n_equal{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i)
        if (same_bytes(shared.transform(X), expected)) ++n_equal;
    });
  for (auto& thread : threads) thread.join();
  CHECK(n_equal == 20);
}

TEMPLATE_LIST_TEST_CASE("the number of threads does not change a byte", "[estimator][contract56]",
                        Estimators) {
  const auto X = samples<TestType>(700);
  std::string reference;
  Matrix<ScalarOf<TestType>> embedding, fresh;
  for (const int n_threads : {1, 2, 3, 8}) {
    OptionsOf<TestType> options;
    options.n_threads = n_threads;
    TestType estimator(options);
    estimator.fit(X);
    const auto placed = estimator.transform(samples<TestType>(333, 3));
    if (reference.empty()) {
      reference = state_of(estimator);
      embedding = estimator.embedding();
      fresh = placed;
    }
    CHECK(state_of(estimator) == reference);
    CHECK(same_bytes(estimator.embedding(), embedding));
    CHECK(same_bytes(placed, fresh));
  }
}

TEMPLATE_LIST_TEST_CASE("copies and moved-to models work on their own", "[estimator]", Estimators) {
  const auto X = samples<TestType>();
  TestType original;
  original.fit(X);
  const auto expected = original.transform(X);
  TestType copy = original;
  original.fit(samples<TestType>(33, 99));
  CHECK(same_bytes(copy.transform(X), expected));
  TestType moved = std::move(copy);
  CHECK(same_bytes(moved.transform(X), expected));
}

#include "support/model_file_contract.hpp"
