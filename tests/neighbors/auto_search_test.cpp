#include <cmath>
#include <string>

#include "neighbors/oracle.hpp"
#include "support/catch.hpp"
#include "unfurl/neighbors/auto_search.hpp"

using test::Index;
using test::Matrix;
using unfurl::AutoSearch;
using unfurl::SearchMethod;

namespace {

/// n points on an intrinsic-dimensional sheet bent into d coordinates.
template <class S>
Matrix<S> sheet(Index d, Index n, Index intrinsic) {
  const Matrix<S> parameters = test::normal_points<S>(intrinsic, n, 1);
  const Matrix<S> directions = test::normal_points<S>(d, intrinsic, 2);
  return (directions * parameters).array().sin().matrix() + directions * parameters;
}

}  // namespace

TEMPLATE_TEST_CASE("AutoSearch takes a tree for few features and low intrinsic dimension",
                   "[neighbors]", float, double) {
  using S = TestType;
  CHECK(AutoSearch{}.build(test::normal_points<S>(3, 4000)).method() == SearchMethod::box_tree);
  const auto boxes = AutoSearch{}.build(sheet<S>(7, 8000, 2));
  INFO(boxes.reason());
  CHECK(boxes.method() == SearchMethod::box_tree);
  CHECK(boxes.reason().find("box tree: a query meets about ") == 0);
  const auto index = AutoSearch{}.build(sheet<S>(50, 8000, 2));
  INFO(index.reason());
  CHECK(index.method() == SearchMethod::kd_tree);
  CHECK(index.reason().find("kd-tree: a query meets about ") == 0);
}

TEMPLATE_TEST_CASE(
    "AutoSearch takes products for few points and for data that fill many dimensions",
    "[neighbors]", float, double) {
  using S = TestType;
  CHECK(AutoSearch{}.build(test::normal_points<S>(2, 50)).method() == SearchMethod::brute_force);
  const auto index = AutoSearch{}.build(test::normal_points<S>(30, 4000));
  INFO(index.reason());
  CHECK(index.method() == SearchMethod::brute_force);
  CHECK(index.reason().find("brute force: a kd-tree's query would meet about ") == 0);
}

TEST_CASE("AutoSearch does as it is told and always chooses alike", "[neighbors]") {
  const Matrix<double> points = test::normal_points<double>(8, 3000);
  AutoSearch search;
  const auto chosen = search.build(points);
  CHECK(search.build(points).reason() == chosen.reason());
  search.method = SearchMethod::kd_tree;
  CHECK(search.build(points).method() == SearchMethod::kd_tree);
  CHECK(search.build(points).reason() == "kd-tree: as asked for");
  search.method = SearchMethod::brute_force;
  CHECK(search.build(points).method() == SearchMethod::brute_force);
  search.method = SearchMethod::box_tree;
  CHECK_THROWS_AS(search.build(points), unfurl::ParameterError);
  CHECK(search.build(Matrix<double>(points.topRows(7))).method() == SearchMethod::box_tree);
}

TEST_CASE("AutoSearch does not take boxes that every query would look through", "[neighbors]") {
  const auto index = AutoSearch{}.build(Matrix<double>(Matrix<double>::Ones(3, 1000)));
  CHECK(index.method() == SearchMethod::brute_force);
  CHECK(index.reason() == "brute force: a box tree's query would meet about 1000 of 1000 points");
}

TEST_CASE("count_evaluations counts the points a query meets", "[neighbors]") {
  const Matrix<double> points = test::normal_points<double>(2, 1000);
  auto index = unfurl::KdTree{}.build(points);
  CHECK(index.count_evaluations(points.data(), 1000) == 1000);
  const Index few = index.count_evaluations(points.data(), 1);
  CHECK(few >= 1);
  CHECK(few < 200);
  const auto boxes = unfurl::BoxTree{}.build(points);
  CHECK(boxes.count_evaluations(points.data(), 1000) == 1000);
  CHECK(boxes.count_evaluations(points.data(), 1) >= 1);
  CHECK(boxes.count_evaluations(points.data(), 1) < 100);
  auto one_leaf = unfurl::KdTree{1000}.build(points);
  CHECK(one_leaf.count_evaluations(points.data(), 1) == 1000);
}
