#include <cmath>
#include <vector>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/tsne/affinities.hpp"
#include "unfurl/tsne/attraction.hpp"
#include "unfurl/tsne/barnes_hut.hpp"
#include "unfurl/tsne/optimizer.hpp"
#include "unfurl/tsne/repulsion.hpp"

using namespace unfurl;
using detail::Repulsion;

namespace {

SparseMatrix<double> affinities(Index n, double perplexity, std::uint64_t seed = 1) {
  const Matrix<double> X = test::gaussian<double>(n, 5, seed);
  const auto found = detail::conditional_affinities(
      knn(X, std::min<Index>(n - 1, Index(3 * perplexity))), {perplexity}, Parallel(1));
  return detail::joint_affinities(found.lists, Parallel(1), "test");
}

/// Σ p log(p / q) by the definition.
double textbook_divergence(const Matrix<double>& P, const Matrix<double>& Y, double nu) {
  double Z = 0, sum = 0;
  const auto u = [&](Index i, Index j) {
    return std::pow(1 + (Y.col(i) - Y.col(j)).squaredNorm() / nu, -(nu + 1) / 2);
  };
  for (Index i = 0; i < Y.cols(); ++i)
    for (Index j = 0; j < Y.cols(); ++j)
      if (i != j) Z += u(i, j);
  for (Index i = 0; i < Y.cols(); ++i)
    for (Index j = 0; j < Y.cols(); ++j)
      if (i != j && P(i, j) > 0) sum += P(i, j) * std::log(P(i, j) * Z / u(i, j));
  return sum;
}

Matrix<double> gradient(const SparseMatrix<double>& P, const Matrix<double>& Y, double nu) {
  const Parallel parallel(2);
  Matrix<double> pull;
  Repulsion<double> push;
  detail::attraction(P, Y, nu, pull, parallel);
  detail::ExactRepulsion{nu}(Y, push, parallel);
  return (2 * nu + 2) / nu * (pull - push.forces / push.normalizer);
}

double relative_gap(const Matrix<double>& a, const Matrix<double>& b) {
  return (a - b).norm() / b.norm();
}

}  // namespace

TEST_CASE("The gradient is that of the divergence", "[tsne][anchorF3][anchorF4]") {
  const Index d = GENERATE(1, 2, 3, 5);
  const double nu = GENERATE(1.0, 0.5, 3.0);
  CAPTURE(d, nu);
  const SparseMatrix<double> P = affinities(40, 8);
  Matrix<double> Y = test::gaussian<double>(d, 40, 9);
  const Matrix<double> found = gradient(P, Y, nu);
  Repulsion<double> push;
  detail::ExactRepulsion{nu}(Y, push, Parallel(1));
  CHECK(std::abs(detail::divergence(P, Y, nu, push.normalizer, Parallel(1)) -
                 textbook_divergence(Matrix<double>(P), Y, nu)) < 1e-12);
  double worst = 0;
  for (Index i = 0; i < 40; i += 7)
    for (Index c = 0; c < d; ++c) {
      const double h = 1e-5, at = Y(c, i);
      Y(c, i) = at + h;
      const double up = textbook_divergence(Matrix<double>(P), Y, nu);
      Y(c, i) = at - h;
      const double down = textbook_divergence(Matrix<double>(P), Y, nu);
      Y(c, i) = at;
      worst = std::max(worst, std::abs(found(c, i) - (up - down) / (2 * h)));
    }
  CHECK(worst < 1e-6 * found.cwiseAbs().maxCoeff());
  CHECK(found.rowwise().sum().cwiseAbs().maxCoeff() < 1e-12);
  // A rigid motion changes neither the divergence nor the length of any gradient.
  const Matrix<double> turn = test::orthogonal_factor(test::gaussian<double>(d, d, 6));
  const Matrix<double> moved = (turn * Y).colwise() + Vector<double>::Constant(d, 3);
  CHECK(std::abs(textbook_divergence(Matrix<double>(P), moved, nu) -
                 textbook_divergence(Matrix<double>(P), Y, nu)) < 1e-12);
  CHECK(test::max_abs_diff(gradient(P, moved, nu), turn * found) < 1e-12);
}

