// A neighbour search of your own: nearest by the Manhattan distance |x1 - y1| + |x2 - y2| + …
//
// Anything with the members below can take the place of the library's searches, in `unfurl::knn`
// and in the estimators: see unfurl/neighbors/requirements.hpp.
#include <algorithm>
#include <iostream>
#include <unfurl/neighbors/knn.hpp>
#include <utility>
#include <vector>

using unfurl::Index;
using unfurl::Matrix;

// What the search builds: it owns its points, one a column, and answers queries. Queries come from
// several threads at once, so they change nothing.
template <class Scalar>
class ManhattanIndex {
 public:
  explicit ManhattanIndex(Matrix<Scalar> points) : points_(std::move(points)) {}

  Index size() const { return points_.cols(); }
  Index dimension() const { return points_.rows(); }

  // The k nearest points: distances ascending, ties by lowest index.
  void knn(const Scalar* query, Index k, Index* indices, Scalar* distances) const {
    const auto all = sorted(query);
    for (Index j = 0; j < k; ++j) {
      distances[j] = all[static_cast<std::size_t>(j)].first;
      indices[j] = all[static_cast<std::size_t>(j)].second;
    }
  }

  // Every point at most r away, in the same order.
  void radius(const Scalar* query, Scalar r, std::vector<Index>& indices,
              std::vector<Scalar>& distances) const {
    indices.clear();
    distances.clear();
    for (const auto& [distance, index] : sorted(query)) {
      if (distance > r) break;
      indices.push_back(index);
      distances.push_back(distance);
    }
  }

 private:
  std::vector<std::pair<Scalar, Index>> sorted(const Scalar* query) const {
    const Eigen::Map<const unfurl::Vector<Scalar>> x(query, dimension());
    std::vector<std::pair<Scalar, Index>> all;
    for (Index i = 0; i < size(); ++i) all.emplace_back((points_.col(i) - x).cwiseAbs().sum(), i);
    std::sort(all.begin(), all.end());  // pairs compare by distance, then by index
    return all;
  }

  Matrix<Scalar> points_;
};

// The search itself: an object to hold options, had it any.
struct Manhattan {
  template <class Scalar>
  ManhattanIndex<Scalar> build(Matrix<Scalar> points) const {
    return ManhattanIndex<Scalar>(std::move(points));
  }
};

int main() {
  Eigen::MatrixXd X(4, 2);  // one sample a row
  X << 0, 0,                //
      2, 2,                 // Manhattan 4 from the first, Euclidean 2.83
      0, 3,                 // Manhattan 3 from the first, Euclidean 3
      7, 7;

  const unfurl::NeighborList<double> euclidean = unfurl::knn(X, 2);
  const unfurl::NeighborList<double> manhattan = unfurl::knn(X, 2, Manhattan{});

  for (Index i = 0; i < X.rows(); ++i) {
    std::cout << "point " << i << "   Euclidean:";
    for (Index j = 0; j < 2; ++j)
      std::cout << "  " << euclidean.indices(i)[j] << " at " << euclidean.distances(i)[j];
    std::cout << "   Manhattan:";
    for (Index j = 0; j < 2; ++j)
      std::cout << "  " << manhattan.indices(i)[j] << " at " << manhattan.distances(i)[j];
    std::cout << "\n";
  }

  // The nearest neighbour of the first point depends on the distance.
  const bool as_expected = euclidean.indices(0)[0] == 1 && manhattan.indices(0)[0] == 2 &&
                           manhattan.distances(0)[0] == 3 && manhattan.distances(0)[1] == 4;
  return as_expected ? 0 : 1;
}
