#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "unfurl/core/types.hpp"
#include "unfurl/graph/graph.hpp"

namespace unfurl {

/// How long a path through the graph is.
enum class Path {
  lengths,  ///< the sum of the lengths of its edges
  hops      ///< the number of its edges
};

namespace detail {

template <class Length>
double edge_length(const Graph<Length>& graph, Index v, Index e, Path path) {
  return path == Path::hops ? 1 : static_cast<double>(graph.lengths(v)[e]);
}

/// No shortest path is longer: twice the longest way in a breadth-first tree of each component.
template <class Length>
double longest_path_bound(const Graph<Length>& graph, Path path) {
  std::vector<double> way(static_cast<std::size_t>(graph.n_vertices()), -1);
  std::vector<int> queue;
  double longest = 0;
  const auto visit = [&](Index v, double length) {
    if (way[static_cast<std::size_t>(v)] >= 0) return;
    way[static_cast<std::size_t>(v)] = length;
    longest = std::max(longest, length);
    queue.push_back(static_cast<int>(v));
  };
  std::size_t at = 0;
  for (Index root = 0; root < graph.n_vertices(); ++root)
    for (visit(root, 0); at < queue.size(); ++at) {
      const int u = queue[at];
      for (Index e = 0; e < graph.degree(u); ++e)
        visit(graph.neighbors(u)[e],
              way[static_cast<std::size_t>(u)] + edge_length(graph, u, e, path));
    }
  return 2 * longest;
}

/// Lengths rounded to multiples of a power of two, so coarse that no path up to a longest one needs
/// more digits than Scalar has: such numbers are added without rounding. So a path is as long from
/// either end and however it is put together. For a longest path of 1 the rounding is at most 6e-8
/// an edge in float, 1e-16 in double.
template <class Scalar>
class PathRounding {
 public:
  /// Just to Scalar.
  PathRounding() = default;
  explicit PathRounding(double longest) : longest_(longest) {
    if (!(longest > 0 && std::isfinite(longest))) return;
    int exponent = 0;
    std::frexp(longest, &exponent);
    unit_ = std::ldexp(1.0, exponent - std::numeric_limits<Scalar>::digits);
  }

  double longest() const { return longest_; }
  Scalar operator()(double length) const {
    return static_cast<Scalar>(unit_ > 0 ? std::nearbyint(length / unit_) * unit_ : length);
  }

 private:
  double longest_ = std::numeric_limits<double>::infinity(), unit_ = 0;
};

}  // namespace detail
}  // namespace unfurl
