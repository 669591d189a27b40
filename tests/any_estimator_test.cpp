#include "unfurl/any_estimator.hpp"

#include <limits>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "io/streams.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/classical_mds.hpp"
#include "unfurl/pca.hpp"

// Two kinds, which are quick to compile, stand for all.
template <>
struct unfurl::EveryEstimator<double> {
  using types = std::tuple<PCA<double>, ClassicalMDS<double>>;
};

using namespace unfurl;
using test::contains;
using test::error_text;
using test::same_bytes;

namespace {

using Any = AnyEstimator<double>;

const Matrix<double> X = test::gaussian<double>(30, 4);
const Matrix<double> fresh = test::gaussian<double>(7, 4, 2);

template <class E>
std::string state_of(const E& estimator) {
  std::ostringstream out;
  estimator.save(out);
  return out.str();
}

PCAOptions whitened() {
  PCAOptions options;
  options.n_components = 3;
  options.whiten = true;
  return options;
}

struct OwnOptions {
  double factor = 2;
};

/// Has the members of an estimator and the least behind them; its files are its own.
class OwnEstimator {
 public:
  explicit OwnEstimator(OwnOptions options = {}) : options_(options) {}
  OwnEstimator& fit(const ConstMatrixRef<double>& data) & {
    embedding_ = options_.factor * data;
    return *this;
  }
  Matrix<double> fit_transform(const ConstMatrixRef<double>& data) { return fit(data).embedding(); }
  Matrix<double> transform(const ConstMatrixRef<double>& data) const {
    return options_.factor * data;
  }
  const Matrix<double>& embedding() const { return embedding_; }
  bool is_fitted() const { return embedding_.size() > 0; }
  Index n_samples() const { return embedding_.rows(); }
  Index n_features() const { return embedding_.cols(); }
  const OwnOptions& options() const { return options_; }
  const FitReport& report() const { return report_; }
  void save(std::ostream& out) const {
    detail::ArchiveWriter archive;
    archive.number(options_.factor);
    archive.write_to(out, "OwnEstimator", sizeof(double));
  }
  static OwnEstimator load(std::istream& in) {
    detail::ArchiveReader archive(in, "OwnEstimator", sizeof(double));
    return OwnEstimator({archive.number<double>()});
  }

 private:
  OwnOptions options_;
  Matrix<double> embedding_ = {};
  FitReport report_ = {};
};

}  // namespace

TEST_CASE("AnyEstimator is an estimator", "[any_estimator][contract17]") {
  STATIC_REQUIRE(is_estimator_v<AnyEstimator<double>>);
  STATIC_REQUIRE(is_estimator_v<AnyEstimator<float>>);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Any>);
  STATIC_REQUIRE(std::is_nothrow_move_assignable_v<Any>);
  STATIC_REQUIRE(std::is_copy_constructible_v<Any>);
  STATIC_REQUIRE(std::is_convertible_v<PCA<double>, Any>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Any, PCA<float>>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Any, PCAOptions>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Any, int>);
}

TEST_CASE("it gives what the estimator it holds gives", "[any_estimator]") {
  PCA<double> pca(whitened());
  ClassicalMDS<double> mds;
  pca.fit(X);
  mds.fit(X);
  Any any = PCA<double>(whitened());
  CHECK_FALSE(any.is_fitted());
  CHECK(&any.fit(X) == &any);
  CHECK(any.is_fitted());
  CHECK(any.n_samples() == 30);
  CHECK(any.n_features() == 4);
  CHECK(same_bytes(any.embedding(), pca.embedding()));
  CHECK(same_bytes(any.transform(fresh), pca.transform(fresh)));
  CHECK(any.report().solver == pca.report().solver);
  CHECK(state_of(any) == state_of(pca));

  any = ClassicalMDS<double>();
  CHECK_FALSE(any.is_fitted());
  CHECK(same_bytes(any.fit_transform(X), mds.embedding()));
  CHECK(same_bytes(any.transform(fresh), mds.transform(fresh)));
  any = pca;  // fitted already
  CHECK(same_bytes(any.embedding(), pca.embedding()));
  any = OwnEstimator();
  CHECK(same_bytes(any.fit_transform(X), (2 * X).eval()));
}

