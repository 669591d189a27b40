// How large is a neighbourhood? Picking k, the number of neighbours, and epsilon, the radius.
//
// Too small, and the graph falls apart: samples lie outside of its largest part. Too large, and
// paths jump from one turn of the roll to the next: the residual variance rises. A sweep shows
// both for many values from one search, and suggests the value with the least sum.

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "support/format.hpp"
#include "support/table.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/isomap_sweep.hpp"
#include "unfurl/plot/curve.hpp"

void print(const std::string& name, const unfurl::IsomapSweep& sweep) {
  example::Table table{{name, "edges", "parts", "outside", "residual variance", ""}};
  for (const unfurl::IsomapSweepPoint& point : sweep.points)
    table.rows.push_back({example::fixed(point.value, 1), std::to_string(point.n_edges),
                          std::to_string(point.n_graph_components),
                          example::fixed(100 * point.fraction_outside, 1) + " %",
                          example::fixed(point.residual_variance, 4),
                          point.value == sweep.suggestion ? "suggested" : ""});
  table.print(std::cout);
  std::cout << "\n";
}

void draw(const std::string& file, const std::string& name, const unfurl::IsomapSweep& sweep) {
  std::vector<double> values;
  unfurl::Curve residual{"residual variance"}, outside{"fraction outside"};
  for (const unfurl::IsomapSweepPoint& point : sweep.points) {
    values.push_back(point.value);
    residual.values.push_back(point.residual_variance);
    outside.values.push_back(point.fraction_outside);
  }
  unfurl::CurveOptions options;
  options.x_name = name;
  options.mark = sweep.suggestion;
  std::ofstream(file) << unfurl::curve_plot(values, {residual, outside}, options);
}

int main() {
  const Eigen::MatrixXd X = unfurl::swiss_roll(800).points;
  unfurl::IsomapOptions options;
  options.n_landmarks = 100;  // enough to choose by, and much faster

  const unfurl::IsomapSweep k = unfurl::sweep_neighbors(X, {3, 5, 7, 10, 15, 25, 50}, options);
  print("k", k);
  draw("picking_k.svg", "k", k);
  const unfurl::IsomapSweep epsilon = unfurl::sweep_radius(X, {1, 2, 3, 4, 5, 7, 9}, options);
  print("epsilon", epsilon);

  // Both suggestions keep all samples together and below the distance of two turns, 2 pi.
  const bool right = k.suggestion >= 5 && k.suggestion <= 15 && epsilon.suggestion >= 2 &&
                     epsilon.suggestion < 6.28 && epsilon.points.front().fraction_outside > 0.5 &&
                     epsilon.points.back().residual_variance > 0.1;
  std::cout << (right ? "the picture is in picking_k.svg\n" : "not what was expected\n");
  return right ? 0 : 1;
}
