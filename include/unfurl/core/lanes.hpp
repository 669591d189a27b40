#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "unfurl/core/types.hpp"

/// Loops over contiguous numbers. An Eigen expression is compiled anew for every combination of
/// types that meet in it; these are compiled once for each scalar, and compilers do not vectorise
/// them on their own at -O2.
namespace unfurl::detail {

/// Loads a packet that is used several times. Tuned for AMD's Zen (also by -march=native) gcc 12
/// would load it again for each use, which takes a product of matrices twice as long.
template <class Packet, class Real>
Packet load_once(const Real* from) {
  Packet packet = Eigen::internal::ploadu<Packet>(from);
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
  __asm__("" : "+v"(packet));
#endif
  return packet;
}

/// Has memory bring what will be read soon. (gcc takes a function that only does this for one
/// without effect and leaves out its calls; an empty instruction that it must keep is an effect.)
template <class Real>
void prefetch(const Real* from) {
  Eigen::internal::prefetch(from);
#if defined(__GNUC__)
  __asm__ __volatile__("");
#endif
}

/// A comparison of packets holds somewhere. Eigen has it for packets of float only; where there are
/// none of the same size it adds up.
template <class Packet>
bool any_lane(const Packet& comparison) {
  using Narrow = Eigen::internal::packet_traits<float>::type;
  if constexpr (sizeof(Narrow) == sizeof(Packet)) {
    Narrow same;
    std::memcpy(&same, &comparison, sizeof same);
    return Eigen::internal::predux_any(same);
  } else {
    return Eigen::internal::predux_any(comparison);
  }
}

/// A few numbers that are worked on together, in the vector registers of the machine compiled for.
template <class Real>
class Lanes {
 public:
  using Packet = typename Eigen::internal::packet_traits<Real>::type;
  static constexpr Index packet_size = Eigen::internal::packet_traits<Real>::size;
  static constexpr Index size = 4 * packet_size;

  static Lanes all(Real value) {
    const Packet p = Eigen::internal::pset1<Packet>(value);
    return {p, p, p, p};
  }
  /// To be used several times; see detail::load_once.
  static Lanes load_once(const Real* from) {
    return {detail::load_once<Packet>(from), detail::load_once<Packet>(from + packet_size),
            detail::load_once<Packet>(from + 2 * packet_size),
            detail::load_once<Packet>(from + 3 * packet_size)};
  }
  static Lanes load(const Real* from) {
    using Eigen::internal::ploadu;
    return {ploadu<Packet>(from), ploadu<Packet>(from + packet_size),
            ploadu<Packet>(from + 2 * packet_size), ploadu<Packet>(from + 3 * packet_size)};
  }
  void store(Real* to) const {
    using Eigen::internal::pstoreu;
    pstoreu(to, a_);
    pstoreu(to + packet_size, b_);
    pstoreu(to + 2 * packet_size, c_);
    pstoreu(to + 3 * packet_size, d_);
  }

  Lanes times(Real factor) const {
    using Eigen::internal::pmul;
    const Packet f = Eigen::internal::pset1<Packet>(factor);
    return {pmul(f, a_), pmul(f, b_), pmul(f, c_), pmul(f, d_)};
  }
  /// *this + factor * x
  Lanes plus(Real factor, const Lanes& x) const {
    using Eigen::internal::pmadd;
    const Packet f = Eigen::internal::pset1<Packet>(factor);
    return {pmadd(f, x.a_, a_), pmadd(f, x.b_, b_), pmadd(f, x.c_, c_), pmadd(f, x.d_, d_)};
  }
  /// *this + x * y, entry by entry
  Lanes plus(const Lanes& x, const Lanes& y) const {
    using Eigen::internal::pmadd;
    return {pmadd(x.a_, y.a_, a_), pmadd(x.b_, y.b_, b_), pmadd(x.c_, y.c_, c_),
            pmadd(x.d_, y.d_, d_)};
  }
  Real sum() const {
    using Eigen::internal::padd;
    return Eigen::internal::predux(padd(padd(a_, b_), padd(c_, d_)));
  }