TEST_CASE("its errors are those of what it holds, and leave it alone", "[any_estimator]") {
  Any any = PCA<double>();
  CHECK(contains(error_text<NotFittedError>([&] { any.transform(X); }), "PCA::transform"));
  CHECK(contains(error_text<NotFittedError>([&] { any.embedding(); }), "PCA::embedding"));
  CHECK(contains(error_text<NotFittedError>([&] { state_of(any); }), "PCA::save"));
  any.fit(X);
  const std::string before = state_of(any);
  Matrix<double> bad = X;
  bad(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(any.fit(bad), DataError);
  CHECK_THROWS_AS(any.transform(Matrix<double>::Ones(2, 9)), DimensionError);
  CHECK(state_of(any) == before);
}

TEST_CASE("one that holds nothing says so", "[any_estimator][contract1]") {
  Any empty;
  CHECK_FALSE(empty.is_fitted());
  CHECK(contains(error_text<NotFittedError>([&] { empty.fit(X); }), "AnyEstimator::fit: it holds"));
  CHECK_THROWS_AS(empty.transform(X), NotFittedError);
  CHECK_THROWS_AS(empty.embedding(), NotFittedError);
  CHECK_THROWS_AS(empty.report(), NotFittedError);
  CHECK_THROWS_AS(empty.options(), NotFittedError);
  CHECK_THROWS_AS(empty.n_samples(), NotFittedError);
  CHECK_THROWS_AS(state_of(empty), NotFittedError);
  CHECK(empty.target<PCA<double>>() == nullptr);
  Any full = PCA<double>(), other = full;
  const Any moved = std::move(full);
  CHECK(moved.target<PCA<double>>() != nullptr);
  CHECK_THROWS_AS(full.fit(X), NotFittedError);
  other = empty;
  CHECK(other.target<PCA<double>>() == nullptr);
}

TEST_CASE("copies live on their own", "[any_estimator]") {
  Any original = PCA<double>();
  original.fit(X);
  const Any copy = original;
  original.fit(fresh);
  CHECK(copy.n_samples() == 30);
  CHECK(original.n_samples() == 7);
  original = copy;
  CHECK(state_of(original) == state_of(copy));
  original = *&original;
  CHECK(state_of(original) == state_of(copy));
}

TEST_CASE("options make another of the kind, and what it holds can be reached", "[any_estimator]") {
  Any any = PCA<double>(whitened());
  any.fit(X);
  const AnyOptions<double> options = any.options();
  REQUIRE(options.get_if<PCAOptions>() != nullptr);
  CHECK(options.get_if<PCAOptions>()->n_components == 3);
  CHECK(options.get_if<ClassicalMDSOptions>() == nullptr);
  Any again(options);
  CHECK_FALSE(again.is_fitted());
  CHECK(same_bytes(again.fit_transform(X), any.embedding()));
  REQUIRE(any.target<PCA<double>>() != nullptr);
  CHECK(any.target<PCA<double>>()->explained_variance().size() == 3);
  CHECK(any.target<ClassicalMDS<double>>() == nullptr);
}

TEST_CASE("a saved model is loaded as what it is", "[any_estimator][contract61]") {
  PCA<double> pca(whitened());
  ClassicalMDS<double> mds;
  const std::string saved[] = {state_of(pca.fit(X)), state_of(mds.fit(X))};
  for (const std::string& bytes : saved) {
    std::istringstream in(bytes), listed_in(bytes);
    test::Pipe pipe(bytes);
    std::istream pipe_in(&pipe);
    CHECK(state_of(Any::load(in)) == bytes);
    CHECK(state_of(Any::load<ClassicalMDS<double>, PCA<double>>(listed_in)) == bytes);
    CHECK(state_of(Any::load(pipe_in)) == bytes);
  }
  std::istringstream in(saved[0]);
  const Any loaded = Any::load(in);
  CHECK(loaded.target<PCA<double>>() != nullptr);
  CHECK(same_bytes(loaded.transform(fresh), pca.transform(fresh)));
  std::istringstream own(state_of(OwnEstimator({5})));
  CHECK(Any::load<PCA<double>, OwnEstimator>(own).transform(X)(0, 0) == 5 * X(0, 0));
}

TEST_CASE("a model of another kind or scalar is refused by name", "[any_estimator][contract62]") {
  const auto said = [](const std::string& bytes) {
    return error_text<FormatError>([&] {
      std::istringstream in(bytes);
      Any::load<PCA<double>, OwnEstimator>(in);
    });
  };
  const auto archive_of = [](const char* estimator, std::size_t scalar_size) {
    std::ostringstream out;
    detail::ArchiveWriter().write_to(out, estimator, scalar_size);
    return out.str();
  };
  CHECK(contains(said(archive_of("ClassicalMDS", 8)),
                 "none of the 2 kinds expected is ClassicalMDS"));
  CHECK(contains(said(archive_of("PCA", 4)), "expected scalars of 8 bytes, found 4"));
  CHECK(contains(said(archive_of("PCA", 8)), "PCA::load: "));
  CHECK(contains(said("no model at all"), "AnyEstimator::load: this is not an unfurl model file"));
}

TEST_CASE("a damaged model is an error, never a crash", "[any_estimator][contract64]") {
  PCA<double> pca;
  const std::string good = state_of(pca.fit(X));
  const auto load = [](const std::string& bytes) {
    std::istringstream in(bytes);
    return Any::load(in);
  };
  REQUIRE(load(good).is_fitted());
  for (std::size_t length = 0; length < good.size(); ++length)
    CHECK_THROWS_AS(load(good.substr(0, length)), FormatError);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    CHECK_THROWS_AS(load(bad), FormatError);
  }
  CHECK_THROWS_AS(load(good + "x"), FormatError);
  test::BrokenDisk broken(good.substr(0, good.size() / 2));
  std::istream in(&broken);
  CHECK(contains(error_text<IoError>([&] { Any::load(in); }), "failed while reading"));
}
