#pragma once

#include <istream>
#include <ostream>
#include <type_traits>
#include <utility>

#include "unfurl/core/report.hpp"
#include "unfurl/core/types.hpp"

/// The compile-time contract of an estimator, for code that is written over all of them:
/// \code
///   template <class E>
///   void show(E& estimator, const Eigen::MatrixXd& X) {
///     static_assert(unfurl::is_estimator_v<E>, "show: E must be an unfurl estimator");
///     draw(estimator.fit_transform(X));
///   }
/// \endcode
namespace unfurl {

namespace detail {

template <class E, class = void>
struct EstimatorTraits {
  static constexpr bool complete = false;
};

template <class E>
struct EstimatorTraits<
    E, std::void_t<typename std::decay_t<decltype(std::declval<const E&>().embedding())>::Scalar>> {
  using Scalar = typename std::decay_t<decltype(std::declval<const E&>().embedding())>::Scalar;
  using X = const Matrix<Scalar>&;

  template <class T>
  static auto members(int) -> decltype(
      T(std::declval<const T&>().options()),
      std::bool_constant<
          std::is_same_v<decltype(std::declval<T&>().fit(std::declval<X>())), T&> &&
          std::is_same_v<decltype(std::declval<T&>().fit_transform(std::declval<X>())),
                         Matrix<Scalar>> &&
          std::is_same_v<decltype(std::declval<const T&>().transform(std::declval<X>())),
                         Matrix<Scalar>> &&
          std::is_same_v<decltype(std::declval<const T&>().is_fitted()), bool> &&
          std::is_same_v<decltype(std::declval<const T&>().n_samples()), Index> &&
          std::is_same_v<decltype(std::declval<const T&>().n_features()), Index> &&
          std::is_same_v<decltype(std::declval<const T&>().report()), const FitReport&> &&
          std::is_same_v<decltype(T::load(std::declval<std::istream&>())), T> &&
          std::is_void_v<
              decltype(std::declval<const T&>().save(std::declval<std::ostream&>()))>>{});
  template <class T>
  static std::false_type members(...);

  static constexpr bool complete = decltype(members<E>(0))::value;
};

}  // namespace detail

/// E has fit, fit_transform, transform, embedding, is_fitted, n_samples, n_features, options,
/// report, save and load, with the types they should have.
template <class E>
inline constexpr bool is_estimator_v = detail::EstimatorTraits<E>::complete;

#if defined(__cpp_concepts) && __cpp_concepts >= 201907L
template <class E>
concept Estimator = is_estimator_v<E>;
#endif

}  // namespace unfurl
