#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/deferred.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"

/// Dense products as functions. Every product expression written out makes the compiler build
/// Eigen's whole product machinery for its own types, which takes longer than all the rest of an
/// estimator; these are two loops around two kernels that keep their sums in registers.
namespace unfurl::detail {

/// C += A^T B in tiles of three columns of A by four of B, over so many rows at a time that the
/// columns stay in the cache.
template <class Scalar>
class InnerProducts {
 public:
  using Ref = ConstMatrixRef<Scalar>;

  /// At a time: 33 lines of the cache, so that columns of so many do not get in each other's way.
  static constexpr Index most_rows = Index{33} * 64 / Index{sizeof(Scalar)};

  /// \param lower A and B are the same, and entries above the diagonal of C are not wanted.
  static void add(const Ref& A, const Ref& B, Eigen::Ref<Matrix<Scalar>> C, bool lower = false) {
    constexpr Index many = 63;  // columns of A that stay in the second cache
    const Index chunk = B.cols() > 4 ? most_rows : std::max<Index>(1, A.rows());
    for (Index from = 0; from < A.rows(); from += chunk) {
      const Index depth = std::min(chunk, A.rows() - from);
      for (Index begin = 0; begin < A.cols(); begin += many) {
        const Index end = std::min(begin + many, A.cols());
        for (Index j = 0; j < (lower ? end : B.cols()); j += 4)
          add_columns(A, B, C, from, depth, lower ? std::max(begin, j) : begin, end, j);
      }
    }
  }

 private:
  using Packet = typename Lanes<Scalar>::Packet;

  /// Rows [begin, end) of columns j to j + 3 of C, from so many rows of A and B.
  static void add_columns(const Ref& A, const Ref& B, Eigen::Ref<Matrix<Scalar>>& C, Index from,
                          Index depth, Index begin, Index end, Index j) {
    const Scalar *a = A.data() + from, *b = B.data() + from + j * B.outerStride();
    Scalar* c = C.data() + j * C.outerStride();
    Index i = begin;
    if (j + 4 <= B.cols()) {
      for (; i + 3 <= end; i += 3)
        tile(depth, a + i * A.outerStride(), A.outerStride(), b, B.outerStride(), c + i,
             C.outerStride());
      for (; i < end; ++i)
        quad(depth, a + i * A.outerStride(), b, B.outerStride(), c + i, C.outerStride());
      return;
    }
    for (; j < B.cols(); ++j, b += B.outerStride(), c += C.outerStride()) {
      for (i = begin; i + 4 <= end; i += 4)
        quad(depth, b, a + i * A.outerStride(), A.outerStride(), c + i, 1);
      for (; i < end; ++i) c[i] += dot(depth, a + i * A.outerStride(), b);
    }
  }

  /// c(t) += x^T y_t for four columns y_t.
  static void quad(Index depth, const Scalar* x, const Scalar* y0, Index stride, Scalar* c,
                   Index c_stride) {
    using namespace Eigen::internal;
    const Scalar *y1 = y0 + stride, *y2 = y1 + stride, *y3 = y2 + stride;
    Packet s0 = pset1<Packet>(Scalar(0)), s1 = s0, s2 = s0, s3 = s0;
    Index i = 0;
    for (; i + Lanes<Scalar>::packet_size <= depth; i += Lanes<Scalar>::packet_size) {
      const Packet z = load_once<Packet>(x + i);
      s0 = pmadd(z, ploadu<Packet>(y0 + i), s0);
      s1 = pmadd(z, ploadu<Packet>(y1 + i), s1);
      s2 = pmadd(z, ploadu<Packet>(y2 + i), s2);
      s3 = pmadd(z, ploadu<Packet>(y3 + i), s3);
    }
    Scalar sums[4] = {predux(s0), predux(s1), predux(s2), predux(s3)};
    for (; i < depth; ++i)
      for (int t = 0; t < 4; ++t) sums[t] += x[i] * y0[i + t * stride];
    for (int t = 0; t < 4; ++t) c[t * c_stride] += sums[t];
  }

