// Isomap: flatten a sheet and keep the distances along it.
//
// 1500 points of a Swiss roll are all that is known of it. Isomap joins each to its ten nearest,
// takes the lengths of shortest paths for distances on the sheet, and draws these: the sheet comes
// out flat. How many dimensions it has, where new points lie on it, and how large a neighbourhood
// may be, follow below.

#include "unfurl/isomap.hpp"

#include <iostream>
#include <string>

#include "support/format.hpp"
#include "support/table.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/isomap_sweep.hpp"
#include "unfurl/quality/procrustes.hpp"

int main() {
  const unfurl::Dataset<> roll = unfurl::swiss_roll(1700);
  const Eigen::MatrixXd X = roll.points.topRows(1500), X_new = roll.points.bottomRows(200);

  // [readme]
  unfurl::IsomapOptions options;
  options.n_components = 3;
  options.n_neighbors = 10;
  unfurl::Isomap<> isomap(options);
  const Eigen::MatrixXd Y = isomap.fit_transform(X);            // 1500 x 3
  const Eigen::MatrixXd Y_new = isomap.transform(X_new);        // 200 x 3, and Y stays as it is
  const Eigen::VectorXd residual = isomap.residual_variance();  // of 1, 2 and 3 coordinates
  // [readme]
  std::cout << "not explained of the distances along the roll, by 1, 2 and 3 coordinates: "
            << residual.transpose() << "\nthe second one helps, the third does not: a sheet\n";

  // 0 would be the same shape, up to motions and scale.
  Eigen::MatrixXd all(1700, 2);
  all << Y.leftCols(2), Y_new.leftCols(2);
  const double known = unfurl::procrustes_disparity(Y.leftCols(2), roll.coordinates.topRows(1500));
  const double with_new = unfurl::procrustes_disparity(all, roll.coordinates);
  std::cout << "disparity with the true sheet: " << known
            << "; with 200 new points placed on it: " << with_new << "\n\n";

  // A small radius leaves samples out, a large one lets paths jump from turn to turn (which are
  // 2 pi apart): both columns must be low (Balasubramanian and Schwartz 2002).
  unfurl::IsomapOptions cheap;
  cheap.n_landmarks = 200;
  const unfurl::IsomapSweep sweep =
      unfurl::sweep_radius(X, {1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8}, cheap);
  example::Table table{{"radius", "edges", "outside", "residual variance", ""}};
  for (const unfurl::IsomapSweepPoint& point : sweep.points)
    table.rows.push_back({example::fixed(point.value, 1), std::to_string(point.n_edges),
                          example::fixed(100 * point.fraction_outside, 1) + " %",
                          example::fixed(point.residual_variance, 6),
                          point.value == sweep.suggestion ? "suggested" : ""});
  table.print(std::cout);

  const bool right = known < 1e-3 && with_new < 1e-3 && residual(0) > 10 * residual(1) &&
                     residual(2) > 0.5 * residual(1) && sweep.suggestion > 2 &&
                     sweep.suggestion < 6.28 && sweep.points.front().fraction_outside > 0.1 &&
                     sweep.points.back().residual_variance > 0.1;
  std::cout << (right ? "as expected\n" : "not what was expected\n");
  return right ? 0 : 1;
}
