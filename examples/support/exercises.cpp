#include "support/exercises.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "support/digits.hpp"
#include "support/format.hpp"
#include "support/looks.hpp"
#include "unfurl/datasets/spiral.hpp"
#include "unfurl/datasets/two_disks.hpp"
#include "unfurl/diffusion_map.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/graph/shortest_paths.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/plot/svg.hpp"

namespace example {
namespace {

Eigen::Index nearest(const Eigen::MatrixXd& X, double x, double y) {
  Eigen::Index best = 0;
  (X.rowwise() - Eigen::RowVector2d(x, y)).rowwise().squaredNorm().minCoeff(&best);
  return best;
}

/// Rows of the points in the order of the values.
std::vector<Eigen::Index> order_of(const Eigen::VectorXd& values) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index i, Eigen::Index j) { return values(i) < values(j); });
  return order;
}

/// The images of the digits 0 to 4.
Digits small_digits() {
  const Digits all = read_digits();
  Digits some;
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < all.labels.size(); ++i)
    if (all.labels[i] <= 4) {
      rows.push_back(static_cast<Eigen::Index>(i));
      some.labels.push_back(all.labels[i]);
    }
  some.images.resize(static_cast<Eigen::Index>(rows.size()), all.images.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    some.images.row(static_cast<Eigen::Index>(i)) = all.images.row(rows[i]);
  return some;
}

/// The data with rings around A, B and C.
std::string ringed(const Eigen::MatrixXd& X, const std::vector<Eigen::Index>& points) {
  const int n_ring = 24;
  Eigen::MatrixXd Y(X.rows() + n_ring * static_cast<Eigen::Index>(points.size()), 2);
  Y.topRows(X.rows()) = X;
  unfurl::ScatterOptions look = titled("Two disks and a short circuit");
  look.labels.assign(static_cast<std::size_t>(X.rows()), 0);
  look.label_names = {{0, "data"}, {1, "A"}, {2, "B"}, {3, "C"}};
  look.x_name = "x", look.y_name = "y", look.height = 260;
  Eigen::Index row = X.rows();
  for (const Eigen::Index point : points)
    for (int i = 0; i < n_ring; ++i, ++row) {
      const double angle = 2 * 3.14159265358979323846 * i / n_ring;
      Y.row(row) = X.row(point) + 0.12 * Eigen::RowVector2d(std::cos(angle), std::sin(angle));
      look.labels.push_back(static_cast<int>(row - X.rows()) / n_ring + 1);
    }
  return unfurl::scatter_plot(Y, look);
}

}  // namespace

Exercise spiral_in_order() {
  const unfurl::Dataset<> spiral = unfurl::spiral(1000);
  unfurl::DiffusionMapOptions options;
  options.bandwidth = 1.5;  // neighbouring turns are 6.3 apart
  options.alpha = 1;
  unfurl::DiffusionMap<> map(options);
  const Eigen::VectorXd along = spiral.coordinates,
                        first = map.fit(spiral.points).embedding().col(0);
  const std::vector<Eigen::Index> order = order_of(along);
  int n_up = 0;
  for (std::size_t i = 1; i < order.size(); ++i) n_up += first(order[i]) > first(order[i - 1]);

  Exercise exercise{"Spiral", ""};
  exercise.as_expected = n_up == 999 || n_up == 0;
  exercise.finding = std::string("a spiral of 1000 points: the first coordinate puts them ") +
                     (exercise.as_expected ? "in the order" : "out of the order") +
                     " along the spiral\n";
  unfurl::ScatterOptions look = colored("A spiral", first, "coordinate");
  look.x_name = "x", look.y_name = "y";
  exercise.pictures.push_back(
      {"spiral", unfurl::scatter_plot(spiral.points, look),
       "The data, coloured by the first coordinate of the diffusion map: it runs along the "
       "spiral and does not jump between its turns."});
  Eigen::MatrixXd both(1000, 2);  // axes have equal scale: both from 0 to 1
  both << along / along.maxCoeff(),
      (first.array() - first.minCoeff()) / (first.maxCoeff() - first.minCoeff());
  look.title = "The first coordinate along the spiral";
  look.x_name = "position along the spiral", look.y_name = "first coordinate";
  exercise.pictures.push_back(
      {"spiral-order", unfurl::scatter_plot(both, look),
       "Strictly monotone, half a cosine wave: every point has its place in the order of the "
       "spiral."});
  return exercise;
}