TEST_CASE("The gradient of four points is that of scikit-learn", "[tsne][anchorF9]") {
  // sklearn.manifold._t_sne._kl_divergence(Y.ravel(), P, 1, 4, 2), scikit-learn 1.2.1
  Matrix<double> dense(4, 4), Y(2, 4), expected(2, 4);
  dense << 0, .2, .05, .02, .2, 0, .08, .01, .05, .08, 0, .14, .02, .01, .14, 0;
  Y << 1, 0, 5, 7.3, 0, 1, 2, 2.2;
  expected << -0.10399783500272636, 0.05956425503357467, 0.028556166734814058, 0.01587741323433764,
      0.08941790563473975, -0.10116103562119513, 0.01023298126831231, 0.0015101487181430515;
  const SparseMatrix<double> P = dense.sparseView();
  CHECK(test::max_abs_diff(gradient(P, Y, 1), expected) < 1e-14);
  Repulsion<double> push;
  detail::ExactRepulsion{}(Y, push, Parallel(1));
  CHECK(std::abs(detail::divergence(P, Y, 1, push.normalizer, Parallel(1)) - 0.08293456298471422) <
        1e-14);
}

TEST_CASE("Two points have no gradient and no divergence, wherever they are", "[tsne][anchorF5]") {
  Matrix<double> dense(2, 2), Y(2, 2);
  dense << 0, 0.5, 0.5, 0;
  const SparseMatrix<double> P = dense.sparseView();
  for (const double apart : {1e-8, 1.0, 30.0}) {
    Y << 0, apart, 1, 1 - apart;
    CHECK(gradient(P, Y, 1).cwiseAbs().maxCoeff() < 1e-12);
    Repulsion<double> push;
    detail::ExactRepulsion{}(Y, push, Parallel(1));
    CHECK(std::abs(detail::divergence(P, Y, 1, push.normalizer, Parallel(1))) < 1e-12);
  }
}

TEST_CASE("A map in one point has no gradient and the known divergence", "[tsne][anchorF5]") {
  const SparseMatrix<double> P = affinities(50, 10);
  const Matrix<double> Y = Matrix<double>::Zero(2, 50);
  CHECK(gradient(P, Y, 1).isZero(0));
  double entropy = 0;
  for (Index i = 0; i < 50; ++i)
    for (SparseMatrix<double>::InnerIterator it(P, i); it; ++it)
      entropy -= it.value() * std::log(it.value());
  Repulsion<double> push;
  detail::ExactRepulsion{}(Y, push, Parallel(1));
  CHECK(push.normalizer == 50 * 49);
  CHECK(std::abs(detail::divergence(P, Y, 1, push.normalizer, Parallel(1)) -
                 (std::log(50.0 * 49) - entropy)) < 1e-12);
}

TEMPLATE_TEST_CASE_SIG("Barnes-Hut at theta 0 is exact, and close at 0.5",
                       "[tsne][anchorF8][contract48]", ((int Dim), Dim), 1, 2, 3) {
  const double nu = GENERATE(1.0, 2.0);
  const int kind = GENERATE(0, 1, 2, 3);
  Matrix<double> Y = test::gaussian<double>(Dim, 1500, 5) * 10;
  if (kind == 1)  // duplicates
    for (Index i = 0; i < 500; ++i) Y.col(i + 500) = Y.col(i % 40);
  if (kind == 2) Y.col(0).setConstant(1e6);  // one far outlier
  if (kind == 3) Y.setConstant(3);           // all in one point
  CAPTURE(nu, kind);
  const Parallel parallel(2);
  Repulsion<double> exact, fast;
  detail::ExactRepulsion{nu}(Y, exact, parallel);
  detail::BarnesHut<double, Dim>(0, nu)(Y, fast, parallel);
  CHECK(std::abs(fast.normalizer / exact.normalizer - 1) < 1e-12);
  const double scale = std::max(exact.forces.cwiseAbs().maxCoeff(), 1e-300);
  CHECK((fast.forces - exact.forces).cwiseAbs().maxCoeff() < 1e-10 * scale);
  if (kind == 3) return;
  detail::BarnesHut<double, Dim>(0.5, nu)(Y, fast, parallel);
  CHECK(std::abs(fast.normalizer / exact.normalizer - 1) < 1e-2);
  CHECK(relative_gap(fast.forces, exact.forces) < 5e-2);
  // Float does as well as the tree allows.
  Repulsion<float> narrow;
  detail::BarnesHut<float, Dim>(0.5, nu)(Y.cast<float>().eval(), narrow, parallel);
  CHECK(relative_gap(narrow.forces.template cast<double>(), exact.forces) < 5e-2);
}