  /// The same for three columns, with results beside each other.
  static void tile(Index depth, const Scalar* a0, Index a_stride, const Scalar* b0, Index stride,
                   Scalar* c, Index c_stride) {
    using namespace Eigen::internal;
    const Scalar *a1 = a0 + a_stride, *a2 = a1 + a_stride;
    const Scalar *b1 = b0 + stride, *b2 = b1 + stride, *b3 = b2 + stride;
    const Packet zero = pset1<Packet>(Scalar(0));
    Packet s00 = zero, s01 = zero, s02 = zero, s03 = zero;
    Packet s10 = zero, s11 = zero, s12 = zero, s13 = zero;
    Packet s20 = zero, s21 = zero, s22 = zero, s23 = zero;
    Index i = 0;
    for (; i + Lanes<Scalar>::packet_size <= depth; i += Lanes<Scalar>::packet_size) {
      const Packet x0 = load_once<Packet>(a0 + i), x1 = load_once<Packet>(a1 + i);
      const Packet x2 = load_once<Packet>(a2 + i);
      const auto add = [&](const Scalar* b, Packet& s0, Packet& s1, Packet& s2) {
        const Packet y = load_once<Packet>(b + i);
        s0 = pmadd(x0, y, s0);
        s1 = pmadd(x1, y, s1);
        s2 = pmadd(x2, y, s2);
      };
      add(b0, s00, s10, s20);
      add(b1, s01, s11, s21);
      add(b2, s02, s12, s22);
      add(b3, s03, s13, s23);
    }
    Scalar sums[12] = {predux(s00), predux(s10), predux(s20), predux(s01),
                       predux(s11), predux(s21), predux(s02), predux(s12),
                       predux(s22), predux(s03), predux(s13), predux(s23)};
    for (; i < depth; ++i)
      for (int t = 0; t < 4; ++t) {
        const Scalar z = b0[i + t * stride];
        sums[3 * t] += a0[i] * z;
        sums[3 * t + 1] += a1[i] * z;
        sums[3 * t + 2] += a2[i] * z;
      }
    for (int t = 0; t < 4; ++t)
      for (int r = 0; r < 3; ++r) c[t * c_stride + r] += sums[3 * t + r];
  }
};

/// C = A B a strip of rows at a time. Every row goes through the same operations, so its result
/// does not depend on the rows beside it.
template <class Scalar>
class RowStrips {
 public:
  using Ref = ConstMatrixRef<Scalar>;
  using Pack = Lanes<Scalar>;

  static void multiply(const Ref& A, const Ref& B, Eigen::Ref<Matrix<Scalar>> C) {
    run(A, B, C, true);
  }
  /// C += A B
  static void add(const Ref& A, const Ref& B, Eigen::Ref<Matrix<Scalar>> C) { run(A, B, C, false); }

 private:
  /// \param afresh what is in C does not count
  static void run(const Ref& A, const Ref& B, Eigen::Ref<Matrix<Scalar>>& C, bool afresh) {
    constexpr Index chunk = 256, most = Pack::size;
    const Index depth = A.cols();
    if (afresh && depth == 0)
      for (Index j = 0; j < C.cols(); ++j)
        std::fill_n(C.data() + j * C.outerStride(), C.rows(), Scalar(0));
    if (C.size() == 0) return;
    std::vector<Scalar> packed, result;
    for (Index from = 0; from < depth; from += chunk) {
      const Index count = std::min(chunk, depth - from);
      const bool first = afresh && from == 0;
      for (Index top = 0; top < A.rows(); top += most) {
        const Index high = std::min(most, A.rows() - top);
        const Scalar *a = A.data() + top + from * A.outerStride(), *b = B.data() + from;
        Scalar* c = C.data() + top;
        Index a_stride = A.outerStride();
        if (high < most || B.cols() >= 16) {  // padded with zeros, or read often
          packed.assign(static_cast<std::size_t>(most * count), Scalar(0));
          for (Index k = 0; k < count; ++k)
            std::copy_n(a + k * a_stride, high, packed.data() + k * most);
          a = packed.data();
          a_stride = most;
        }
        if (high == most) {
          strip(count, a, a_stride, b, B.outerStride(), B.cols(), c, C.outerStride(), first);
          continue;
        }
        result.assign(static_cast<std::size_t>(most * B.cols()), Scalar(0));
        for (Index j = 0; j < B.cols() && !first; ++j)
          std::copy_n(c + j * C.outerStride(), high, result.data() + j * most);
        strip(count, a, a_stride, b, B.outerStride(), B.cols(), result.data(), most, first);
        for (Index j = 0; j < B.cols(); ++j)
          std::copy_n(result.data() + j * most, high, c + j * C.outerStride());
      }
    }
  }

