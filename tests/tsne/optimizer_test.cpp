#include "unfurl/tsne/optimizer.hpp"

#include <cmath>

#include "support/catch.hpp"
#include "support/matrix.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/tsne/affinities.hpp"

using namespace unfurl;
using detail::Descent;
using detail::DescentOptions;

namespace {

/// Van der Maaten and Hinton's descent by its formulas, every pair, dense.
struct TextbookDescent {
  Matrix<double> P;
  DescentOptions options;

  void step(Descent<double>& at) const {
    const Index n = at.Y.cols();
    const bool early = at.iteration < options.early_iterations;
    const double exaggeration = early ? options.early_exaggeration : options.late_exaggeration;
    Matrix<double> w = Matrix<double>::Zero(n, n), gradient = Matrix<double>::Zero(at.Y.rows(), n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        if (i != j) w(i, j) = 1 / (1 + (at.Y.col(i) - at.Y.col(j)).squaredNorm());
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        gradient.col(i) += 4 * (exaggeration * P(i, j) - w(i, j) / w.sum()) * w(i, j) *
                           (at.Y.col(i) - at.Y.col(j));
    for (Index i = 0; i < gradient.size(); ++i) {
      const double slope = gradient.data()[i];
      double &velocity = at.velocity.data()[i], &gain = at.gains.data()[i];
      gain = (slope > 0) == (velocity > 0) ? gain * 0.8 : gain + 0.2;
      gain = std::max(gain, 0.01);
      velocity = (early ? 0.5 : 0.8) * velocity - options.learning_rate * gain * slope;
    }
    at.Y += at.velocity;
    at.Y.colwise() -= at.Y.rowwise().mean().eval();
    ++at.iteration;
  }
};

SparseMatrix<double> some_affinities(Index n) {
  const auto found = detail::conditional_affinities(knn(test::gaussian<double>(n, 4, 2), n / 2),
                                                    {static_cast<double>(n) / 8}, Parallel(1));
  return detail::joint_affinities(found.lists, Parallel(1), "test");
}

Descent<double> beginning(Index n, double gain) {
  return {test::gaussian<double>(2, n, 3), test::gaussian<double>(2, n, 4) * 0.1,
          Matrix<double>::Constant(2, n, gain), 0};
}

}  // namespace

TEST_CASE("The descent is that of the paper, also where exaggeration ends", "[tsne]") {
  const double gain = GENERATE(1.0, 0.011);  // the second meets the least gain
  const SparseMatrix<double> P = some_affinities(40);
  DescentOptions options;
  options.learning_rate = 1;  // no step is long enough to be cut
  options.early_iterations = 6;
  options.late_exaggeration = GENERATE(1.0, 1.5);
  const Parallel parallel(2);
  detail::Optimizer<double> optimizer(P, detail::ExactRepulsion{}, options, parallel);
  const TextbookDescent textbook{Matrix<double>(P), options};
  Descent<double> found = beginning(40, gain), expected = found;
  for (int step = 0; step < 12; ++step) {
    optimizer.step(found, "test");
    textbook.step(expected);
    CAPTURE(step, gain);
    REQUIRE(found.iteration == expected.iteration);
    CHECK(test::max_abs_diff(found.gains, expected.gains) < 1e-12);
    CHECK(test::max_abs_diff(found.velocity, expected.velocity) < 1e-9);
    CHECK(test::max_abs_diff(found.Y, expected.Y) < 1e-9);
  }
}

TEST_CASE("No point goes farther than 5 in one step", "[tsne]") {
  const SparseMatrix<double> P = some_affinities(40);
  DescentOptions options;
  options.learning_rate = 1e6;
  const Parallel parallel(1);
  detail::Optimizer<double> optimizer(P, detail::ExactRepulsion{}, options, parallel);
  Descent<double> at = beginning(40, 1);
  for (int step = 0; step < 3; ++step) {
    optimizer.step(at, "test");
    const Vector<double> length = at.velocity.colwise().norm();
    CHECK(length.maxCoeff() < 5 * (1 + 1e-12));
    CHECK(length.maxCoeff() > 4.9);
  }
}
