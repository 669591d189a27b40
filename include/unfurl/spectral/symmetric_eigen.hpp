#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "unfurl/core/lanes.hpp"
#include "unfurl/core/types.hpp"

/// Eigenvalues and eigenvectors of a dense symmetric matrix: Householder tridiagonalisation, then
/// the implicit QR algorithm with Wilkinson's shift (Golub and Van Loan, Matrix Computations, 8.3;
/// Wilkinson 1968; Dubrulle, Martin and Wilkinson 1968). Eigen's solver is the same algorithm in
/// expressions, which every program that includes it pays for in seconds of compile time; these are
/// loops over contiguous numbers.
namespace unfurl::detail {

/// A = Q T Q^T, T tridiagonal, Q = H_0 H_1 ..., H_k = 1 - tau_k v_k v_k^T.
template <class Real>
class Tridiagonal {
  static constexpr Index lanes = Lanes<Real>::size;

 public:
  std::vector<Real> diagonal, beside;

  /// Of scale * A, whose entries should be about 1; the lower triangle is read.
  Tridiagonal(const Matrix<Real>& A, Real scale)
      : diagonal(size_of(A.rows())),
        beside(size_of(A.rows())),
        n_(A.rows()),
        // Columns end in zeros, so that loops over whole lanes need no remainder; an odd number of
        // cache lines, so that columns do not compete for the same part of the cache.
        stride_((n_ / lanes + 2) / 2 * 2 * lanes + lanes),
        tau_(size_of(n_)),
        columns_(size_of(n_ * stride_)) {
    for (Index j = 0; j < n_; ++j)
      for (Index i = j; i < n_; ++i) column(j)[i] = scale * A(i, j);
    reduce();
  }

  /// Turns a few eigenvectors of T into those of A: entry i of all of them is at W + lanes * i.
  void back_transform(Real* W) const {
    using Pack = Lanes<Real>;
    for (Index k = n_ - 3; k >= 0; --k) {
      const Real* v = column(k);
      Pack along = Pack::all(0);
      for (Index i = k + 1; i < n_; ++i) along = along.plus(v[i], Pack::load(W + lanes * i));
      along = along.times(-tau_[size_of(k)]);
      for (Index i = k + 1; i < n_; ++i)
        Pack::load(W + lanes * i).plus(v[i], along).store(W + lanes * i);
    }
  }

 private:
  static std::size_t size_of(Index n) { return static_cast<std::size_t>(n); }
  Real* column(Index j) { return columns_.data() + j * stride_; }
  const Real* column(Index j) const { return columns_.data() + j * stride_; }

  /// Column k gives reflector k. Its change of the matrix, A -= v w^T + w v^T, is made in the pass
  /// that multiplies the matrix by the next v: the matrix is read once a step.
  void reduce() {
    std::vector<Real> v(size_of(stride_)), w(v), next(v), image(v);
    for (Index k = 0; k < n_; ++k) {
      Real* x = column(k);
      for (Index i = k; i < n_; ++i)
        x[i] -= v[size_of(i)] * w[size_of(k)] + w[size_of(i)] * v[size_of(k)];
      diagonal[size_of(k)] = x[k];
      if (k + 1 == n_) break;
      tau_[size_of(k)] = reflector(x + k + 1, n_ - k - 1, beside[size_of(k)]);
      next[size_of(k)] = 0;
      std::copy(x + k + 1, x + n_, next.begin() + k + 1);
      std::fill(image.begin(), image.end(), Real(0));
      Index j = k + 1;
      for (; j + 1 < n_; j += 2)
        update_and_multiply(j, v.data(), w.data(), next.data(), image.data());
      if (j < n_) {
        Real& last = column(j)[j];
        last -= 2 * v[size_of(j)] * w[size_of(j)];
        image[size_of(j)] += last * next[size_of(j)];
      }
      const Real tau = tau_[size_of(k)];
      Real along = 0;
      for (Index i = k + 1; i < n_; ++i) along += image[size_of(i)] * next[size_of(i)];
      v.swap(next);
      for (Index i = 0; i < n_; ++i)
        w[size_of(i)] = i > k ? tau * (image[size_of(i)] - tau / 2 * along * v[size_of(i)]) : 0;
    }
  }

