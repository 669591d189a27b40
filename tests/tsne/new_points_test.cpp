#include "unfurl/tsne/new_points.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/tsne/barnes_hut.hpp"
#include "unfurl/tsne/repulsion.hpp"

using namespace unfurl;

namespace {

using Tree = detail::BarnesHut<float, 2>;

struct Felt {
  std::array<float, 2> force = {};
  double sum = 0;
};

/// What a point feels on its way through the map, in steps far shorter and paths far longer than
/// the box for which the tree is walked once.
std::vector<Felt> walk(detail::FieldAlongPath& field, std::array<float, 2> y) {
  std::vector<Felt> felt(60);
  for (Felt& at : felt) {
    at.sum = field.at(y.data(), at.force.data());
    y[0] += 0.09f;
    y[1] -= 0.04f;
  }
  return felt;
}

}  // namespace

TEST_CASE("The field along a path is that of every point", "[tsne]") {
  const double nu = GENERATE(1.0, 0.5);
  const Matrix<float> map = 8 * test::gaussian<float>(2, 3000);
  Tree tree(0.5, nu);
  tree.build(map, Parallel(2));
  detail::ExactAlongPath exact(map, nu);
  detail::TreeAlongPath<2> path(tree, nu);
  const std::array<float, 2> y = {-3, 2};
  path.start(y.data());
  const auto found = walk(path, y), wanted = walk(exact, y);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(std::abs(found[i].sum / wanted[i].sum - 1) < 0.01);
    const float gap =
        std::hypot(found[i].force[0] - wanted[i].force[0], found[i].force[1] - wanted[i].force[1]);
    CHECK(static_cast<double>(gap) < 0.01 * wanted[i].sum);
  }
}

TEST_CASE("A path knows nothing of the former ones", "[tsne]") {
  const Matrix<float> map = 8 * test::gaussian<float>(2, 3000);
  Tree tree(0.5);
  tree.build(map, Parallel(2));
  detail::TreeAlongPath<2> fresh(tree, 1), used(tree, 1);
  const std::array<float, 2> y = {-3, 2}, near = {-3.2f, 2.1f};
  used.start(near.data());
  walk(used, near);
  fresh.start(y.data());
  used.start(y.data());
  const auto first = walk(fresh, y), second = walk(used, y);
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].force == second[i].force);
    CHECK(first[i].sum == second[i].sum);
  }
}
