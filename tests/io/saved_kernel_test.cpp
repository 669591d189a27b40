#include "unfurl/graph/saved_kernel.hpp"

#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "io/streams.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/graph/kernel_model.hpp"
#include "unfurl/neighbors/brute_force.hpp"

using namespace unfurl;
using test::contains;
using test::error_text;

namespace {

template <class Scalar, class Kernel>
using Model = detail::KernelModel<Scalar, Kernel, BruteForce>;

template <class Kernel>
struct ScalarOf;
template <template <class> class Kernel, class Scalar>
struct ScalarOf<Kernel<Scalar>> {
  using type = Scalar;
};

/// Kernels of a user's own.
template <class Scalar>
struct NamelessKernel {
  Scalar scale = 0;
  Scalar bandwidth() const { return scale; }
  NamelessKernel with_bandwidth(Scalar length) const { return {length}; }
  Scalar operator()(Scalar d2) const { return 1 / (1 + d2 / (scale * scale)); }
};
template <class Scalar>
struct NamedKernel : NamelessKernel<Scalar> {
  static constexpr const char* name = "Cauchy";
  NamedKernel with_bandwidth(Scalar length) const { return {{length}}; }
};

template <class Kernel>
std::string saved(const Kernel& kernel, typename ScalarOf<Kernel>::type bandwidth) {
  using Scalar = typename ScalarOf<Kernel>::type;
  Model<Scalar, Kernel> model;
  model.rule.n_neighbors = 3;
  Matrix<Scalar> points = test::gaussian<Scalar>(2, 5);
  points(1, 4) = Scalar(0.625);  // the last number before the kernel
  model.points = {BruteForce(), std::move(points), 3};
  model.kernel = kernel;
  model.bandwidth = bandwidth;
  detail::ArchiveWriter archive;
  model.write(archive);
  std::ostringstream out;
  archive.write_to(out, "Model", sizeof(Scalar));
  return out.str();
}

template <class Kernel>
Kernel loaded(const std::string& bytes) {
  using Scalar = typename ScalarOf<Kernel>::type;
  std::istringstream in(bytes);
  detail::ArchiveReader archive(in, "Model", sizeof(Scalar));
  Model<Scalar, Kernel> model;
  model.read(archive, 5);
  archive.finish();
  return model.kernel;
}

/// What stands between the header and the checksum.
std::string content_of(const std::string& bytes) {
  const std::size_t head = 8 + 4 + 4 + 8 + std::string("Model").size() + 8;
  return bytes.substr(head, bytes.size() - head - 8);
}

std::string file_of(const std::string& content) {
  detail::ArchiveWriter archive;
  for (const char byte : content) archive.unsigned_integer(static_cast<unsigned char>(byte));
  std::ostringstream out;
  archive.write_to(out, "Model", 8);
  return out.str();
}

}  // namespace

TEMPLATE_TEST_CASE("a kernel comes back from a model file to the bit", "[model][contract61]", float,
                   double) {
  for (const TestType scale : {TestType(0.3), TestType(1) / 3, TestType(1e-12), TestType(7e15)}) {
    CHECK(loaded<GaussianKernel<TestType>>(saved(GaussianKernel<TestType>(scale), scale))
              .bandwidth() == scale);
    const HeatKernel<TestType> heat(scale);
    CHECK(loaded<HeatKernel<TestType>>(saved(heat, heat.bandwidth())).t() == scale);
    CHECK(loaded<BinaryKernel<TestType>>(saved(BinaryKernel<TestType>(scale), TestType(0)))
              .epsilon() == scale);
    CHECK(loaded<NamelessKernel<TestType>>(saved(NamelessKernel<TestType>{scale}, scale)).scale ==
          scale);
    CHECK(loaded<NamedKernel<TestType>>(saved(NamedKernel<TestType>{{scale}}, scale)).scale ==
          scale);
  }
  CHECK(loaded<BinaryKernel<TestType>>(saved(BinaryKernel<TestType>(), TestType(0))).epsilon() ==
        std::numeric_limits<TestType>::infinity());
}

TEST_CASE("a model file of another kernel is refused by name", "[model][contract62]") {
  const std::string heat = saved(HeatKernel<double>(2), 1.0);
  CHECK(contains(error_text<FormatError>([&] { loaded<GaussianKernel<double>>(heat); }),
                 "saved with HeatKernel, it cannot be loaded with GaussianKernel"));
  CHECK_THROWS_AS(loaded<BinaryKernel<double>>(heat), FormatError);
  const std::string nameless = saved(NamelessKernel<double>{1}, 1.0);
  CHECK(contains(error_text<FormatError>([&] { loaded<GaussianKernel<double>>(nameless); }),
                 "saved with a kernel without a name"));
  const std::string named = saved(NamedKernel<double>{{1}}, 1.0);
  CHECK(contains(error_text<FormatError>([&] { loaded<NamelessKernel<double>>(named); }),
                 "saved with Cauchy"));
}

TEST_CASE("a parameter that no kernel has is refused", "[model][contract65]") {
  using detail::SavedKernel;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, -1.0}) {
    CHECK_FALSE(SavedKernel<GaussianKernel<double>>::is_valid(bad));
    CHECK_FALSE(SavedKernel<HeatKernel<double>>::is_valid(bad));
    CHECK_FALSE(SavedKernel<BinaryKernel<double>>::is_valid(bad));
    CHECK_FALSE(SavedKernel<NamelessKernel<double>>::is_valid(bad));
  }
  CHECK_FALSE(SavedKernel<GaussianKernel<double>>::is_valid(inf));
  CHECK_FALSE(SavedKernel<HeatKernel<double>>::is_valid(inf));
  CHECK_FALSE(SavedKernel<BinaryKernel<double>>::is_valid(0));
  for (const double no_float : {1e300, 1e-300, 0.1}) {
    CHECK_FALSE(SavedKernel<GaussianKernel<float>>::is_valid(no_float));
    CHECK_FALSE(SavedKernel<HeatKernel<float>>::is_valid(no_float));
    CHECK_FALSE(SavedKernel<BinaryKernel<float>>::is_valid(no_float));
    CHECK(SavedKernel<BinaryKernel<double>>::is_valid(no_float));
  }
}

TEST_CASE("a model file from before kernels were named still loads", "[model][contract61]") {
  const std::string gaussian = saved(GaussianKernel<double>(0.25), 0.25);
  REQUIRE(file_of(content_of(gaussian)) == gaussian);
  const std::string content = content_of(gaussian);
  const std::size_t kernel = 8 + std::string("GaussianKernel").size() + 8;
  const std::string old = file_of(content.substr(0, content.size() - kernel));
  CHECK(loaded<GaussianKernel<double>>(old).bandwidth() == 0.25);
  CHECK(loaded<BinaryKernel<double>>(old).epsilon() == std::numeric_limits<double>::infinity());
}

TEST_CASE("samples that cannot be searched are a bad file", "[model][contract65]") {
  std::string content = content_of(saved(GaussianKernel<double>(0.25), 0.25));
  const auto bytes_of = [](double value) {
    detail::ArchiveWriter archive;
    archive.number(value);
    return archive.bytes();
  };
  const std::size_t at = content.find(bytes_of(0.625));
  REQUIRE(at != std::string::npos);
  content.replace(at, 8, bytes_of(1e300));
  CHECK(contains(error_text<FormatError>([&] { loaded<GaussianKernel<double>>(file_of(content)); }),
                 "magnitude too large"));
}