Exercise two_disks_and_a_bridge() {
  const Eigen::MatrixXd X = unfurl::two_disks(1000).points;
  const Eigen::Index A = nearest(X, -0.45, 0), B = nearest(X, 0.45, 0), C = nearest(X, 1.4, 0);

  const unfurl::Parallel parallel;
  const auto graph = unfurl::neighbor_graph(unfurl::knn(X, 10), unfurl::Symmetry::either, parallel);
  const Eigen::VectorXd geodesic =
      unfurl::shortest_paths<double>(graph, {B}, unfurl::Path::lengths, parallel);

  unfurl::DiffusionMapOptions options;
  options.n_components = 20;
  options.bandwidth = 0.15;
  unfurl::DiffusionMap<> map(options);
  map.fit(X);
  const double steps = 64;
  Eigen::VectorXd diffusion(X.rows());
  for (Eigen::Index i = 0; i < X.rows(); ++i) diffusion(i) = map.diffusion_distance(B, i, steps);
  const double by_paths = geodesic(A) / geodesic(C), by_walks = diffusion(A) / diffusion(C);

  Exercise exercise{"Two disks", ""};
  exercise.as_expected = by_paths < 1 && by_walks > 3;
  exercise.finding =
      "two disks joined by a bridge, A and B on either side of it, C in B's disk:\n"
      "shortest path B to A " +
      fixed(geodesic(A), 2) + ", B to C " + fixed(geodesic(C), 2) + "; diffusion distance B to A " +
      fixed(by_walks, 1) + " times that of B to C\n";
  exercise.pictures.push_back({"disks", ringed(X, {A, B, C}),
                               "By shortest path A is a little nearer to B than C is (" +
                                   fixed(geodesic(A), 2) + " against " + fixed(geodesic(C), 2) +
                                   "), although the bridge is thin."});
  unfurl::ScatterOptions look = colored("Shortest paths from B", geodesic, "length");
  look.x_name = "x", look.y_name = "y", look.height = 260;
  exercise.pictures.push_back({"disks-geodesic", unfurl::scatter_plot(X, look),
                               "The bridge does not show: colours run across it."});
  look = colored("Diffusion distance from B, 64 steps", diffusion, "distance");
  look.x_name = "x", look.y_name = "y", look.height = 260;
  exercise.pictures.push_back(
      {"disks-diffusion", unfurl::scatter_plot(X, look),
       "A walk seldom finds the bridge: B is close to its own disk, and A is " +
           fixed(by_walks, 1) + " times as far as C."});
  return exercise;
}

Exercise digits_over_time() {
  const Digits digits = small_digits();
  unfurl::DiffusionMapOptions options;
  options.n_components = 4;
  options.bandwidth = 14;
  unfurl::DiffusionMap<> map(options);
  map.fit(digits.images);

  Exercise exercise{"Digits over time", ""};
  exercise.finding = std::to_string(digits.images.rows()) +
                     " digits from 0 to 4: what is left of the four coordinates after t steps\n";
  unfurl::ScatterOptions look = titled("Digits from 0 to 4 at their places, t = 1");
  look.labels = digits.labels;
  look.images = digits.images;
  exercise.pictures.push_back({"digits-images",
                               unfurl::scatter_plot(map.embedding_at(1).leftCols(2), look),
                               "The images themselves. 2 and 3 are the most alike."});
  look.images.resize(0, 0);
  for (const int t : {1, 4, 16, 64}) {
    const Eigen::ArrayXd left = map.eigenvalues().array().pow(t);
    exercise.finding += "  t = " + std::to_string(t) + ":";
    for (const double part : left) exercise.finding += " " + fixed(100 * part, 1) + " %";
    exercise.finding += "\n";
    look.title = "Digits from 0 to 4, t = " + std::to_string(t);
    exercise.pictures.push_back(
        {"digits-t" + std::to_string(t),
         unfurl::scatter_plot(map.embedding_at(t).leftCols(2), look),
         t == 1 ? "One step: the coordinates are " + fixed(100 * left(0), 1) + " % and " +
                      fixed(100 * left(1), 1) + " % of the eigenvectors."
                : "The first coordinate has shrunk to " + fixed(100 * left(0), 1) +
                      " %, the second to " + fixed(100 * left(1), 1) + " %."});
  }
  look.title = "Digits from 0 to 4, coordinates 3 and 4, t = 1";
  look.x_name = "component 3", look.y_name = "component 4";
  exercise.pictures.push_back(
      {"digits-3-4", unfurl::scatter_plot(map.embedding_at(1).rightCols(2), look),
       "Here 2 and 3 are apart, and 1 shows that it is written in more than one way."});

  // After 64 steps the map is all but a line: one coordinate is left, as its eigenvalue says.
  const Eigen::MatrixXd late = map.embedding_at(64);
  exercise.as_expected = map.report().certified && late.col(1).norm() < 0.2 * late.col(0).norm();
  return exercise;
}

}  // namespace example
