// Diffusion maps: near is what a random walk finds soon.
//
// Four small studies, each with its pictures: (1) a spiral is laid out in order; (2) a closed curve
// becomes a circle, however unevenly it was sampled; (3) two disks with a short circuit, where
// shortest paths mislead and the walk does not; (4) handwritten digits as time goes by. The last
// line printed is the path of the page with the pictures.

#include "unfurl/diffusion_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/digits.hpp"
#include "support/format.hpp"
#include "support/output.hpp"
#include "unfurl/datasets/circle.hpp"
#include "unfurl/datasets/spiral.hpp"
#include "unfurl/datasets/two_disks.hpp"
#include "unfurl/graph/neighbor_graph.hpp"
#include "unfurl/graph/shortest_paths.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/plot/html.hpp"
#include "unfurl/plot/svg.hpp"

namespace {

using example::fixed;

class Album {
 public:
  explicit Album(std::filesystem::path folder) : folder_(std::move(folder)) {
    example::create_folder(folder_);
    gallery_.title = "Diffusion maps";
    gallery_.introduction =
        "A random walk steps to near points more often than to far ones. Two points are close when "
        "walks from both end at the same places: that takes all ways between them into account, "
        "not the shortest alone. The coordinates of the pictures keep this distance.";
  }

  void add(const std::string& file, const Eigen::MatrixXd& Y, const unfurl::ScatterOptions& look,
           const std::string& caption) {
    const std::string svg = unfurl::scatter_plot(Y, look);
    example::write_file(folder_ / (file + ".svg"), svg);
    gallery_.figures.push_back({svg, caption});
  }

  /// Writes the page and returns its path.
  std::filesystem::path finish() const {
    const std::filesystem::path page = folder_ / "index.html";
    example::write_file(page, unfurl::gallery_page(gallery_));
    return page;
  }

