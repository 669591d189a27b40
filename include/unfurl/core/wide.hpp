#pragma once

#include "unfurl/core/types.hpp"

/// A program compiled for any x86-64, as compilers do unless told otherwise, has vectors of 16
/// bytes and no fused multiply-add. The few loops that take most of the time are there once more
/// for AVX2, and the processor decides which of them runs. Define UNFURL_ONE_INSTRUCTION_SET to
/// have only what the program is compiled for: the same last digits on every machine.
#define UNFURL_WIDE
#if defined(EIGEN_DONT_VECTORIZE)
#define UNFURL_HAS_WIDE_LANES 0
#elif defined(__GNUC__) && defined(__AVX2__) && defined(__FMA__)
#define UNFURL_HAS_WIDE_LANES 1
#elif defined(__GNUC__) && defined(__x86_64__) && !defined(__AVX__) && \
    !defined(UNFURL_ONE_INSTRUCTION_SET)
#define UNFURL_HAS_WIDE_LANES 1
#define UNFURL_CHOOSES_LANES 1
#undef UNFURL_WIDE
/// Before a function that is called only where `has_wide_lanes()`.
#define UNFURL_WIDE __attribute__((target("avx2,fma")))
#else
#define UNFURL_HAS_WIDE_LANES 0
#endif

namespace unfurl::detail {

/// There are functions for AVX2; `has_wide_lanes()` tells whether they can be called.
inline constexpr bool may_have_wide_lanes = UNFURL_HAS_WIDE_LANES == 1;

/// `chooses_lanes`: there are, and the program is compiled for less.
#ifdef UNFURL_CHOOSES_LANES
inline constexpr bool chooses_lanes = true;
inline bool has_wide_lanes() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
inline constexpr bool chooses_lanes = false;
inline constexpr bool has_wide_lanes() { return may_have_wide_lanes; }
#endif

#if UNFURL_HAS_WIDE_LANES
/// Vectors of 32 bytes. They are handed on by reference: how they would be by value depends on what
/// the caller is compiled for.
template <class Real>
struct Wide {
  static constexpr Index size = 32 / static_cast<Index>(sizeof(Real));
  typedef Real Vector __attribute__((vector_size(32)));

  /// A vector that is used several times; see load_once.
  UNFURL_WIDE static void load(const Real* from, Vector& to) {
    to = *reinterpret_cast<const Unaligned*>(from);
    __asm__("" : "+x"(to));
  }
  UNFURL_WIDE static void store(const Vector& from, Real* to) {
    *reinterpret_cast<Unaligned*>(to) = from;
  }
  UNFURL_WIDE static Real sum(const Vector& of) {
    Real sum = 0;
    for (Index i = 0; i < size / 2; ++i) sum += of[i] + of[i + size / 2];
    return sum;
  }

 private:
  typedef Real Unaligned __attribute__((vector_size(32), aligned(sizeof(Real)), may_alias));
};
#endif

}  // namespace unfurl::detail
