#pragma once

#include <type_traits>
#include <utility>

#include "unfurl/core/types.hpp"

namespace unfurl {

/// A kernel turns a **squared** distance into a similarity:
///
///     Scalar operator()(Scalar squared_distance) const;
///
/// It is called from several threads at once. Diffusion maps and Laplacian eigenmaps rest on three
/// properties: symmetry (given, since it sees only the distance), non-negativity (checked), and
/// locality: about 1 for points much closer than its scale, towards 0 for points much farther.
///
/// A user's own, with a fixed scale, is used as it is:
///
///     struct CauchyKernel {
///       double operator()(double squared_distance) const { return 1 / (1 + squared_distance); }
///     };
///
/// See examples/own_kernel.cpp.
template <class Kernel, class Scalar>
inline constexpr bool is_kernel_v = std::is_invocable_r_v<Scalar, const Kernel&, Scalar>;

namespace detail {

template <class Kernel, class Scalar, class = void>
struct HasBandwidth : std::false_type {};

template <class Kernel, class Scalar>
struct HasBandwidth<
    Kernel, Scalar,
    std::void_t<decltype(static_cast<Scalar>(std::declval<const Kernel&>().bandwidth())),
                decltype(std::declval<const Kernel&>().with_bandwidth(std::declval<Scalar>()))>>
    : std::is_convertible<
          decltype(std::declval<const Kernel&>().with_bandwidth(std::declval<Scalar>())), Kernel> {
};

template <class Kernel, class Scalar, class = void>
struct HasValues : std::false_type {};

template <class Kernel, class Scalar>
struct HasValues<
    Kernel, Scalar,
    std::void_t<decltype(std::declval<const Kernel&>().values(std::declval<Scalar*>(), Index{1}))>>
    : std::true_type {};

}  // namespace detail

/// A kernel whose scale an estimator may set, from its option `bandwidth` or from the data, has two
/// members more:
///
///     Scalar bandwidth() const;                    // a length; 0: not chosen yet
///     Kernel with_bandwidth(Scalar length) const;  // the same kernel at that scale
///
/// so that whatever else the kernel holds stays as the user has set it:
///
///     struct CauchyKernel {
///       double scale = 0;
///       double bandwidth() const { return scale; }
///       CauchyKernel with_bandwidth(double length) const { return {length}; }
///       double operator()(double squared_distance) const {
///         return 1 / (1 + squared_distance / (scale * scale));
///       }
///     };
template <class Kernel, class Scalar>
inline constexpr bool has_bandwidth_v = detail::HasBandwidth<Kernel, Scalar>::value;

/// A kernel that is faster on many numbers at once may have one member more, which is then used
/// where every pair of points is joined:
///
///     void values(Scalar* squared_distances, Index count) const;  // replaces them by K
template <class Kernel, class Scalar>
inline constexpr bool has_values_v = detail::HasValues<Kernel, Scalar>::value;

}  // namespace unfurl