 private:
  std::filesystem::path folder_;
  unfurl::Gallery gallery_;
};

unfurl::ScatterOptions titled(const std::string& title) {
  unfurl::ScatterOptions look;
  look.title = title;
  return look;
}

unfurl::ScatterOptions colored(const std::string& title, const Eigen::VectorXd& values,
                               const std::string& name) {
  unfurl::ScatterOptions look = titled(title);
  look.values.assign(values.data(), values.data() + values.size());
  look.values_name = name;
  return look;
}

/// An open curve: the first coordinate is a position along it, so it puts the points in order.
bool show_spiral(Album& album) {
  const unfurl::Dataset<> spiral = unfurl::spiral(1000);
  unfurl::DiffusionMapOptions options;
  options.bandwidth = 1.5;  // neighbouring turns are 6.3 apart
  options.alpha = 1;
  unfurl::DiffusionMap<> map(options);
  const Eigen::VectorXd along = spiral.coordinates,
                        first = map.fit(spiral.points).embedding().col(0);

  std::vector<Eigen::Index> order(1000);
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::sort(order.begin(), order.end(),
            [&](Eigen::Index i, Eigen::Index j) { return along(i) < along(j); });
  int n_up = 0;
  for (std::size_t i = 1; i < order.size(); ++i) n_up += first(order[i]) > first(order[i - 1]);
  const bool in_order = n_up == 999 || n_up == 0;
  std::cout << "1. a spiral of 1000 points: the first coordinate puts them "
            << (in_order ? "in the order" : "out of the order") << " along the spiral\n";

  unfurl::ScatterOptions look = colored("1. A spiral", first, "coordinate");
  look.x_name = "x", look.y_name = "y";
  album.add("spiral", spiral.points, look,
            "The data, coloured by the first coordinate of the diffusion map: it runs along the "
            "spiral and does not jump between its turns.");
  Eigen::MatrixXd both(1000, 2);  // axes have equal scale: both from 0 to 1
  both << along / along.maxCoeff(),
      (first.array() - first.minCoeff()) / (first.maxCoeff() - first.minCoeff());
  look.title = "The first coordinate along the spiral";
  look.x_name = "position along the spiral", look.y_name = "first coordinate";
  album.add("spiral-order", both, look,
            "Strictly monotone, half a cosine wave: every point has its place in the order of the "
            "spiral.");
  return in_order;
}

/// A closed curve needs two coordinates. alpha = 1 takes the density of the samples out.
bool show_circle(Album& album) {
  unfurl::CircleOptions uneven;
  uneven.warp = 0.12;
  const unfurl::Dataset<> circle = unfurl::circle(1000, uneven);
  unfurl::ScatterOptions look =
      colored("2. A circle, sampled unevenly", circle.coordinates.col(0), "angle");
  std::cout << "2. a circle of 1000 points, seven times as dense on its left side; largest over "
               "smallest radius\n";
  double roundness[2];
  for (const int alpha : {0, 1}) {
    unfurl::DiffusionMapOptions options;
    options.bandwidth = 0.1;
    options.alpha = alpha;
    unfurl::DiffusionMap<> map(options);
    const Eigen::MatrixXd Y = map.fit_transform(circle.points);
    const Eigen::VectorXd radii = Y.rowwise().norm();
    roundness[alpha] = radii.maxCoeff() / radii.minCoeff();
    const std::string name = "alpha = " + std::to_string(alpha);
    std::cout << "   " << name << ": " << fixed(roundness[alpha], 3) << "\n";
    look.title = "2. An unevenly sampled circle, " + name;
    album.add("circle-alpha-" + std::to_string(alpha), Y, look,
              alpha == 0 ? "The walk prefers the dense side, and the picture shows it."
                         : "The density is taken out: geometry alone, a circle. Radii differ by " +
                               fixed(100 * (roundness[alpha] - 1), 1) + " %.");
  }
  return roundness[0] > 3 && roundness[1] < 1.05;
}

Eigen::Index nearest(const Eigen::MatrixXd& X, double x, double y) {
  Eigen::Index best = 0;
  (X.rowwise() - Eigen::RowVector2d(x, y)).rowwise().squaredNorm().minCoeff(&best);
  return best;
}

/// A and B face each other across a thin bridge, C lies in B's disk: shortest paths find A nearer
/// to B than C, random walks do not.
bool show_disks(Album& album) {
  const Eigen::MatrixXd X = unfurl::two_disks(1000).points;
  const Eigen::Index A = nearest(X, -0.45, 0), B = nearest(X, 0.45, 0), C = nearest(X, 1.4, 0);

  const unfurl::Parallel parallel;
  const auto graph = unfurl::neighbor_graph(unfurl::knn(X, 10), unfurl::Symmetry::either, parallel);
  const Eigen::VectorXd geodesic =
      unfurl::shortest_paths<double>(graph, {B}, unfurl::Path::lengths, parallel);

  const double steps = 64;
  unfurl::DiffusionMapOptions options;
  options.n_components = 20;
  options.bandwidth = 0.15;
  unfurl::DiffusionMap<> map(options);
  map.fit(X);
  Eigen::VectorXd diffusion(X.rows());
  for (Eigen::Index i = 0; i < X.rows(); ++i) diffusion(i) = map.diffusion_distance(B, i, steps);
  const double by_paths = geodesic(A) / geodesic(C), by_walks = diffusion(A) / diffusion(C);
  std::cout << "3. two disks joined by a bridge, A and B on either side of it, C in B's disk\n"
            << "   shortest path B to A " << fixed(geodesic(A), 2) << ", B to C "
            << fixed(geodesic(C), 2) << "; diffusion distance B to A " << fixed(by_walks, 1)
            << " times that of B to C\n";

  // Rings around A, B and C show where they are.
  const int n_ring = 24;
  Eigen::MatrixXd ringed(X.rows() + 3 * n_ring, 2);
  ringed.topRows(X.rows()) = X;
  unfurl::ScatterOptions look = titled("3. Two disks and a short circuit");
  look.labels.assign(static_cast<std::size_t>(X.rows()), 0);
  look.label_names = {{0, "data"}, {1, "A"}, {2, "B"}, {3, "C"}};
  look.x_name = "x", look.y_name = "y", look.height = 260;
  Eigen::Index row = X.rows();
  for (const Eigen::Index point : {A, B, C})
    for (int i = 0; i < n_ring; ++i, ++row) {
      const double angle = 2 * 3.14159265358979323846 * i / n_ring;
      ringed.row(row) = X.row(point) + 0.12 * Eigen::RowVector2d(std::cos(angle), std::sin(angle));
      look.labels.push_back(static_cast<int>(row - X.rows()) / n_ring + 1);
    }
  album.add("disks", ringed, look,
            "By shortest path A is a little nearer to B than C is (" + fixed(geodesic(A), 2) +
                " against " + fixed(geodesic(C), 2) + "), although the bridge is thin.");
  look = colored("Shortest paths from B", geodesic, "length");
  look.x_name = "x", look.y_name = "y", look.height = 260;
  album.add("disks-geodesic", X, look, "The bridge does not show: colours run across it.");
  look = colored("Diffusion distance from B, 64 steps", diffusion, "distance");
  look.x_name = "x", look.y_name = "y", look.height = 260;
  album.add("disks-diffusion", X, look,
            "A walk seldom finds the bridge: B is close to its own disk, and A is " +
                fixed(by_walks, 1) + " times as far as C.");
  return by_paths < 1 && by_walks > 3;
}

/// Later in time only the coarsest structure is left. One fit serves all times.
bool show_digits(Album& album) {
  const example::Digits all = example::read_digits();
  unfurl::ScatterOptions look;
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < all.labels.size(); ++i)
    if (all.labels[i] <= 4) {
      rows.push_back(static_cast<Eigen::Index>(i));
      look.labels.push_back(all.labels[i]);
    }
  Eigen::MatrixXd images(static_cast<Eigen::Index>(rows.size()), all.images.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    images.row(static_cast<Eigen::Index>(i)) = all.images.row(rows[i]);

  unfurl::DiffusionMapOptions options;
  options.n_components = 4;
  options.bandwidth = 14;
  unfurl::DiffusionMap<> map(options);
  map.fit(images);
  std::cout << "4. " << images.rows()
            << " digits from 0 to 4; what is left of the four coordinates "
            << "after t steps\n";
  for (const int t : {1, 4, 16, 64}) {
    const Eigen::ArrayXd left = map.eigenvalues().array().pow(t);
    std::cout << "   t = " << t << ":";
    for (const double part : left) std::cout << " " << fixed(100 * part, 1) << " %";
    std::cout << "\n";
    look.title = "4. Digits, t = " + std::to_string(t);
    album.add("digits-t" + std::to_string(t), map.embedding_at(t).leftCols(2), look,
              t == 1 ? "One step. 2 and 3 are the most alike."
                     : "The first coordinate has shrunk to " + fixed(100 * left(0), 1) +
                           " %, the second to " + fixed(100 * left(1), 1) + " %.");
  }
  look.title = "Digits, coordinates 3 and 4, t = 1";
  look.x_name = "component 3", look.y_name = "component 4";
  album.add("digits-3-4", map.embedding_at(1).rightCols(2), look,
            "Here 2 and 3 are apart, and 1 shows that it is written in more than one way.");

  // After 64 steps the map is all but a line: one coordinate is left, as its eigenvalue says.
  const Eigen::MatrixXd late = map.embedding_at(64);
  return map.report().certified && late.col(1).norm() < 0.2 * late.col(0).norm();
}

}  // namespace

int main(int, char** argv) try {
  Album album(example::folder_beside(argv[0], "unfurl-diffusion-map"));
  bool right = show_spiral(album);
  right = show_circle(album) && right;
  right = show_disks(album) && right;
  right = show_digits(album) && right;
  const std::filesystem::path page = album.finish();
  std::cout << (right ? "as expected; " : "not what was expected; ")
            << "the pictures, to open in a browser:\n"
            << page.string() << "\n";
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "diffusion_map: " << error.what() << "\n";
  return 1;
}
