#pragma once

#include <cmath>

#include "unfurl/core/types.hpp"

/// The bytes that graph estimators hold, foreseen from n samples, p features and k neighbours;
/// constants are fitted to what malloc was asked for (tests/faults/memory_test.cpp).
namespace unfurl::detail {

/// Entries of a graph for each neighbour asked for: of two samples often only one has the other
/// among its nearest.
constexpr double entries_per_neighbor = 1.2;

/// \param n_entries of an undirected graph, each edge counted twice
/// \returns the number of neighbours that would have made such a graph
inline double typical_neighbors(Index n_entries, Index n) {
  return static_cast<double>(n_entries) / (entries_per_neighbor * static_cast<double>(n));
}

/// Points and their index, neighbour lists and the graph.
template <class Scalar>
double neighborhood_bytes(Index n, Index p, double k) {
  constexpr double size = sizeof(Scalar);
  return static_cast<double>(n) *
         (50 + size * static_cast<double>(p) + (4 + size) * (1 + entries_per_neighbor) * k);
}

/// Entries in the factor of the Laplacian of samples on a surface. In higher dimension there are
/// many more, which only the pattern tells.
inline double surface_fill(Index n, double k) {
  return 0.195 * std::pow(k, 1.22) * std::pow(static_cast<double>(n), 1.22);
}

/// The same of LLE's matrix, which joins neighbours of neighbours.
inline double surface_fill_of_squares(Index n, double k) {
  return 0.18 * std::pow(k, 1.33) * std::pow(static_cast<double>(n), 1.33);
}

}  // namespace unfurl::detail
