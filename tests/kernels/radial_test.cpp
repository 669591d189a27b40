#include "unfurl/kernels/radial.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/kernels/requirements.hpp"

using namespace unfurl;

namespace {

/// Squared distance of two points, as it would reach the kernel.
template <class Scalar>
Scalar squared(const Vector<Scalar>& x, const Vector<Scalar>& y) {
  return (x - y).squaredNorm();
}

/// The three properties of a diffusion kernel: symmetry, non-negativity, locality.
template <class Scalar, class Kernel>
void check_properties(const Kernel& kernel, Scalar scale) {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector<Scalar> x = random.normal_matrix<Scalar>(3, 1) * scale;
    const Vector<Scalar> y = random.normal_matrix<Scalar>(3, 1) * scale;
    const Scalar value = kernel(squared(x, y));
    CHECK(value == kernel(squared(y, x)));
    CHECK(value >= 0);
    CHECK(value <= 1);
  }
  CHECK(kernel(Scalar(0)) == 1);
  const Scalar near = scale / 1000, far = scale * 1000;
  CHECK(std::abs(kernel(near * near) - 1) < Scalar(1e-5));
  CHECK(kernel(far * far) == 0);
  Scalar last = 1;
  for (Scalar distance = 0; distance < 5 * scale; distance += scale / 10) {
    CHECK(kernel(distance * distance) <= last);
    last = kernel(distance * distance);
  }
}

struct FixedCauchy {
  double operator()(double squared_distance) const { return 1 / (1 + squared_distance); }
};
struct ScalableKernel {
  double scale = 0;
  double bandwidth() const { return scale; }
  ScalableKernel with_bandwidth(double length) const { return {length}; }
  double operator()(double squared_distance) const { return squared_distance < scale ? 1 : 0; }
};
struct NotAKernel {
  double operator()(double x, double y) const { return x + y; }
};
struct NotConst {
  double operator()(double x) { return x; }
};

}  // namespace

TEMPLATE_TEST_CASE("Kernels are symmetric, non-negative and local", "[kernels]", float, double) {
  for (const double scale : {1e-3, 1.0, 250.0}) {
    const auto s = static_cast<TestType>(scale);
    check_properties<TestType>(GaussianKernel<TestType>(s), s);
    check_properties<TestType>(HeatKernel<TestType>(2 * s * s), s);
    check_properties<TestType>(BinaryKernel<TestType>(s), s);
  }
}

TEMPLATE_TEST_CASE("Kernels have the values their formulas give", "[kernels]", float, double) {
  using S = TestType;
  const S tolerance = test::tol<S>(1e-15);
  CHECK(std::abs(GaussianKernel<S>(S(0.5))(S(0.3)) - std::exp(S(-0.3) / S(0.5))) < tolerance);
  CHECK(std::abs(HeatKernel<S>(S(0.5))(S(0.3)) - std::exp(S(-0.3) / S(0.5))) < tolerance);
  CHECK(std::abs(GaussianKernel<S>(2)(S(4)) - std::exp(S(-0.5))) < tolerance);
}

TEST_CASE("A heat kernel at a bandwidth is the Gaussian kernel at that bandwidth", "[kernels]") {
  const auto heat = HeatKernel<double>().with_bandwidth(0.7);
  const auto gaussian = GaussianKernel<double>().with_bandwidth(0.7);
  CHECK(std::abs(heat.t() - 0.98) < 1e-15);
  CHECK(std::abs(heat.bandwidth() - 0.7) < 1e-15);
  for (const double squared : {0.0, 0.1, 1.0, 7.0})
    CHECK(std::abs(heat(squared) - gaussian(squared)) < 1e-15);
}

TEST_CASE("The binary kernel includes its radius and has none by default", "[kernels]") {
  CHECK(BinaryKernel<double>(0.3)(0.3 * 0.3) == 1);
  CHECK(BinaryKernel<double>(0.3)(std::nextafter(0.3 * 0.3, 1.0)) == 0);
  CHECK(BinaryKernel<double>()(1e300) == 1);
}

TEMPLATE_TEST_CASE("A kernel is never NaN, however extreme its scale", "[kernels][contract38]",
                   float, double) {
  using Limits = std::numeric_limits<TestType>;
  for (const TestType scale : {TestType(0), Limits::denorm_min(), (Limits::min)(), (Limits::max)()})
    for (const TestType squared :
         {TestType(0), Limits::denorm_min(), TestType(1), (Limits::max)()}) {
      const TestType gaussian = GaussianKernel<TestType>(scale)(squared);
      const TestType heat = HeatKernel<TestType>(scale)(squared);
      CHECK((gaussian >= 0 && gaussian <= 1));
      CHECK((heat >= 0 && heat <= 1));
      if (squared == 0) CHECK((gaussian == 1 && heat == 1));
    }
}

TEST_CASE("Kernel scales that make no sense are refused", "[kernels][contract9]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, nan, infinity}) {
    CHECK_THROWS_AS(GaussianKernel<double>(bad), ParameterError);
    CHECK_THROWS_AS(HeatKernel<double>(bad), ParameterError);
  }
  for (const double bad : {-1.0, nan, 0.0})
    CHECK_THROWS_AS(BinaryKernel<double>(bad), ParameterError);
}

TEST_CASE("The traits tell kernels and their bandwidths apart", "[kernels]") {
  STATIC_REQUIRE(is_kernel_v<GaussianKernel<double>, double>);
  STATIC_REQUIRE(is_kernel_v<GaussianKernel<float>, float>);
  STATIC_REQUIRE(is_kernel_v<HeatKernel<float>, float>);
  STATIC_REQUIRE(is_kernel_v<BinaryKernel<double>, double>);
  STATIC_REQUIRE(is_kernel_v<FixedCauchy, double>);
  STATIC_REQUIRE(!is_kernel_v<NotAKernel, double>);
  STATIC_REQUIRE(!is_kernel_v<NotConst, double>);
  STATIC_REQUIRE(!is_kernel_v<int, double>);

  STATIC_REQUIRE(has_bandwidth_v<GaussianKernel<double>, double>);
  STATIC_REQUIRE(has_bandwidth_v<HeatKernel<float>, float>);
  STATIC_REQUIRE(has_bandwidth_v<ScalableKernel, double>);
  STATIC_REQUIRE(!has_bandwidth_v<BinaryKernel<double>, double>);
  STATIC_REQUIRE(!has_bandwidth_v<FixedCauchy, double>);
}
