#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl::detail {

/// Points in an order in which near ones follow each other: those a query meets then lie side by
/// side in memory.
template <class Scalar>
struct OrderedPoints {
  /// \param given one a column
  /// \param near the numbers of the given points, in that order
  OrderedPoints(const Matrix<Scalar>& given, std::vector<Index> near)
      : order(std::move(near)), place(order.size()), points(given.rows(), given.cols()) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
      points.col(static_cast<Index>(i)) = given.col(order[i]);
    }
  }

  /// Coordinates of given point i.
  const Scalar* point(Index i) const {
    return points.data() + place[static_cast<std::size_t>(i)] * points.rows();
  }
  /// As they were given.
  Matrix<Scalar> given() const {
    Matrix<Scalar> all(points.rows(), points.cols());
    for (Index i = 0; i < points.cols(); ++i)
      all.col(order[static_cast<std::size_t>(i)]) = points.col(i);
    return all;
  }

  std::vector<Index> order;  // place here -> number of the given point
  std::vector<Index> place;  // the other way
  Matrix<Scalar> points;     // one a column
};

}  // namespace unfurl::detail