TEST_CASE("Points in the same place, or next to it, do not deepen the tree", "[tsne][contract48]") {
  const Index n = 4000;
  const double apart = GENERATE(0.0, 1e-300, 1e-16);
  Matrix<double> Y = Matrix<double>::Constant(2, n, 0.5);
  for (Index i = 0; i < n; ++i) Y(0, i) += apart * static_cast<double>(i % 7);
  Y.col(n - 1) << 3.5, 4.5;  // at distance 5 from the rest
  Repulsion<double> tree;
  detail::BarnesHut<double, 2>(0.5)(Y, tree, Parallel(2));
  // n - 1 points that meet each other at distance 0 and one at distance 5: w = 1 / 26.
  const double others = static_cast<double>(n - 1);
  CHECK(std::abs(tree.normalizer / (others * (others - 1) + 2 * others / 26) - 1) < 1e-12);
  CHECK(std::abs(tree.forces(0, n - 1) / (3 * others / (26 * 26)) - 1) < 1e-12);
  CHECK(std::abs(tree.forces(1, n - 1) / (4 * others / (26 * 26)) - 1) < 1e-12);
  CHECK(std::abs(tree.forces(1, 0) / (-4.0 / (26 * 26)) - 1) < 1e-10);
}

TEST_CASE("Repulsion has the same bytes for any number of threads", "[tsne][contract56]") {
  const Matrix<float> Y = test::gaussian<float>(2, 3000, 2) * 20;
  Repulsion<float> one, many;
  detail::BarnesHut<float, 2> tree(0.5);
  tree(Y, one, Parallel(1));
  for (const int threads : {2, 3, 8}) {
    tree(Y, many, Parallel(threads));
    CHECK(test::same_bytes(one.forces, many.forces));
    CHECK(one.normalizer == many.normalizer);
  }
}

TEST_CASE("Descent lowers the divergence, keeps the map centred and stops at nonsense",
          "[tsne][contract51]") {
  const SparseMatrix<double> P = affinities(200, 15);
  const Parallel parallel(2);
  detail::DescentOptions options;
  options.learning_rate = 50;
  options.early_iterations = 50;
  detail::Optimizer<double> optimizer(P, detail::ExactRepulsion{}, options, parallel);
  detail::Descent<double> at;
  at.Y = test::gaussian<double>(2, 200, 4) * 1e-4;
  const double before = optimizer.divergence_of(at.Y);
  for (int i = 0; i < 50; ++i) optimizer.step(at, "test");
  const double middle = optimizer.divergence_of(at.Y);
  for (int i = 0; i < 200; ++i) optimizer.step(at, "test");
  const double after = optimizer.divergence_of(at.Y);
  CHECK(after < 0.7 * before);
  CHECK(after < middle);
  CHECK(at.iteration == 250);
  CHECK(at.Y.rowwise().mean().cwiseAbs().maxCoeff() < 1e-10);

  detail::Descent<double> broken = at;
  broken.Y(0, 3) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(optimizer.step(broken, "test"), NumericalError);
}