  static void strip(Index depth, const Scalar* a, Index a_stride, const Scalar* b, Index b_stride,
                    Index cols, Scalar* c, Index c_stride, bool first) {
    Index j = 0;
    if constexpr (EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32)
      for (; j + 4 <= cols; j += 4)
        columns(std::make_index_sequence<4>(), depth, a, a_stride, b + j * b_stride, b_stride,
                c + j * c_stride, c_stride, first);
    for (; j + 2 <= cols; j += 2)
      columns(std::make_index_sequence<2>(), depth, a, a_stride, b + j * b_stride, b_stride,
              c + j * c_stride, c_stride, first);
    if (j < cols)
      columns(std::make_index_sequence<1>(), depth, a, a_stride, b + j * b_stride, b_stride,
              c + j * c_stride, c_stride, first);
  }

  /// A few columns of the strip beside each other, as many as there are registers for their sums.
  template <std::size_t... J>
  static void columns(std::index_sequence<J...>, Index depth, const Scalar* a, Index a_stride,
                      const Scalar* b, Index b_stride, Scalar* c, Index c_stride, bool first) {
    const auto nth = [](Index stride, std::size_t j) { return stride * static_cast<Index>(j); };
    Pack sums[] = {first ? Pack::all(0) : Pack::load(c + nth(c_stride, J))...};
    for (Index k = 0; k < depth; ++k) {
      const Pack x = Pack::load_once(a + k * a_stride);
      ((sums[J] = sums[J].plus(b[k + nth(b_stride, J)], x)), ...);
    }
    (sums[J].store(c + nth(c_stride, J)), ...);
  }
};

/// C = A B
template <class Scalar>
void multiply(const ConstMatrixRef<Scalar>& A, const ConstMatrixRef<Scalar>& B,
              Eigen::Ref<Matrix<Scalar>> C) {
  RowStrips<Scalar>::multiply(A, B, C);
}

/// The lower triangle of C += A^T A; entries above the diagonal may change too.
template <class Scalar>
void add_gram(const ConstMatrixRef<Scalar>& A, Eigen::Ref<Matrix<Scalar>> C) {
  InnerProducts<Scalar>::add(A, A, C, true);
}

/// C += A^T B
template <class Scalar>
void add_inner_product(const ConstMatrixRef<Scalar>& A, const ConstMatrixRef<Scalar>& B,
                       Eigen::Ref<Matrix<Scalar>> C) {
  InnerProducts<Scalar>::add(A, B, C);
}

/// A B
template <class Real = double>
Matrix<Real> product(const ConstDense<Real>& A, const ConstDense<Real>& B) {
  Matrix<Real> C(A.rows(), B.cols());
  multiply<Real>(A, B, C);
  return C;
}

/// A^T B
template <class Real = double>
Matrix<Real> inner_product(const ConstDense<Real>& A, const ConstDense<Real>& B) {
  Matrix<Real> C = Matrix<Real>::Zero(A.cols(), B.cols());
  add_inner_product<Real>(A, B, C);
  return C;
}

/// W minus its part in the span of the orthonormal columns Q.
template <class Real = double>
void project_out(const ConstDense<Real>& Q, Dense<Real>& W) {
  if (Q.cols() == 0) return;
  const Matrix<Real> part = product<Real>(Q, inner_product<Real>(Q, W));
  add_multiple(W.size(), Real(-1), part.data(), W.data());
}

}  // namespace unfurl::detail
