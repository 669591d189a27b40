#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "differential/nasty_data.hpp"
#include "neighbors/oracle.hpp"
#include "support/catch.hpp"
#include "unfurl/neighbors/box_tree.hpp"
#include "unfurl/neighbors/brute_force.hpp"
#include "unfurl/neighbors/kd_tree.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/neighbors/nn_descent.hpp"

// Every search finds the same neighbours, to the bit, on everything that is hard for one of them:
// the point sets of the layer's own tests (duplicates, lattices, collinear, outliers, scales from
// 1e-165 to 1e150) and those of the estimators'.

namespace {

std::vector<test::PointSet<double>> points_of_all_kinds() {
  auto sets = test::hard_point_sets<double>();
  for (const auto& data : test::nasty_data()) sets.push_back({data.name, data.X.transpose()});
  const double least = std::numeric_limits<double>::denorm_min();
  test::Matrix<double> denormal = test::normal_points<double>(3, 200) * 1e6;
  for (test::Index i = 0; i < denormal.size(); ++i)
    denormal.data()[i] = std::round(denormal.data()[i]) * least;
  sets.push_back({"denormal", denormal});
  return sets;
}

}  // namespace

TEST_CASE("Every search finds the same neighbours", "[differential][contract32]") {
  for (const auto& set : points_of_all_kinds()) {
    CAPTURE(set.name);
    const test::Index k = std::min<test::Index>(9, set.points.cols() - 1);
    const auto expected = unfurl::knn_self(unfurl::BruteForce{}.build(set.points), k);
    const auto check = [&](const auto& index) {
      CHECK(test::same_lists(unfurl::knn_self(index, k), expected));
    };
    check(unfurl::KdTree{}.build(set.points));
    check(unfurl::KdTree{2}.build(set.points));
    check(unfurl::AutoSearch{}.build(set.points));
    if (set.points.rows() <= unfurl::BoxTree::most_features)
      check(unfurl::BoxTree{}.build(set.points));
    check(unfurl::NnDescent{1}.build(set.points, k));
  }
}

TEST_CASE("Neighbours do not depend on threads, layout or a power of two",
          "[differential][contract12][contract56]") {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (const auto& data : test::nasty_data()) {
    CAPTURE(data.name);
    const unfurl::Parallel one(1);
    const auto expected = unfurl::knn(data.X, 7, unfurl::AutoSearch{}, one);
    for (int n_threads = 2; n_threads <= 8; ++n_threads) {
      const unfurl::Parallel parallel(n_threads);
      CHECK(test::same_lists(unfurl::knn(data.X, 7, unfurl::AutoSearch{}, parallel), expected));
    }
    CHECK(test::same_lists(unfurl::knn(RowMajor(data.X), 7), expected));
    for (const int exponent : {-490, 480}) {
      auto scaled = unfurl::knn(data.X * std::ldexp(1.0, exponent), 7);
      for (test::Index i = 0; i < scaled.size(); ++i)
        for (test::Index e = 0; e < 7; ++e)
          scaled.distances(i)[e] = std::ldexp(scaled.distances(i)[e], -exponent);
      CHECK(test::same_lists(scaled, expected));
    }
  }
}

TEST_CASE("Neighbours in float are those in double, up to its rounding", "[differential]") {
  for (const auto& data : test::nasty_data()) {
    if (data.name == "far from the origin") continue;  // float has no digits left there
    CAPTURE(data.name);
    // Coordinates of up to 100 are rounded, but for those of the outlier.
    const auto wide = unfurl::knn(data.X, 7);
    const auto narrow = unfurl::knn(data.X.cast<float>(), 7);
    for (test::Index i = 0; i < wide.size(); ++i)
      for (test::Index e = 0; e < 7; ++e)  // not indices: near-ties may change places
        CHECK(std::abs(static_cast<double>(narrow.distances(i)[e]) - wide.distances(i)[e]) <=
              1e-6 * (100 + wide.distances(i)[e]));
  }
}
