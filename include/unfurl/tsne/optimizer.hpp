#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/tsne/attraction.hpp"
#include "unfurl/tsne/repulsion.hpp"

namespace unfurl::detail {

/// A map on its way: what gradient descent needs to go on from where it is.
template <class Real>
struct Descent {
  Matrix<Real> Y = {};  ///< one point a column
  Matrix<Real> velocity = {}, gains = {};
  Index iteration = 0;

  template <class Other>
  Descent<Other> cast() const {
    return {converted<Other>(Y), converted<Other>(velocity), converted<Other>(gains), iteration};
  }
};

struct DescentOptions {
  double learning_rate = 200;
  double early_exaggeration = 12, late_exaggeration = 1;
  Index early_iterations = 250;
  double degrees_of_freedom = 1;
};

/// Gradient descent with momentum and a gain for each coordinate (Jacobs 1988; van der Maaten and
/// Hinton 2008). Attraction is exaggerated at first, which lets clusters form while points can
/// still pass each other (van der Maaten 2014). A step is at most 5 long; the map stays centred.
template <class Real>
class Optimizer {
 public:
  using Repel = std::function<void(const Matrix<Real>&, Repulsion<Real>&, const Parallel&)>;

  Optimizer(const SparseMatrix<Real>& P, Repel repel, const DescentOptions& options,
            const Parallel& parallel)
      : P_(P), repel_(std::move(repel)), options_(options), parallel_(parallel) {}

  /// One iteration. \throws NumericalError at the first gradient that is not finite
  void step(Descent<Real>& at, std::string_view where) {
    const Index n = at.Y.cols(), d = at.Y.rows();
    if (at.velocity.size() == 0) {
      at.velocity.setZero(d, n);
      at.gains.setOnes(d, n);
    }
    const bool early = at.iteration < options_.early_iterations;
    const double exaggeration = early ? options_.early_exaggeration : options_.late_exaggeration;
    const double momentum = early ? 0.5 : 0.8, nu = options_.degrees_of_freedom;
    attraction(P_, at.Y, nu, pull_, parallel_);
    repel_(at.Y, push_, parallel_);
    const double scale = (2 * nu + 2) / nu;
    const auto a = static_cast<Real>(scale * exaggeration);
    const auto r = static_cast<Real>(scale / push_.normalizer);
    const auto rate = static_cast<Real>(options_.learning_rate), keep = static_cast<Real>(momentum);
    struct Sums {
      Vector<double> position;
      bool finite = true;
    };
    const Sums sums = parallel_.reduce(
        n, 1024, Sums{Vector<double>::Zero(d)},
        [&](const Parallel::Block& block) {
          Sums part{Vector<double>::Zero(d)};
          for (Index i = block.begin; i < block.end; ++i) {
            Real length = 0;
            for (Index c = 0; c < d; ++c) {
              const Real gradient = a * pull_(c, i) - r * push_.forces(c, i);
              Real& velocity = at.velocity(c, i);
              Real& gain = at.gains(c, i);
              gain = (gradient > 0) != (velocity > 0) ? gain + Real(0.2) : gain * Real(0.8);
              gain = std::max(gain, Real(0.01));
              velocity = keep * velocity - rate * gain * gradient;
              length += velocity * velocity;
            }
            part.finite = part.finite && std::isfinite(length);
            const Real shorten = length > 25 ? 5 / std::sqrt(length) : Real(1);
            for (Index c = 0; c < d; ++c) {
              at.velocity(c, i) *= shorten;
              at.Y(c, i) += at.velocity(c, i);
              part.position(c) += static_cast<double>(at.Y(c, i));
            }
          }
          return part;
        },
        [](Sums all, const Sums& part) {
          all.position += part.position;
          all.finite = all.finite && part.finite;
          return all;
        });
    if (!sums.finite)
      throw NumericalError(text(where, ": the gradient is not finite at iteration ",
                                at.iteration + 1, "; lower learning_rate (it is ",
                                options_.learning_rate, ")"));
    const Vector<Real> mean = (sums.position / static_cast<double>(n)).template cast<Real>();
    parallel_.for_each(
        n, [&](Index i) { at.Y.col(i) -= mean; }, 4096);
    ++at.iteration;
  }

  /// The divergence of the map as it is, not exaggerated.
  double divergence_of(const Matrix<Real>& Y) {
    repel_(Y, push_, parallel_);
    return divergence(P_, Y, options_.degrees_of_freedom, push_.normalizer, parallel_);
  }

 private:
  const SparseMatrix<Real>& P_;
  Repel repel_;
  DescentOptions options_;
  const Parallel& parallel_;
  Matrix<Real> pull_;
  Repulsion<Real> push_;
};

}  // namespace unfurl::detail
