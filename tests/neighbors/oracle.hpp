#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/random.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/neighbors/distance.hpp"
#include "unfurl/neighbors/neighbor_list.hpp"

// The definition of a neighbour search, and point sets that are hard for one.
namespace test {

using unfurl::Index;
using unfurl::Matrix;

template <class Scalar>
struct Found {
  std::vector<Index> indices;
  std::vector<Scalar> distances;
  bool operator==(const Found& other) const {
    return indices == other.indices && distances == other.distances;
  }
};

/// Every point sorted by (distance, index), without `skip`.
template <class Scalar>
std::vector<std::pair<Scalar, Index>> by_distance(const Matrix<Scalar>& points, const Scalar* query,
                                                  Index skip = -1) {
  std::vector<std::pair<Scalar, Index>> all;
  for (Index i = 0; i < points.cols(); ++i)
    if (i != skip)
      all.emplace_back(
          std::sqrt(unfurl::detail::squared_distance(query, points.col(i).data(), points.rows())),
          i);
  std::sort(all.begin(), all.end());
  return all;
}

template <class Scalar>
Found<Scalar> oracle_knn(const Matrix<Scalar>& points, const Scalar* query, Index k,
                         Index skip = -1) {
  Found<Scalar> found;
  for (const auto& [distance, index] : by_distance(points, query, skip)) {
    if (static_cast<Index>(found.indices.size()) == k) break;
    found.indices.push_back(index);
    found.distances.push_back(distance);
  }
  return found;
}

template <class Scalar>
Found<Scalar> oracle_radius(const Matrix<Scalar>& points, const Scalar* query, Scalar r,
                            Index skip = -1) {
  Found<Scalar> found;
  for (const auto& [distance, index] : by_distance(points, query, skip))
    if (distance <= r) {
      found.indices.push_back(index);
      found.distances.push_back(distance);
    }
  return found;
}

template <class Scalar>
Found<Scalar> entry(const unfurl::NeighborList<Scalar>& list, Index i) {
  return {std::vector<Index>(list.indices(i), list.indices(i) + list.count(i)),
          std::vector<Scalar>(list.distances(i), list.distances(i) + list.count(i))};
}

template <class Scalar>
bool same_lists(const unfurl::NeighborList<Scalar>& a, const unfurl::NeighborList<Scalar>& b) {
  if (a.size() != b.size()) return false;
  for (Index i = 0; i < a.size(); ++i)
    if (!(entry(a, i) == entry(b, i))) return false;
  return true;
}

template <class Scalar>
Matrix<Scalar> normal_points(Index d, Index n, std::uint64_t seed = 1) {
  return unfurl::Random(seed).normal_matrix<Scalar>(d, n);
}

template <class Scalar>
struct PointSet {
  std::string name;
  Matrix<Scalar> points;  // one a column
};

/// A few hundred points each, more than one block of the matrix product for some.
template <class Scalar>
std::vector<PointSet<Scalar>> hard_point_sets() {
  constexpr bool is_float = std::is_same_v<Scalar, float>;
  const Scalar tiny = is_float ? Scalar(1e-15) : Scalar(1e-150);
  std::vector<PointSet<Scalar>> sets;
  const auto add = [&](const char* name, Matrix<Scalar> points) {
    sets.push_back({name, std::move(points)});
  };

  add("3 features", normal_points<Scalar>(3, 300));
  add("20 features", normal_points<Scalar>(20, 600));
  add("1 feature", normal_points<Scalar>(1, 300));
  add("two points", normal_points<Scalar>(4, 2));
  add("identical", Matrix<Scalar>::Constant(3, 200, Scalar(0.1)));
  add("many more features than points", normal_points<Scalar>(700, 40));

  Matrix<Scalar> lattice(3, 343);  // ties everywhere
  for (Index i = 0; i < lattice.cols(); ++i)
    lattice.col(i) << Scalar(i % 7), Scalar(i / 7 % 7), Scalar(i / 49);
  add("lattice", lattice);
  add("lattice, not representable", lattice * Scalar(0.1));

  Matrix<Scalar> corners(10, 600);  // ties, and every point several times
  unfurl::Random random(5);
  for (Index i = 0; i < corners.size(); ++i) corners.data()[i] = Scalar(random.below(2));
  add("corners of a cube", corners);

  Matrix<Scalar> duplicates = normal_points<Scalar>(5, 200);
  for (Index i = 0; i < 30; ++i) duplicates.col(6 * i + 3) = duplicates.col(100);
  add("30 duplicates", duplicates);

  Matrix<Scalar> line(6, 300);
  for (Index i = 0; i < 300; ++i) line.col(i).setConstant(Scalar((i * 71) % 300) / 7);
  add("collinear", line);

  const Scalar offset = is_float ? Scalar(1e4) : Scalar(1e6);
  add("far from the origin", (normal_points<Scalar>(8, 600).array() + offset).matrix());

  Matrix<Scalar> clusters =
      normal_points<Scalar>(12, 600) * (is_float ? Scalar(1e-2) : Scalar(1e-5));
  clusters.rightCols(300).array() += Scalar(1e3);
  add("two far tight clusters", clusters);

  Matrix<Scalar> outlier = normal_points<Scalar>(4, 600);
  outlier.col(77).setConstant(Scalar(1e9));
  add("one far outlier", outlier);

  Matrix<Scalar> graded(2, 300);  // distances over the whole range: deep trees, lost digits
  for (Index i = 0; i < 300; ++i)
    graded.col(i) << std::ldexp(Scalar(1), static_cast<int>(is_float ? i % 50 : i) - 40),
        std::ldexp(Scalar(1), static_cast<int>(is_float ? i / 50 : i) - 20);
  add("graded", graded);

  add("tiny", normal_points<Scalar>(9, 600) * tiny);
  add("huge", normal_points<Scalar>(9, 600) / tiny);
  add("squares underflow",
      normal_points<Scalar>(9, 100) * (tiny * (is_float ? Scalar(1e-10) : Scalar(1e-15))));
  return sets;
}

}  // namespace test
