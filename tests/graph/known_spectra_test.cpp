#include <algorithm>
#include <cmath>
#include <vector>

#include "graph/sample_graphs.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "support/pi.hpp"
#include "unfurl/graph/affinity.hpp"
#include "unfurl/graph/laplacian.hpp"
#include "unfurl/kernels/radial.hpp"

// Graphs whose Laplacian spectra have closed forms, anchors C1 to C5.

using namespace unfurl;
using test::pi;

namespace {

struct Spectra {
  std::vector<double> plain, normalized;  // of D - W and of I - D^(-1/2) W D^(-1/2)
};

std::vector<double> eigenvalues(const SparseMatrix<double>& A) {
  const Vector<double> values = test::dense_eigenvalues(Matrix<double>(A));
  return {values.data(), values.data() + values.size()};
}

Spectra spectra(Index n, const sample::Pairs& pairs) {
  const Parallel parallel(2);
  const auto W = affinity(sample::unit_graph<double>(n, pairs), BinaryKernel<double>(),
                          SelfLoops::none, parallel);
  return {eigenvalues(laplacian(W, parallel)), eigenvalues(symmetric_laplacian(W, parallel))};
}

double gap(std::vector<double> found, std::vector<double> expected) {
  std::sort(expected.begin(), expected.end());
  REQUIRE(found.size() == expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::abs(found[i] - expected[i]));
  return worst;
}

/// factor (1 - cos(step k)), k = 0, …, n - 1
std::vector<double> cosines(Index n, double factor, double step) {
  std::vector<double> result;
  for (Index k = 0; k < n; ++k)
    result.push_back(factor * (1 - std::cos(step * static_cast<double>(k))));
  return result;
}

std::vector<double> sums(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result;
  for (const double x : a)
    for (const double y : b) result.push_back(x + y);
  return result;
}

/// {value, multiplicity} …
std::vector<double> repeated(const std::vector<std::pair<double, int>>& values) {
  std::vector<double> result;
  for (const auto& [value, times] : values)
    result.insert(result.end(), static_cast<std::size_t>(times), value);
  return result;
}

}  // namespace

TEST_CASE("Anchor C1: the spectrum of a path", "[graph][spectra][anchorC1]") {
  for (const Index n : {2, 3, 17, 60}) {
    const auto found = spectra(n, sample::path_pairs(n));
    const auto size = static_cast<double>(n);
    CHECK(gap(found.plain, cosines(n, 2, pi / size)) < 1e-12);
    CHECK(gap(found.normalized, cosines(n, 1, pi / (size - 1))) < 1e-12);
  }
}

TEST_CASE("Anchor C2: the spectrum of a cycle, every inner value twice",
          "[graph][spectra][anchorC2]") {
  for (const Index n : {3, 16, 61}) {
    const auto found = spectra(n, sample::cycle_pairs(n));
    const double step = 2 * pi / static_cast<double>(n);
    CHECK(gap(found.plain, cosines(n, 2, step)) < 1e-12);
    CHECK(gap(found.normalized, cosines(n, 1, step)) < 1e-12);
    CHECK(std::abs(found.plain[1] - found.plain[2]) < 1e-12);
  }
}

TEST_CASE("Anchor C3: the spectra of a grid and of a torus are sums",
          "[graph][spectra][anchorC3]") {
  const auto grid =
      spectra(108, sample::product_pairs(sample::path_pairs(12), 12, sample::path_pairs(9), 9));
  CHECK(gap(grid.plain, sums(cosines(12, 2, pi / 12), cosines(9, 2, pi / 9))) < 1e-12);

  const auto torus =
      spectra(108, sample::product_pairs(sample::cycle_pairs(12), 12, sample::cycle_pairs(9), 9));
  CHECK(gap(torus.plain, sums(cosines(12, 2, pi / 6), cosines(9, 2, 2 * pi / 9))) < 1e-12);
  CHECK(gap(torus.normalized, sums(cosines(12, 0.5, pi / 6), cosines(9, 0.5, 2 * pi / 9))) < 1e-12);
}

TEST_CASE("Anchor C4: complete graph, star, K_{3,4} and the hypercube",
          "[graph][spectra][anchorC4]") {
  const auto complete = spectra(11, sample::complete_pairs(11));
  CHECK(gap(complete.plain, repeated({{0, 1}, {11, 10}})) < 1e-12);
  CHECK(gap(complete.normalized, repeated({{0, 1}, {11.0 / 10, 10}})) < 1e-12);

  sample::Pairs star, bipartite, cube;
  for (Index i = 1; i < 9; ++i) star.emplace_back(0, i);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 3; j < 7; ++j) bipartite.emplace_back(i, j);
  for (Index i = 0; i < 16; ++i)
    for (Index bit = 1; bit < 16; bit *= 2)
      if ((i & bit) == 0) cube.emplace_back(i, i | bit);

  const auto of_star = spectra(9, star);
  CHECK(gap(of_star.plain, repeated({{0, 1}, {1, 7}, {9, 1}})) < 1e-12);
  CHECK(gap(of_star.normalized, repeated({{0, 1}, {1, 7}, {2, 1}})) < 1e-12);
  CHECK(gap(spectra(7, bipartite).plain, repeated({{0, 1}, {3, 3}, {4, 2}, {7, 1}})) < 1e-12);
  const auto of_cube = spectra(16, cube);
  CHECK(gap(of_cube.plain, repeated({{0, 1}, {2, 4}, {4, 6}, {6, 4}, {8, 1}})) < 1e-12);
  CHECK(gap(of_cube.normalized, repeated({{0, 1}, {0.5, 4}, {1, 6}, {1.5, 4}, {2, 1}})) < 1e-12);
}

TEST_CASE("Anchor C5: c components have exactly c eigenvalues zero",
          "[graph][spectra][anchorC5][contract36]") {
  for (const Index c : {1, 2, 5}) {
    sample::Pairs pairs;
    Index n = 0;
    for (Index part = 0; part < c; ++part) {
      const Index size = 4 + part;
      const auto cycle = sample::cycle_pairs(size, n);
      pairs.insert(pairs.end(), cycle.begin(), cycle.end());
      n += size;
    }
    const auto found = spectra(n, pairs);
    for (const auto& values : {found.plain, found.normalized}) {
      CHECK(std::abs(values[std::size_t(c) - 1]) < 1e-10);
      CHECK(values[std::size_t(c)] > 0.1);
    }
  }
}