  /// Columns j and j + 1 of the lower triangle: A -= v w^T + w v^T, then image += A next.
  void update_and_multiply(Index j, const Real* v, const Real* w, const Real* next, Real* image) {
    using namespace Eigen::internal;
    using Packet = typename Lanes<Real>::Packet;
    Real *a = column(j), *b = column(j + 1);
    a[j] -= 2 * v[j] * w[j];
    a[j + 1] -= v[j + 1] * w[j] + w[j + 1] * v[j];
    b[j + 1] -= 2 * v[j + 1] * w[j + 1];
    image[j] += a[j] * next[j] + a[j + 1] * next[j + 1];
    image[j + 1] += a[j + 1] * next[j] + b[j + 1] * next[j + 1];
    const Packet va = pset1<Packet>(-v[j]), vb = pset1<Packet>(-v[j + 1]);
    const Packet wa = pset1<Packet>(-w[j]), wb = pset1<Packet>(-w[j + 1]);
    const Packet na = pset1<Packet>(next[j]), nb = pset1<Packet>(next[j + 1]);
    Packet along_a = pset1<Packet>(Real(0)), along_b = along_a;
    for (Index i = j + 2; i < n_; i += Lanes<Real>::packet_size) {
      const Packet vi = load_once<Packet>(v + i), wi = load_once<Packet>(w + i);
      const Packet ai = pmadd(wi, va, pmadd(vi, wa, ploadu<Packet>(a + i)));
      const Packet bi = pmadd(wi, vb, pmadd(vi, wb, ploadu<Packet>(b + i)));
      const Packet ni = load_once<Packet>(next + i);
      along_a = pmadd(ai, ni, along_a);
      along_b = pmadd(bi, ni, along_b);
      pstoreu(image + i, pmadd(bi, nb, pmadd(ai, na, ploadu<Packet>(image + i))));
      pstoreu(a + i, ai);
      pstoreu(b + i, bi);
    }
    image[j] += predux(along_a);
    image[j + 1] += predux(along_b);
  }

  /// Replaces x by v, v(0) = 1, with (1 - tau v v^T) x = (first, 0, ...). \returns tau.
  static Real reflector(Real* x, Index n, Real& first) {
    Real rest = 0;
    for (Index i = 1; i < n; ++i) rest += x[i] * x[i];
    const Real alpha = x[0];
    x[0] = 1;
    first = alpha;
    if (!(rest > 0)) return 0;
    first = -std::copysign(std::sqrt(alpha * alpha + rest), alpha);
    const Real inverse = 1 / (alpha - first);
    for (Index i = 1; i < n; ++i) x[i] *= inverse;
    return (first - alpha) / first;
  }

  Index n_, stride_;
  std::vector<Real> tau_, columns_;
};

/// A product of plane rotations, collected by `add` and applied many at a time: a few rows of the
/// product stay in the cache meanwhile.
template <class Real>
class Rotations {
  static constexpr Index lanes = Lanes<Real>::size;

 public:
  /// \param n size of the product, or 0 to forget every rotation.
  explicit Rotations(Index n)
      : n_(n), panels_(static_cast<std::size_t>((n + lanes - 1) / lanes * lanes * n)) {
    for (Index i = 0; i < n; ++i) row(i)[lanes * i] = 1;
  }

  bool wanted() const { return n_ > 0; }

  /// A sweep of rotations of the columns first and first + 1, first + 1 and first + 2, ...
  void begin_sweep(Index first) {
    if (rotations_.size() > 4096) apply();
    sweeps_.push_back({first, rotations_.size()});
  }
  void add(Real cosine, Real sine) { rotations_.push_back({cosine, sine}); }

  void apply() {
    for (Index top = 0; top < n_; top += lanes)
      for (std::size_t s = 0; s < sweeps_.size(); ++s) {
        const std::size_t end = s + 1 < sweeps_.size() ? sweeps_[s + 1].begin : rotations_.size();
        // After t sweeps row i is still zero before column i - t.
        const Index zeros = top - n_sweeps_ - static_cast<Index>(s) - 1 - sweeps_[s].first;
        const std::size_t skipped = static_cast<std::size_t>(std::max<Index>(zeros, 0));
        const std::size_t begin = std::min(end, sweeps_[s].begin + skipped);
        const Index first = sweeps_[s].first + static_cast<Index>(begin - sweeps_[s].begin);
        rotate(row(top) + lanes * first, begin, end);
      }
    n_sweeps_ += static_cast<Index>(sweeps_.size());
    sweeps_.clear();
    rotations_.clear();
  }

  Real operator()(Index i, Index j) const {
    return panels_[static_cast<std::size_t>(i / lanes * lanes * n_ + lanes * j + i % lanes)];
  }

 private:
  struct Rotation {
    Real cosine, sine;
  };
  struct Sweep {
    Index first;
    std::size_t begin;  // in rotations_
  };

  /// `lanes` rows lie together, column after column.
  Real* row(Index i) { return panels_.data() + i / lanes * lanes * n_ + i % lanes; }

  void rotate(Real* columns, std::size_t begin, std::size_t end) const {
    if (begin == end) return;
    using Pack = Lanes<Real>;
    Pack x = Pack::load(columns);
    for (std::size_t r = begin; r < end; ++r, columns += lanes) {
      const Pack y = Pack::load(columns + lanes);
      x.times(rotations_[r].cosine).plus(rotations_[r].sine, y).store(columns);
      x = y.times(rotations_[r].cosine).plus(-rotations_[r].sine, x);
    }
    x.store(columns);
  }

