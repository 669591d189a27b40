#include "unfurl/datasets/grid.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"

using namespace unfurl;

TEST_CASE("a grid has its points in order", "[grid]") {
  GridOptions options;
  options.spacing = 0.5;
  const Dataset<> plane = grid({2, 3}, options);
  Matrix<double> expected(6, 2);
  expected << 0, 0, 0, 0.5, 0, 1, 0.5, 0, 0.5, 0.5, 0.5, 1;
  CHECK(test::same_bytes(plane.points, expected));
  CHECK(test::same_bytes(plane.coordinates, expected));
  CHECK(plane.labels.empty());
  CHECK(test::same_bytes(grid<float>({2, 3}, options).points, expected.cast<float>().eval()));

  const Dataset<> line = grid({4});
  CHECK(test::same_bytes(line.points, Eigen::Vector4d(0, 1, 2, 3)));
  const Dataset<> box = grid({3, 4, 5});
  REQUIRE(box.points.rows() == 60);
  CHECK(test::same_bytes(box.points.row(1 * 20 + 2 * 5 + 3), Eigen::RowVector3d(1, 2, 3)));
  CHECK(grid({3, 0}).points.rows() == 0);
  CHECK(grid({3, 0}).points.cols() == 2);
}

TEST_CASE("noise moves the points of a grid and not its coordinates", "[grid]") {
  GridOptions options;
  options.noise = 0.1;
  options.seed = 3;
  const Dataset<> clean = grid({50, 40}), noisy = grid({50, 40}, options);
  CHECK(test::same_bytes(noisy.coordinates, clean.points));
  CHECK(test::same_bytes(noisy.points, grid({50, 40}, options).points));
  const Matrix<double> moved = noisy.points - clean.points;
  CHECK(std::abs(moved.norm() / std::sqrt(4000.0) - 0.1) < 4 * 0.1 / std::sqrt(8000.0));
  options.seed = 4;
  CHECK_FALSE(test::same_bytes(noisy.points, grid({50, 40}, options).points));
}

TEST_CASE("a grid that cannot be is refused", "[grid]") {
  const auto said = [](const std::vector<Index>& sides, const GridOptions& options = {}) {
    try {
      grid(sides, options);
    } catch (const ParameterError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(said({2, 2}).empty());
  CHECK(said({}) == "grid: the number of sides must be at least 1, got 0");
  CHECK(said({3, -1}) == "grid: a side must be at least 0, got -1");
  const Index most = (std::numeric_limits<Index>::max)();
  CHECK(said({most, most}) == "grid: the sides make more points than can be counted");
  GridOptions options;
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    options.spacing = bad;
    CHECK_FALSE(said({2}, options).empty());
  }
  options.spacing = 1;
  options.noise = -1;
  CHECK(said({2}, options) == "grid: noise must be finite and at least 0, got -1");
}
