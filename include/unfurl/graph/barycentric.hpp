#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/times_transpose.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

namespace unfurl::detail {

/// The weights, summing to 1, with which a point is best composed of its neighbours: w solves
/// (G + R I) w = 1 up to a factor, G_jl = (x - x_j)·(x - x_l) and R = regularization · tr(G), or
/// regularization where the trace is 0 (Roweis and Saul 2000; Saul and Roweis 2003). Double
/// whatever the points are, one neighbourhood at a time: k² + k d numbers of scratch.
class BarycentricWeights {
 public:
  explicit BarycentricWeights(double regularization) : regularization_(regularization) {}

  /// \param x the point, of d coordinates
  /// \param neighbor neighbor(j) points to the coordinates of neighbour j, j < k
  /// \return k weights, valid until the next call
  template <class Scalar, class Neighbor>
  const double* operator()(const Scalar* x, Index d, Index k, Neighbor&& neighbor) {
    const auto at = [k](Index i, Index j) { return static_cast<std::size_t>(i * k + j); };
    differences_.resize(static_cast<std::size_t>(k * d));
    gram_.resize(static_cast<std::size_t>(k * k));
    weights_.assign(static_cast<std::size_t>(k), 1.0);
    double largest = 0;
    for (Index j = 0; j < k; ++j) {
      const Scalar* const other = neighbor(j);
      double* const difference = differences_.data() + j * d;
      for (Index i = 0; i < d; ++i) {
        difference[i] = static_cast<double>(x[i]) - static_cast<double>(other[i]);
        largest = std::max(largest, std::abs(difference[i]));
      }
    }
    // Scaled to 1, so that squares neither underflow nor overflow; weights do not change.
    if (largest > 0)
      for (double& difference : differences_) difference /= largest;
    double trace = 0;
    using Row = Eigen::Map<const Vector<double>>;
    for (Index j = 0; j < k; ++j) {
      for (Index l = 0; l <= j; ++l)
        gram_[at(j, l)] =
            Row(differences_.data() + j * d, d).dot(Row(differences_.data() + l * d, d));
      trace += gram_[at(j, j)];
    }
    const double shift = trace > 0 ? regularization_ * trace : regularization_;
    for (Index j = 0; j < k; ++j) gram_[at(j, j)] += shift;
    solve(k);
    double sum = 0;
    for (const double weight : weights_) sum += weight;
    for (double& weight : weights_) weight /= sum;
    return weights_.data();
  }

 private:
  /// gram_ weights_ = weights_, by L D Lᵀ in place; the matrix is positive definite.
  void solve(Index k) {
    double* const A = gram_.data();
    double* const w = weights_.data();
    for (Index j = 0; j < k; ++j) {
      double pivot = A[j * k + j];
      for (Index l = 0; l < j; ++l) pivot -= A[j * k + l] * A[j * k + l] * A[l * k + l];
      // Rounding may eat a pivot when the regularization is near that of double.
      A[j * k + j] = pivot = std::max(pivot, std::numeric_limits<double>::min() * 1e16);
      for (Index i = j + 1; i < k; ++i) {
        double entry = A[i * k + j];
        for (Index l = 0; l < j; ++l) entry -= A[i * k + l] * A[j * k + l] * A[l * k + l];
        A[i * k + j] = entry / pivot;
      }
    }
    for (Index i = 0; i < k; ++i)
      for (Index l = 0; l < i; ++l) w[i] -= A[i * k + l] * w[l];
    for (Index i = 0; i < k; ++i) w[i] /= A[i * k + i];
    for (Index i = k - 1; i >= 0; --i)
      for (Index l = i + 1; l < k; ++l) w[i] -= A[l * k + i] * w[l];
  }

  double regularization_;
  std::vector<double> differences_, gram_, weights_;
};

/// Wᵀ, whose column i holds the weights of point i.
/// \param point point(i) points to the d coordinates of point i
template <class Scalar, class Point>
SparseMatrix<double> transposed_weights(const NeighborList<Scalar>& neighbors, Index d,
                                        double regularization, const Parallel& parallel,
                                        Point&& point) {
  const Index n = neighbors.size();
  SparseMatrix<double> Wt(n, n);
  Wt.resizeNonZeros(neighbors.total());
  Index start = 0;
  for (Index i = 0; i < n; ++i) {
    Wt.outerIndexPtr()[i] = static_cast<int>(start);
    start += neighbors.count(i);
  }
  Wt.outerIndexPtr()[n] = static_cast<int>(start);
  parallel.for_blocks(n, 256, [&](const Parallel::Block& block) {
    BarycentricWeights weights(regularization);
    std::vector<int> ascending;
    for (Index i = block.begin; i < block.end; ++i) {
      ascending.assign(neighbors.indices(i), neighbors.indices(i) + neighbors.count(i));
      std::sort(ascending.begin(), ascending.end());
      const double* const w = weights(point(i), d, neighbors.count(i), [&](Index j) {
        return point(ascending[static_cast<std::size_t>(j)]);
      });
      std::copy(ascending.begin(), ascending.end(), Wt.innerIndexPtr() + Wt.outerIndexPtr()[i]);
      std::copy_n(w, neighbors.count(i), Wt.valuePtr() + Wt.outerIndexPtr()[i]);
    }
  });
  return Wt;
}

/// M = (I - W)ᵀ (I - W), so that yᵀ M y = |y - W y|².
/// \throws SizeLimitError
inline SparseMatrix<double> squared_deviations(std::string_view caller,
                                               const SparseMatrix<double>& Wt,
                                               const Parallel& parallel) {
  SparseMatrix<double> A(Wt.rows(), Wt.cols());
  A.setIdentity();
  A -= Wt;  // (I - W)ᵀ
  return TimesTranspose(A, parallel)(caller);
}

}  // namespace unfurl::detail
