#include "unfurl/tsne/mesh.hpp"

#include <cmath>
#include <complex>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;
using detail::FourierTransform;
using detail::Repulsion;

TEST_CASE("The Fourier transform is the sum it should be, and its inverse undoes it", "[tsne]") {
  const Index length = GENERATE(4, 12, 16, 36, 48, 64, 96);
  const Index width = GENERATE(1, 5);
  FourierTransform fourier(length);
  FourierTransform::Buffer buffer(length, width);
  const Matrix<float> re = test::gaussian<float>(length, width, 1),
                      im = test::gaussian<float>(length, width, 2);
  const auto at = [&](Index i, Index s) { return static_cast<std::size_t>(i * width + s); };
  for (Index i = 0; i < length; ++i)
    for (Index s = 0; s < width; ++s)
      buffer.re[at(i, s)] = re(i, s), buffer.im[at(i, s)] = im(i, s);
  fourier.transform(buffer, false);
  double worst = 0;
  for (Index s = 0; s < width; ++s)
    for (Index k = 0; k < length; ++k) {
      std::complex<double> sum = 0;
      for (Index i = 0; i < length; ++i)
        sum += std::complex<double>(double(re(i, s)), double(im(i, s))) *
               std::polar(1.0, -2 * std::acos(-1.0) * double(i * k % length) / double(length));
      worst = std::max({worst, std::abs(sum.real() - double(buffer.re[at(k, s)])),
                        std::abs(sum.imag() - double(buffer.im[at(k, s)]))});
    }
  CHECK(worst < 1e-5 * std::sqrt(double(length)) * 4);
  fourier.transform(buffer, true);
  for (Index i = 0; i < length; ++i)
    CHECK(std::abs(buffer.re[at(i, 0)] / float(length) - re(i, 0)) < 1e-5f);
  CHECK(FourierTransform::length_from(length) == length);
}

TEMPLATE_TEST_CASE_SIG("A convolution on the grid is the sum it should be", "[tsne]",
                       ((int Dim), Dim), 1, 2) {
  detail::GridConvolution<Dim> convolution(24);
  // The kernel that the splines undo: their own square, so that the whole is the identity.
  const auto spline = [](Index i) { return i == 0 ? 4.0 / 6 : i == 1 ? 1.0 / 6 : 0.0; };
  const auto twice = [&](Index i) {
    double sum = 0;
    for (Index j = -1; j <= 1; ++j)
      sum += spline(std::abs(j)) * spline(std::abs(i - j) > 1 ? 2 : std::abs(i - j));
    return sum;
  };
  convolution.set_kernel([&](Index i, Index j) { return twice(i) * (Dim == 1 ? 1.0 : twice(j)); },
                         Parallel(2));
  const Matrix<float> noise = test::gaussian<float>(Index(convolution.size()), 1, 3);
  std::vector<float> grid(noise.data(), noise.data() + noise.size());
  convolution.apply(grid, Parallel(2));
  double worst = 0;
  for (std::size_t i = 0; i < grid.size(); ++i)
    worst = std::max(worst, std::abs(double(grid[i] - noise(Index(i)))));
  CHECK(worst < 1e-4);
}

TEMPLATE_TEST_CASE_SIG("The mesh gives the repulsion of the definition", "[tsne][anchorF8]",
                       ((int Dim), Dim), 1, 2) {
  const double nu = GENERATE(1.0, 2.0);
  const double scale = GENERATE(1e-4, 1.0, 5.0);
  CAPTURE(Dim, nu, scale);
  const Matrix<float> Y = test::gaussian<float>(Dim, 2000, 5) * static_cast<float>(scale);
  const Parallel parallel(2);
  Repulsion<double> exact;
  detail::ExactRepulsion{nu}(Y.cast<double>().eval(), exact, parallel);
  Repulsion<float> mesh;
  detail::MeshRepulsion<Dim> method(0.5, nu);
  method(Y, mesh, parallel);
  REQUIRE(method.n_on_grid() == 1);
  CHECK(std::abs(mesh.normalizer / exact.normalizer - 1) < 1e-3);
  CHECK((mesh.forces.template cast<double>() - exact.forces).norm() < 2e-2 * exact.forces.norm());
  // The same bytes for any number of threads, and when used again.
  Repulsion<float> again;
  for (const int threads : {1, 3, 8}) {
    method(Y, again, Parallel(threads));
    CHECK(test::same_bytes(mesh.forces, again.forces));
    CHECK(mesh.normalizer == again.normalizer);
  }
}

TEST_CASE("The mesh copes with outliers, duplicates and a map in one point", "[tsne]") {
  Matrix<float> Y = test::gaussian<float>(2, 500, 5) * 5;
  const Parallel parallel(2);
  detail::MeshRepulsion<2> method(0.2);
  Repulsion<float> mesh;
  Repulsion<double> exact;
  for (int kind = 0; kind < 3; ++kind) {
    if (kind == 0) Y.col(0).setConstant(1e6f);
    if (kind == 1)
      for (Index i = 0; i < 250; ++i) Y.col(i) = Y.col(499);
    if (kind == 2) Y.setZero();
    method(Y, mesh, parallel);
    detail::ExactRepulsion{}(Y.cast<double>().eval(), exact, parallel);
    // Half of the points in one place magnify the error of the kernel there.
    CHECK(std::abs(mesh.normalizer / exact.normalizer - 1) < (kind == 1 ? 1e-2 : 1e-3));
    CHECK((mesh.forces.cast<double>() - exact.forces).norm() <=
          (kind == 1 ? 0.2 : 3e-2) * exact.forces.norm());
  }
}
