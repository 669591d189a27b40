#pragma once

#include <type_traits>
#include <utility>

// What the tests that run over all estimators have to know of one.
namespace {

template <class E>
using OptionsOf = std::decay_t<decltype(std::declval<const E&>().options())>;
template <class E>
using ScalarOf = typename std::decay_t<decltype(std::declval<const E&>().embedding())>::Scalar;

/// What differs between estimators, by what they can do.
template <class E, class = void>
constexpr bool has_degrees = false;
template <class E>
constexpr bool has_degrees<E, std::void_t<decltype(std::declval<const E&>().degrees())>> = true;
template <class E, class = void>
constexpr bool has_weights = false;
template <class E>
constexpr bool has_weights<E, std::void_t<decltype(std::declval<const E&>().weights())>> = true;
template <class E, class = void>
constexpr bool descends = false;
template <class E>
constexpr bool descends<E, std::void_t<decltype(std::declval<const E&>().kl_divergence())>> = true;
template <class Options, class = void>
constexpr bool has_n_neighbors = false;
template <class Options>
constexpr bool
    has_n_neighbors<Options, std::void_t<decltype(std::declval<Options&>().n_neighbors)>> = true;
/// The embedding of data twice as large is twice as large.
template <class E>
constexpr bool keeps_distances = !has_degrees<E> && !has_weights<E> && !descends<E>;
/// Its coordinates are eigenvectors of a graph, which move by rounding over the eigengap.
template <class E>
constexpr bool on_a_graph = has_n_neighbors<OptionsOf<E>>;

}  // namespace
