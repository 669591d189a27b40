#include "unfurl/tsne/affinities.hpp"

#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/neighbors/knn.hpp"

using namespace unfurl;

namespace {

template <class Values>
double perplexity_of(const Values* p, Index k) {
  double entropy = 0;
  for (Index j = 0; j < k; ++j)
    if (p[j] > 0) entropy -= double(p[j]) * std::log(double(p[j]));
  return std::exp(entropy);
}

}  // namespace

TEMPLATE_TEST_CASE("Every row has the perplexity asked for", "[tsne][anchorF1]", float, double) {
  using Scalar = TestType;
  const double perplexity = GENERATE(2.0, 5.5, 30.0, 89.0);
  const double scale = GENERATE(1.0, 1e-12, 1e12);
  const Matrix<Scalar> X = test::gaussian<Scalar>(300, 4) * static_cast<Scalar>(scale);
  const auto neighbors = knn(X, 90);
  const auto found = detail::conditional_affinities(neighbors, {perplexity}, Parallel(2));
  CHECK(found.n_infeasible == 0);
  CAPTURE(perplexity, scale);
  for (Index i = 0; i < 300; ++i) {
    double sum = 0;
    for (Index e = 0; e < 90; ++e) sum += double(found.lists.distances(i)[e]);
    REQUIRE(std::abs(sum - 1) < test::tol<Scalar>(1e-12));
    REQUIRE(std::abs(perplexity_of(found.lists.distances(i), 90) - perplexity) <
            (std::is_same_v<Scalar, double> ? 1e-5 : 1e-3));
  }
}

TEST_CASE("A common offset of the squared distances does no harm", "[tsne][anchorF6]") {
  std::vector<double> plain, offset;
  Random random(3);
  for (int j = 0; j < 90; ++j) {
    plain.push_back(0.5 + random.uniform());
    offset.push_back(plain.back() + 1e8);
  }
  CHECK(detail::meet_perplexity(plain.data(), 90, 30));
  CHECK(detail::meet_perplexity(offset.data(), 90, 30));
  for (std::size_t j = 0; j < 90; ++j) CHECK(std::abs(plain[j] - offset[j]) < 1e-6);
  CHECK(std::abs(perplexity_of(offset.data(), 90) - 30) < 1e-5);
}

TEST_CASE("The scale of the points changes no affinity", "[tsne][anchorF6]") {
  const Matrix<double> X = test::gaussian<double>(100, 4);
  const auto of = [](const Matrix<double>& points) {
    const auto found = detail::conditional_affinities(knn(points, 30), {10.0}, Parallel(1));
    return Matrix<double>(detail::joint_affinities(found.lists, Parallel(1), "test"));
  };
  for (const double scale : {3.7, 1e-100, 1e100})
    CHECK(test::max_abs_diff(of(X), of(X * scale)) < 1e-10);
}

TEST_CASE("A perplexity above a third of the points is met by all of them", "[tsne][contract45]") {
  const Matrix<double> X = test::gaussian<double>(40, 4);
  for (const double perplexity : {13.5, 20.0, 38.0}) {
    const auto found = detail::conditional_affinities(knn(X, 39), {perplexity}, Parallel(1));
    CHECK(found.n_infeasible == 0);
    for (Index i = 0; i < 40; ++i)
      CHECK(std::abs(perplexity_of(found.lists.distances(i), 39) - perplexity) < 1e-5);
  }
}

TEST_CASE("Where a perplexity cannot be met the row is uniform and counted",
          "[tsne][anchorF7][contract46]") {
  std::vector<double> equal(20, 7.0), ties(20, 3.0);
  CHECK_FALSE(detail::meet_perplexity(equal.data(), 20, 5));
  for (const double p : equal) CHECK(p == 1.0 / 20);
  for (std::size_t j = 8; j < 20; ++j) ties[j] = 4 + double(j);
  CHECK_FALSE(detail::meet_perplexity(ties.data(), 20, 5));
  for (std::size_t j = 0; j < 20; ++j) CHECK(ties[j] == (j < 8 ? 1.0 / 8 : 0.0));
  std::vector<double> enough(20, 3.0);
  for (std::size_t j = 8; j < 20; ++j) enough[j] = 4 + double(j);
  CHECK(detail::meet_perplexity(enough.data(), 20, 12));
  CHECK(std::abs(perplexity_of(enough.data(), 20) - 12) < 1e-5);
  std::vector<double> zero(10, 0.0);
  CHECK_FALSE(detail::meet_perplexity(zero.data(), 10, 3));
  for (const double p : zero) CHECK(p == 0.1);

  Matrix<double> X = test::gaussian<double>(60, 3).array() + 100;
  for (Index i = 0; i < 20; ++i) X.row(i).setZero();
  const auto found = detail::conditional_affinities(knn(X, 30), {10.0}, Parallel(1));
  CHECK(found.n_infeasible == 20);
}

TEST_CASE("Several perplexities are averaged", "[tsne]") {
  const Matrix<double> X = test::gaussian<double>(100, 3);
  const auto neighbors = knn(X, 60);
  const auto both = detail::conditional_affinities(neighbors, {5.0, 20.0}, Parallel(1));
  const auto small = detail::conditional_affinities(neighbors, {5.0}, Parallel(1));
  const auto large = detail::conditional_affinities(neighbors, {20.0}, Parallel(1));
  for (Index e = 0; e < 60; ++e)
    CHECK(std::abs(both.lists.distances(7)[e] -
                   (small.lists.distances(7)[e] + large.lists.distances(7)[e]) / 2) < 1e-15);
}

TEMPLATE_TEST_CASE("Joint affinities are symmetric and sum to one", "[tsne][anchorF2]", float,
                   double) {
  using Scalar = TestType;
  const Matrix<Scalar> X = test::gaussian<Scalar>(200, 3);
  const auto found = detail::conditional_affinities(knn(X, 30), {10.0}, Parallel(2));
  const SparseMatrix<Scalar> P = detail::joint_affinities(found.lists, Parallel(2), "test");
  const Matrix<Scalar> dense(P);
  CHECK(std::abs(dense.template cast<double>().sum() - 1) < test::tol<Scalar>(1e-12));
  CHECK(test::same_bytes(dense, dense.transpose().eval()));
  CHECK(dense.diagonal().isZero(0));
  CHECK(dense.minCoeff() >= 0);
  Matrix<double> expected = Matrix<double>::Zero(200, 200);
  for (Index i = 0; i < 200; ++i)
    for (Index e = 0; e < 30; ++e) {
      const Index j = found.lists.indices(i)[e];
      expected(i, j) += double(found.lists.distances(i)[e]) / 400;
      expected(j, i) += double(found.lists.distances(i)[e]) / 400;
    }
  CHECK(test::max_abs_diff(dense, expected) < test::tol<Scalar>(1e-15));
}