  Index n_, n_sweeps_ = 0;
  std::vector<Real> panels_;
  std::vector<Rotation> rotations_;
  std::vector<Sweep> sweeps_;
};

/// The implicit QR algorithm: d becomes the eigenvalues of the tridiagonal matrix with diagonal d
/// and e beside it, |entries| <= 1 or so. \returns whether it converged.
template <class Real>
bool diagonalise(std::vector<Real>& d, std::vector<Real>& e, Rotations<Real>& rotations) {
  const Real epsilon = std::numeric_limits<Real>::epsilon();
  const Real tiny = std::numeric_limits<Real>::min() / epsilon;
  const auto negligible = [&](std::size_t i) {
    return std::abs(e[i]) <= epsilon * (std::abs(d[i]) + std::abs(d[i + 1])) ||
           std::abs(e[i]) <= epsilon * epsilon;
  };
  std::size_t n_left = 60 * d.size();  // two or three sweeps an eigenvalue are usual
  for (std::size_t last = d.size(); last-- > 1;) {
    while (!negligible(last - 1)) {
      if (n_left-- == 0) return false;
      std::size_t first = last - 1;
      while (first > 0 && !negligible(first - 1)) --first;

      // The eigenvalue of the last 2 x 2 block that is closer to its last entry.
      const Real half = (d[last - 1] - d[last]) / 2, b = e[last - 1];
      const Real shift = d[last] - b * (b / (half + std::copysign(std::hypot(half, b), half)));
      Real x = d[first] - shift, bulge = e[first];
      if (rotations.wanted()) rotations.begin_sweep(static_cast<Index>(first));
      for (std::size_t k = first; k < last; ++k) {
        const Real square = x * x + bulge * bulge;
        const Real length = square > tiny ? std::sqrt(square) : std::hypot(x, bulge);
        const Real cosine = length > 0 ? x / length : 1, sine = length > 0 ? bulge / length : 0;
        if (k > first) e[k - 1] = length;
        const Real turn = sine * (d[k + 1] - d[k]) + 2 * cosine * e[k];
        d[k] += sine * turn;
        d[k + 1] -= sine * turn;
        e[k] = cosine * turn - e[k];
        x = e[k];
        if (k + 1 < last) {
          bulge = sine * e[k + 1];
          e[k + 1] *= cosine;
        }
        if (rotations.wanted()) rotations.add(cosine, sine);
      }
    }
    e[last - 1] = 0;
  }
  rotations.apply();
  return true;
}

/// All eigenvalues, ascending, and some eigenvectors of a symmetric matrix.
template <class Real>
struct SymmetricEigen {
  Vector<Real> values;
  Matrix<Real> vectors;  ///< orthonormal columns, those of values [first, first + count)
  bool converged = false;
};

/// \param A finite; its lower triangle is read. (Not converged: it holds NaN or Inf.)
/// \param count number of eigenvectors; with none it is several times faster.
template <class Real>
SymmetricEigen<Real> symmetric_eigen(const Matrix<Real>& A, Index first, Index count) {
  constexpr Index lanes = Lanes<Real>::size;
  const Index n = A.rows();
  SymmetricEigen<Real> result{Vector<Real>(n), Matrix<Real>(n, count)};
  // A power of two that brings the largest entry near 1: tiny or huge matrices neither underflow
  // nor overflow below.
  Real largest = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      if (!std::isfinite(A(i, j))) return result;
      largest = std::max(largest, std::abs(A(i, j)));
    }
  constexpr int most = std::numeric_limits<Real>::max_exponent - 8;
  const int exponent = largest > 0 ? std::clamp(std::ilogb(largest), -most, most) : 0;
  const Real scale = std::exp2(static_cast<Real>(-exponent));

  Tridiagonal<Real> T(A, scale);
  Rotations<Real> rotations(count > 0 ? n : 0);
  result.converged = diagonalise(T.diagonal, T.beside, rotations);
  if (!result.converged) return result;

  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    return T.diagonal[static_cast<std::size_t>(i)] < T.diagonal[static_cast<std::size_t>(j)];
  });
  for (Index j = 0; j < n; ++j)
    result.values(j) =
        T.diagonal[static_cast<std::size_t>(order[static_cast<std::size_t>(j)])] / scale;

  std::vector<Real> W(static_cast<std::size_t>(n * lanes));
  for (Index begin = 0; begin < count; begin += lanes) {
    const Index width = std::min(lanes, count - begin);
    for (Index c = 0; c < width; ++c) {
      const Index from = order[static_cast<std::size_t>(first + begin + c)];
      for (Index i = 0; i < n; ++i) W[static_cast<std::size_t>(lanes * i + c)] = rotations(i, from);
    }
    T.back_transform(W.data());
    for (Index c = 0; c < width; ++c)
      for (Index i = 0; i < n; ++i)
        result.vectors(i, begin + c) = W[static_cast<std::size_t>(lanes * i + c)];
  }
  return result;
}

}  // namespace unfurl::detail
