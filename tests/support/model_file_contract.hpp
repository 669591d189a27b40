#pragma once

// The part of the contract that is about files of models; support/estimator_contract.hpp, which has
// the helpers, includes it at its end.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>

#include "support/instrumented.hpp"
#include "unfurl/core/archive.hpp"
#include "unfurl/pca.hpp"

namespace {

/// On few samples, so that its file can be spoiled in every way.
template <class E>
E small_model() {
  OptionsOf<E> options;
  if constexpr (has_n_neighbors<OptionsOf<E>>) options.n_neighbors = 4;
  E estimator(options);
  estimator.fit(samples<E>(12));
  return estimator;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a saved model comes back to the bit", "[estimator][contract61]",
                        Estimators) {
  const auto X = samples<TestType>();
  TestType estimator;
  estimator.fit(X);
  std::istringstream in(state_of(estimator));
  const TestType loaded = TestType::load(in);
  CHECK(loaded.is_fitted());
  CHECK(loaded.n_samples() == X.rows());
  CHECK(loaded.n_features() == X.cols());
  CHECK(state_of(loaded) == state_of(estimator));
  CHECK(same_bytes(loaded.transform(X), estimator.transform(X)));
}

TEMPLATE_LIST_TEST_CASE("a damaged model is an error, never a crash",
                        "[estimator][contract62][contract63][contract64]", Estimators) {
  const std::string good = state_of(small_model<TestType>());
  TestType target;
  target.fit(samples<TestType>());
  int n_taken = 0;
  const auto load = [&](const std::string& bytes) {
    std::istringstream in(bytes);
    try {
      target = TestType::load(in);
      ++n_taken;
    } catch (const FormatError&) {
    }
  };
  check_left_alone_by(target, [&] {
    for (std::size_t length = 0; length < good.size(); ++length) load(good.substr(0, length));
    for (std::size_t at = 0; at < good.size(); ++at)
      for (const char flip : {'\x01', '\x80', '\xff'}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        load(bad);
      }
    load(good + "x");
  });
  CHECK(n_taken == 0);
  load(good);
  CHECK(n_taken == 1);
  using Other = std::conditional_t<std::is_same_v<ScalarOf<TestType>, float>, PCA<double>,
                                   PCA<float>>;  // another scalar, perhaps another estimator
  std::istringstream in(good);
  CHECK_THROWS_AS(Other::load(in), FormatError);
}

TEMPLATE_LIST_TEST_CASE("content that cannot be is an error or a model that works",
                        "[estimator][contract63][contract65]", Estimators) {
  const TestType model = small_model<TestType>();
  const std::string good = state_of(model);
  const Matrix<ScalarOf<TestType>> X = samples<TestType>(2, 8);
  std::istringstream head(good);
  detail::ArchiveReader::kind(head, "test");
  const std::size_t begin = static_cast<std::size_t>(head.tellg()) + 8, end = good.size() - 8;
  // Lengths; as doubles and pairs of floats: 0, -0, the largest, Inf and NaN.
  const std::uint64_t words[] = {0,
                                 1,
                                 std::uint64_t{1} << 31,
                                 std::uint64_t{1} << 62,
                                 ~std::uint64_t{0} >> 1,
                                 std::uint64_t{1} << 63,
                                 ~std::uint64_t{0},
                                 0x7fefffffffffffffULL,
                                 0x7f7fffff7f7fffffULL,
                                 0x7ff0000000000000ULL,
                                 0x7f8000007f800000ULL};
  int n_refused = 0, n_not_finite = 0;
  // Every field begins at some byte; under sanitizers the fuzzers see to the others. The checksum
  // is made right again.
  constexpr std::size_t step = UNFURL_TEST_INSTRUMENTED ? 3 : 1;
  for (std::size_t at = begin; at + 8 <= end; at += step)
    for (const std::uint64_t word : words) {
      detail::ArchiveWriter field, sum;
      field.unsigned_integer(word);
      std::string bad = good;
      bad.replace(at, 8, field.bytes());
      sum.unsigned_integer(detail::checksum(bad.substr(begin, end - begin)));
      bad.replace(end, 8, sum.bytes());
      std::istringstream in(bad);
      try {
        const TestType loaded = TestType::load(in);
        try {
          if (!loaded.transform(X).allFinite()) ++n_not_finite;
        } catch (const Error&) {
        }
      } catch (const FormatError&) {
        ++n_refused;
      }
    }
  CHECK(n_refused > 0);
  CHECK(n_not_finite == 0);
}

TEMPLATE_LIST_TEST_CASE("a stream that fails while saving is an error", "[estimator][contract66]",
                        Estimators) {
  TestType estimator;
  estimator.fit(samples<TestType>());
  std::ostringstream out;
  out.setstate(std::ios::failbit);
  CHECK_THROWS_AS(estimator.save(out), IoError);
}
