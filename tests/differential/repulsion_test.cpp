#include <cmath>
#include <string>
#include <vector>

#include "differential/nasty_data.hpp"
#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/tsne/barnes_hut.hpp"
#include "unfurl/tsne/fft.hpp"
#include "unfurl/tsne/mesh.hpp"
#include "unfurl/tsne/repulsion.hpp"

// Three ways to sum the repulsion of a t-SNE map: by the definition, by a tree, by a convolution on
// a grid.

using namespace unfurl;
using detail::Repulsion;

namespace {

/// A point a column.
struct HardMap {
  std::string name;
  Matrix<double> Y;
};

/// At most 1e9 wide: a step of the descent is at most 5 long, so no map grows wider, and beyond it
/// the tree bounds squared distances so that products of two stay finite.
std::vector<HardMap> hard_maps() {
  std::vector<HardMap> maps;
  for (const auto& data : test::nasty_data())
    maps.push_back({data.name, data.X.leftCols(2).transpose().replicate(1, 9)});
  for (std::size_t m = 0; m < maps.size(); ++m)  // nine of each, beside each other
    for (Index i = 0; i < maps[m].Y.cols(); ++i)
      maps[m].Y.col(i) *= 1 + 0.1 * static_cast<double>(i % 9);
  const Matrix<double> cloud = test::gaussian<double>(2, 700, 4) * 20;
  maps.push_back({"cloud", cloud});
  maps.push_back({"line", cloud.row(0).replicate(2, 1)});
  maps.push_back({"one point", Matrix<double>::Constant(2, 300, 7)});
  for (const int exponent : {-1060, -490, -30, 20})
    maps.push_back(
        {"cloud times 2^" + std::to_string(exponent), cloud * std::ldexp(1.0, exponent)});
  return maps;
}

/// Relative to the largest force; to 1 where there is none.
double force_gap(const Matrix<double>& found, const Matrix<double>& expected) {
  const double largest = expected.cwiseAbs().maxCoeff();
  return test::max_abs_diff(found, expected) / (largest > 0 ? largest : 1);
}

}  // namespace

TEST_CASE("A tree that opens every cell gives the sum over all pairs", "[differential]") {
  const Parallel parallel(2);
  for (const HardMap& map : hard_maps()) {
    CAPTURE(map.name);
    Repulsion<double> exact, tree;
    detail::ExactRepulsion{}(map.Y, exact, parallel);
    detail::BarnesHut<double, 2>(0)(map.Y, tree, parallel);
    REQUIRE(exact.forces.allFinite());
    // The point itself, 1 in the sum, is taken off again.
    const double rounding = 1e-14 * static_cast<double>(map.Y.cols());
    CHECK(std::abs(tree.normalizer - exact.normalizer) <= 1e-10 * exact.normalizer + rounding);
    CHECK(force_gap(tree.forces, exact.forces) < 1e-10);
    detail::BarnesHut<double, 2>(0.5)(map.Y, tree, parallel);
    CHECK(std::abs(tree.normalizer - exact.normalizer) <= 1e-2 * exact.normalizer + rounding);
    CHECK(force_gap(tree.forces, exact.forces) < 0.1);
  }
}

TEST_CASE("Tree and mesh in float give the sums in double, up to their error", "[differential]") {
  const Parallel parallel(2);
  for (const HardMap& map : hard_maps()) {
    const double size = map.Y.cwiseAbs().maxCoeff();
    if (!(size > 1e-30 && size < 1e12)) continue;     // beyond what float can square
    if (map.name == "far from the origin") continue;  // float has no digits left there
    CAPTURE(map.name);
    const Matrix<float> narrow = map.Y.cast<float>();
    Repulsion<double> exact;
    detail::ExactRepulsion{}(narrow.cast<double>().eval(), exact, parallel);
    const auto check = [&](auto&& method, double tolerance) {
      Repulsion<float> found;
      method(narrow, found, parallel);
      CHECK(std::abs(found.normalizer - exact.normalizer) <=
            tolerance * exact.normalizer + 1e-5 * static_cast<double>(map.Y.cols()));
      CHECK(force_gap(found.forces.cast<double>(), exact.forces) < tolerance);
    };
    check(detail::ExactRepulsion{}, 1e-4);
    check(detail::BarnesHut<float, 2>(0.5), 0.1);
    detail::MeshRepulsion<2> mesh(0.5);
    check(mesh, 0.1);
  }
}

TEST_CASE("Repulsion has the same bytes for 1 to 8 threads, by every method",
          "[differential][contract56]") {
  for (const HardMap& map : hard_maps()) {
    CAPTURE(map.name);
    Repulsion<double> exact, tree;
    Repulsion<float> mesh;
    for (int n_threads = 1; n_threads <= 8; ++n_threads) {
      const Parallel parallel(n_threads);
      const auto check = [&](auto&& method, const auto& Y, auto& first) {
        auto again = first;
        method(Y, again, parallel);
        if (n_threads == 1) first = again;
        CHECK(test::same_bytes(again.forces, first.forces));
        CHECK(again.normalizer == first.normalizer);
      };
      check(detail::ExactRepulsion{}, map.Y, exact);
      check(detail::BarnesHut<double, 2>(0.5), map.Y, tree);
      detail::MeshRepulsion<2> method(0.5);
      check(method, map.Y.cast<float>().eval(), mesh);
    }
  }
}
