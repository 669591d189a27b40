#pragma once

#include <string>
#include <string_view>

#include "unfurl/core/error.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/laplacian.hpp"

namespace unfurl {

/// The matrices of laplacian.hpp.
enum class GraphMatrix {
  laplacian,            ///< L = D - W
  walk,                 ///< P = D⁻¹ W, not symmetric
  walk_laplacian,       ///< L_rw = I - P, not symmetric
  symmetric_walk,       ///< A_s = D^(-1/2) W D^(-1/2)
  symmetric_laplacian,  ///< L_sym = I - A_s
};

/// One of these matrices as a product with a vector, without forming it. It has the members that an
/// eigenvalue solver asks for (`Scalar`, `rows`, `cols`, `perform_op`). The rows are dealt to the
/// threads in fixed blocks and each is summed by one thread: the same bytes for any number of them.
///
/// W and the threads are referred to, not copied: both must live as long as the operator, and
/// temporaries are refused at compile time. Memory: three numbers a vertex.
template <class Scalar_>
class GraphOperator {
 public:
  using Scalar = Scalar_;  ///< of W and of the vectors

  /// The operator of one of these matrices; computes the degrees.
  /// \param W sparse symmetric affinities
  /// \param matrix which of the matrices of W to multiply with
  /// \param parallel the threads of each product
  /// \param where begins the text of an error: pass the estimator's name
  /// \throws DataError unless W is square; DisconnectedGraphError when a degree is 0 and the matrix
  ///   divides by it
  GraphOperator(const SparseMatrix<Scalar>& W, GraphMatrix matrix, const Parallel& parallel,
                std::string_view where = "GraphOperator")
      : W_(W), parallel_(parallel) {
    if (W.rows() != W.cols())
      throw DataError(detail::text(where, ": the affinity matrix must be square, got shape (",
                                   W.rows(), ", ", W.cols(), ")"));
    const Index n = W.cols();
    const Vector<Scalar> zero = Vector<Scalar>::Zero(n), one = Vector<Scalar>::Ones(n);
    const Vector<Scalar> d = degrees(W, parallel);
    if (matrix != GraphMatrix::laplacian) require_positive_degrees(where, W, d);
    const Vector<Scalar> inverse = d.cwiseInverse(), root = d.cwiseSqrt().cwiseInverse();
    switch (matrix) {
      case GraphMatrix::laplacian:
        set(d, -one, one);
        break;
      case GraphMatrix::walk:
        set(zero, inverse, one);
        break;
      case GraphMatrix::walk_laplacian:
        set(one, -inverse, one);
        break;
      case GraphMatrix::symmetric_walk:
        set(zero, root, root);
        break;
      case GraphMatrix::symmetric_laplacian:
        set(one, -root, root);
        break;
    }
  }

  // Nothing may be referred to that ends with the statement.
  GraphOperator(const SparseMatrix<Scalar>&&, GraphMatrix, const Parallel&,
                std::string_view = "") = delete;
  GraphOperator(const SparseMatrix<Scalar>&, GraphMatrix, const Parallel&&,
                std::string_view = "") = delete;
  GraphOperator(const SparseMatrix<Scalar>&&, GraphMatrix, const Parallel&&,
                std::string_view = "") = delete;

  /// Number of vertices.
  Index rows() const { return W_.rows(); }
  /// Number of vertices.
  Index cols() const { return W_.cols(); }

  /// y = A x; both have rows() entries and do not overlap.
  void perform_op(const Scalar* x, Scalar* y) const {
    parallel_.for_each(
        rows(), [&](Index i) { y[i] = diagonal_(i) * x[i] + left_(i) * row_times(i, x); },
        rows_per_block);
  }

 private:
  static constexpr Index rows_per_block = 1024;

  /// y_i = diagonal_i x_i + left_i Σ_j W_ij right_j x_j
  void set(const Vector<Scalar>& diagonal, const Vector<Scalar>& left,
           const Vector<Scalar>& right) {
    diagonal_ = diagonal;
    left_ = left;
    right_ = right;
  }

  /// Σ_j W_ij right_j x_j. Column i of the column-major W is its row i.
  Scalar row_times(Index i, const Scalar* x) const {
    const Index begin = W_.outerIndexPtr()[i];
    const Index end =
        W_.isCompressed() ? W_.outerIndexPtr()[i + 1] : begin + W_.innerNonZeroPtr()[i];
    const int* const index = W_.innerIndexPtr();
    const Scalar* const value = W_.valuePtr();
    const Scalar* const right = right_.data();
    Scalar sum = 0;
    for (Index e = begin; e < end; ++e) sum += value[e] * (right[index[e]] * x[index[e]]);
    return sum;
  }

  const SparseMatrix<Scalar>& W_;
  const Parallel& parallel_;
  Vector<Scalar> diagonal_, left_, right_;
};

}  // namespace unfurl
