#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/deferred.hpp"
#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/core/wide_products.hpp"

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
        tile(std::make_index_sequence<3>(), depth, a + i * A.outerStride(), A.outerStride(), b,
             B.outerStride(), c + i, C.outerStride());
      for (; i < end; ++i)
        tile(std::make_index_sequence<1>(), depth, a + i * A.outerStride(), 0, b, B.outerStride(),
             c + i, C.outerStride());
      return;
    }
    for (; j < B.cols(); ++j, b += B.outerStride(), c += C.outerStride()) {
      for (i = begin; i + 4 <= end; i += 4)
        tile(std::make_index_sequence<1>(), depth, b, 0, a + i * A.outerStride(), A.outerStride(),
             c + i, 1);
      for (; i < end; ++i) c[i] += dot(depth, a + i * A.outerStride(), b);
    }
  }

  /// c(i + c_stride t) += a_i^T b_t for n columns a_i and four columns b_t.
  template <std::size_t... I>
  static void tile(std::index_sequence<I...> columns, Index depth, const Scalar* a, Index a_stride,
                   const Scalar* b, Index b_stride, Scalar* c, Index c_stride) {
    constexpr Index n = sizeof...(I);
    Scalar sums[4 * sizeof...(I)];
    Index row = dots(columns, depth, a, a_stride, b, b_stride, sums);
    for (; row < depth; ++row)
      for (Index t = 0; t < 4; ++t)
        for (Index i = 0; i < n; ++i)
          sums[n * t + i] += a[row + i * a_stride] * b[row + t * b_stride];
    for (Index t = 0; t < 4; ++t)
      for (Index i = 0; i < n; ++i) c[t * c_stride + i] += sums[n * t + i];
  }

  /// sums(i + n t) = a_i^T b_t, as far as packets go.
  /// \returns how many rows that is
  template <std::size_t... I>
  static Index dots(std::index_sequence<I...>, Index depth, const Scalar* a, Index a_stride,
                    const Scalar* b, Index b_stride, Scalar* sums) {
    using namespace Eigen::internal;
    if constexpr (chooses_lanes)
      if (has_wide_lanes())
        return WideProducts<Scalar>::dots(std::index_sequence<I...>(), depth, a, a_stride, b,
                                          b_stride, sums);
    constexpr std::size_t n = sizeof...(I);
    const Packet zero = pset1<Packet>(Scalar(0));
    Packet s0[] = {(void(I), zero)...}, s1[] = {(void(I), zero)...};
    Packet s2[] = {(void(I), zero)...}, s3[] = {(void(I), zero)...};
    Index row = 0;
    for (; row + Lanes<Scalar>::packet_size <= depth; row += Lanes<Scalar>::packet_size) {
      const Packet x[] = {load_once<Packet>(a + row + static_cast<Index>(I) * a_stride)...};
      Packet y = load_once<Packet>(b + row);
      ((s0[I] = pmadd(x[I], y, s0[I])), ...);
      y = load_once<Packet>(b + row + b_stride);
      ((s1[I] = pmadd(x[I], y, s1[I])), ...);
      y = load_once<Packet>(b + row + 2 * b_stride);
      ((s2[I] = pmadd(x[I], y, s2[I])), ...);
      y = load_once<Packet>(b + row + 3 * b_stride);
      ((s3[I] = pmadd(x[I], y, s3[I])), ...);
    }
    ((sums[I] = predux(s0[I]), sums[n + I] = predux(s1[I]), sums[2 * n + I] = predux(s2[I]),
      sums[3 * n + I] = predux(s3[I])),
     ...);
    return row;
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
    const auto some = [&](auto n, Index j) {
      columns(n, depth, a, a_stride, b + j * b_stride, b_stride, c + j * c_stride, c_stride, first);
    };
    constexpr bool many_registers = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32;
    Index j = 0;
    if constexpr (many_registers || chooses_lanes)
      if (many_registers || has_wide_lanes())
        for (; j + 4 <= cols; j += 4) some(std::make_index_sequence<4>(), j);
    for (; j + 2 <= cols; j += 2) some(std::make_index_sequence<2>(), j);
    if (j < cols) some(std::make_index_sequence<1>(), j);
  }

  /// A few columns of the strip beside each other, as many as there are registers for their sums.
  template <std::size_t... J>
  static void columns(std::index_sequence<J...>, Index depth, const Scalar* a, Index a_stride,
                      const Scalar* b, Index b_stride, Scalar* c, Index c_stride, bool first) {
    if constexpr (chooses_lanes) {
      static_assert(Pack::size == WideProducts<Scalar>::rows);
      if (has_wide_lanes())
        return WideProducts<Scalar>::columns(std::index_sequence<J...>(), depth, a, a_stride, b,
                                             b_stride, c, c_stride, first);
    }
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
