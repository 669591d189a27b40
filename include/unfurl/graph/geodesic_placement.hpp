#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "unfurl/core/columns.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/graph/geodesic_scaling.hpp"
#include "unfurl/graph/geodesics.hpp"
#include "unfurl/graph/joints.hpp"
#include "unfurl/graph/known_geodesics.hpp"
#include "unfurl/graph/placement_sums.hpp"
#include "unfurl/graph/shortest_paths.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

/// New points placed by their geodesics to the sources of a fitted Isomap,
/// d(x, j) = min_i (|x - x_i| + G_ij) over the neighbours i of x.
namespace unfurl::detail {

/// By walks from the joints.
template <class Real>
Matrix<double> place_by_walks(const Geodesics<Real>& geodesics,
                              const std::vector<Joints<Real>>& joints, const PlacementSums& wanted,
                              const Parallel& parallel) {
  constexpr Index lanes = PathBatch<Real>::lanes, piece = PlacementSums::piece;
  const Index n_sources = wanted.n_sources(), k = wanted.n_coordinates();
  std::vector<std::vector<PathStart<Real>>> starts;
  for (const auto& point : joints) starts.push_back(point.starts);
  Matrix<double> Y = Matrix<double>::Zero(k, static_cast<Index>(joints.size()));
  for_each_path_batch(
      geodesics.paths, starts, parallel,
      [&](const Index* points, Index count, const Matrix<Real>& distances, int) {
        Matrix<double> sums(k, lanes);
        for (Index begin = 0; begin < n_sources; begin += wanted.per_part()) {
          sums.setZero();
          const Index end = std::min(begin + wanted.per_part(), n_sources);
          for (Index first = begin; first < end; first += piece)
            for (Index s = 0; s < count; ++s) {
              Real more[static_cast<std::size_t>(piece)] = {};
              for (Index j = first; j < std::min(first + piece, end); ++j)
                more[j - first] = distances(s, geodesics.sources[static_cast<std::size_t>(j)]);
              wanted.add(first, joints[static_cast<std::size_t>(points[s])].shortest, more,
                         sums.data() + s * k);
            }
          for (Index s = 0; s < count; ++s)
            for (Index c = 0; c < k; ++c) Y(c, points[s]) += sums(c, s);
        }
      });
  return Y;
}

/// \param neighbors of the new points, among the vertices
template <class Real, class Scalar>
Matrix<Scalar> place_by(const Geodesics<Real>& geodesics, const GeodesicScaling<Scalar>& map,
                        const NeighborList<Scalar>& neighbors, Path path,
                        const Parallel& parallel) {
  const auto n_sources = static_cast<Index>(geodesics.sources.size());
  Matrix<double> W(n_sources, map.embedding.cols());
  Vector<double> means(n_sources);
  for (Index j = 0; j < n_sources; ++j) {
    const Index vertex = geodesics.vertex(j);
    for (Index c = 0; c < W.cols(); ++c) {
      const auto eigenvalue = static_cast<double>(map.eigenvalues(c));
      W(j, c) =
          eigenvalue > 0 ? static_cast<double>(map.embedding(vertex, c)) / (2 * eigenvalue) : 0;
    }
    means(j) = map.mean_squares(geodesics.every() ? vertex : j);
  }
  const PlacementSums wanted(W, means);
  const auto joints = joints_of(neighbors, geodesics.paths, path);
  const Matrix<double> Y = geodesics.lengths.size() > 0
                               ? KnownGeodesics<Real>(geodesics).place(joints, wanted, parallel)
                               : place_by_walks(geodesics, joints, wanted, parallel);
  return converted<Scalar>(transposed(Y));
}

/// New points among the vertices of a graph that was drawn.
template <class Scalar>
Matrix<Scalar> place_by_geodesics(const GeodesicScaling<Scalar>& map,
                                  const NeighborList<Scalar>& neighbors, Path path,
                                  const Parallel& parallel) {
  if constexpr (std::is_same_v<Scalar, double>)
    if (map.wide) return place_by(*map.wide, map, neighbors, path, parallel);
  return place_by(*map.narrow, map, neighbors, path, parallel);
}

}  // namespace unfurl::detail
