#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "unfurl/core/error.hpp"
#include "unfurl/core/finite_places.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/kernels/radial.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"
#include "unfurl/spectral/row_product.hpp"

/// The step of a random walk from a new point to the training samples, for extending eigenvectors
/// beyond them (Nyström; Bengio et al. 2004, Coifman and Lafon 2006).
namespace unfurl::detail {

/// K(a + b) = K(a) K(b) up to a constant: a common factor can be taken out before it underflows.
template <class Kernel>
inline constexpr bool is_exponential_v = false;
template <class Scalar>
inline constexpr bool is_exponential_v<GaussianKernel<Scalar>> = true;
template <class Scalar>
inline constexpr bool is_exponential_v<HeatKernel<Scalar>> = true;

/// Turns squared distances from new point `row` into probabilities p_j ∝ K(d_j²) f_j, in place.
/// However far away the point is, the nearest samples keep their share.
/// \param factor factor(j) is f_j
/// \throws NumericalError when a kernel that is not exponential is 0 for all of them
template <class Scalar, class Kernel, class Values, class Factor>
void step_probabilities(std::string_view where, Index row, const Kernel& kernel, Values&& squares,
                        Factor&& factor) {
  const Index n = squares.size();
  const Scalar offset = is_exponential_v<Kernel> ? squares.minCoeff() : Scalar(0);
  Scalar sum = 0;
  for (Index j = 0; j < n; ++j) {
    squares(j) = static_cast<Scalar>(kernel(squares(j) - offset)) * factor(j);
    sum += squares(j);
  }
  if (!(sum > 0) || std::isinf(sum))
    throw NumericalError(text(where, ": the kernel is 0 between row ", row,
                              " and all training samples; it is too far away for this kernel"));
  squares /= sum;
}

/// Σ_j p(x, j) F_j for new points joined to the listed samples. A point that coincides with a
/// sample gets `stored` of that sample instead: its own row of the graph holds neighbours that a
/// new point's does not (those that have it among their nearest).
template <class Scalar, class Kernel, class Factor>
Matrix<Scalar> step_averages(std::string_view where, const NeighborList<Scalar>& neighbors,
                             const Kernel& kernel, const Matrix<Scalar>& F,
                             const Matrix<Scalar>& stored, const Parallel& parallel,
                             Factor&& factor) {
  Matrix<Scalar> result(neighbors.size(), F.cols());
  parallel.for_each(neighbors.size(), [&](Index i) {
    const int* const indices = neighbors.indices(i);
    if (neighbors.distances(i)[0] == 0) {
      result.row(i) = stored.row(indices[0]);
      return;
    }
    Vector<Scalar> p =
        Eigen::Map<const Vector<Scalar>>(neighbors.distances(i), neighbors.count(i)).cwiseAbs2();
    step_probabilities<Scalar>(where, i, kernel, p, [&](Index e) { return factor(indices[e]); });
    result.row(i).setZero();
    for (Index e = 0; e < p.size(); ++e) result.row(i) += p(e) * F.row(indices[e]);
  });
  return finite_places<Scalar>(where, std::move(result));
}

/// The same for new points joined to every sample.
/// \param squares squares(i, row) fills the squared distances of new point i to all samples
template <class Scalar, class Kernel, class Factor, class Squares>
Matrix<Scalar> dense_step_averages(std::string_view where, Index n_new, const Kernel& kernel,
                                   const Matrix<Scalar>& F, const Parallel& parallel,
                                   Factor&& factor, Squares&& squares) {
  const auto fetch = [&](Index begin, auto rows) {
    Vector<Scalar> p(F.rows());
    for (Index r = 0; r < rows.rows(); ++r) {
      squares(begin + r, p);
      step_probabilities<Scalar>(where, begin + r, kernel, p, factor);
      rows.row(r) = p.transpose();
    }
  };
  return finite_places<Scalar>(where, row_product<Scalar>(n_new, F, parallel, fetch));
}

}  // namespace unfurl::detail