 private:
  Lanes(Packet a, Packet b, Packet c, Packet d) : a_(a), b_(b), c_(c), d_(d) {}

  Packet a_, b_, c_, d_;
};

/// Sum of x(i) y(i).
template <class Real>
Real dot(Index n, const Real* x, const Real* y) {
  using Pack = Lanes<Real>;
  Pack sums = Pack::all(0);
  Index i = 0;
  for (; i + Pack::size <= n; i += Pack::size)
    sums = sums.plus(Pack::load(x + i), Pack::load(y + i));
  Real sum = sums.sum();
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// Sum of term(i) in double, in eight sums beside each other.
template <class Term>
double sum_in_double(Index n, const Term& term) {
  constexpr int width = 8;
  double sums[width] = {};
  Index i = 0;
  for (; i + width <= n; i += width)
    for (int lane = 0; lane < width; ++lane) sums[lane] += term(i + lane);
  for (; i < n; ++i) sums[0] += term(i);
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

/// y(i) += term(i) for i in [begin, end), eight beside each other.
template <class Term>
void add_in_double(Index begin, Index end, double* y, const Term& term) {
  constexpr int width = 8;
  Index i = begin;
  for (; i + width <= end; i += width) {
    double sums[width];
    for (int lane = 0; lane < width; ++lane) sums[lane] = y[i + lane] + term(i + lane);
    for (int lane = 0; lane < width; ++lane) y[i + lane] = sums[lane];
  }
  for (; i < end; ++i) y[i] += term(i);
}

template <class Real>
Real norm(Index n, const Real* x) {
  return std::sqrt(dot(n, x, x));
}

/// y += factor x
template <class Real>
void add_multiple(Index n, Real factor, const Real* x, Real* y) {
  using Pack = Lanes<Real>;
  Index i = 0;
  for (; i + Pack::size <= n; i += Pack::size)
    Pack::load(y + i).plus(factor, Pack::load(x + i)).store(y + i);
  for (; i < n; ++i) y[i] += factor * x[i];
}

/// The largest modulus of an entry; NaN when one is not finite.
template <class Real>
Real largest_modulus(Index n, const Real* x) {
  using namespace Eigen::internal;
  using Packet = typename Lanes<Real>::Packet;
  constexpr Index size = Lanes<Real>::packet_size;
  Packet largest = pset1<Packet>(Real(0)), zeros = largest;
  const Packet zero = largest;
  Index i = 0;
  for (; i + size <= n; i += size) {
    const Packet entries = ploadu<Packet>(x + i);
    largest = pmax(largest, pabs(entries));
    zeros = pmadd(entries, zero, zeros);  // x * 0 is NaN exactly when x is not finite
  }
  Real most = predux_max(largest), none = predux(zeros);
  for (; i < n; ++i) {
    most = std::max(most, std::abs(x[i]));
    none += x[i] * 0;
  }
  return most + none;
}

template <class Real>
bool all_finite(Index n, const Real* x) {
  return !std::isnan(largest_modulus(n, x));
}

/// x *= factor
template <class Real>
void scale(Index n, Real factor, Real* x) {
  using Pack = Lanes<Real>;
  Index i = 0;
  for (; i + Pack::size <= n; i += Pack::size) Pack::load(x + i).times(factor).store(x + i);
  for (; i < n; ++i) x[i] *= factor;
}

/// y = x + shift
template <class Real>
void add_constant(Index n, Real shift, const Real* x, Real* y) {
  using Pack = Lanes<Real>;
  const Pack shifts = Pack::all(shift);
  Index i = 0;
  for (; i + Pack::size <= n; i += Pack::size) shifts.plus(Real(1), Pack::load(x + i)).store(y + i);
  for (; i < n; ++i) y[i] = x[i] + shift;
}

}  // namespace unfurl::detail
