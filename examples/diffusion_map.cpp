// Diffusion maps: near is what a random walk finds soon.
//
// Four small studies, each with its pictures: (1) a closed curve becomes a circle, however unevenly
// it was sampled; and, in support/exercises.cpp, (2) a spiral is laid out in order; (3) two disks
// with a short circuit, where shortest paths mislead and the walk does not; (4) handwritten digits
// as time goes by. The last line printed is the path of the page with the pictures.

#include "unfurl/diffusion_map.hpp"

#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "support/exercises.hpp"
#include "support/format.hpp"
#include "support/looks.hpp"
#include "support/output.hpp"
#include "unfurl/datasets/circle.hpp"
#include "unfurl/plot/html.hpp"
#include "unfurl/plot/svg.hpp"

namespace {

using example::fixed;

/// A closed curve needs two coordinates. alpha = 1 takes the density of the samples out.
example::Exercise show_circle() {
  unfurl::CircleOptions uneven;
  uneven.warp = 0.12;
  const unfurl::Dataset<> circle = unfurl::circle(1000, uneven);
  unfurl::ScatterOptions look = example::colored("", circle.coordinates.col(0), "angle");
  example::Exercise exercise{"Circle", ""};
  exercise.finding =
      "a circle of 1000 points, seven times as dense on its left side; largest over smallest "
      "radius\n";
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
    exercise.finding += "  " + name + ": " + fixed(roundness[alpha], 3) + "\n";
    look.title = "An unevenly sampled circle, " + name;
    exercise.pictures.push_back(
        {"circle-alpha-" + std::to_string(alpha), unfurl::scatter_plot(Y, look),
         alpha == 0 ? "The walk prefers the dense side, and the picture shows it."
                    : "The density is taken out: geometry alone, a circle. Radii differ by " +
                          fixed(100 * (roundness[alpha] - 1), 1) + " %."});
  }
  exercise.as_expected = roundness[0] > 3 && roundness[1] < 1.05;
  return exercise;
}

}  // namespace

int main(int, char** argv) try {
  const std::filesystem::path folder = example::folder_beside(argv[0], "unfurl-diffusion-map");
  example::create_folder(folder);
  unfurl::Gallery gallery;
  gallery.title = "Diffusion maps";
  gallery.introduction =
      "A random walk steps to near points more often than to far ones. Two points are close when "
      "walks from both end at the same places: that takes all ways between them into account, "
      "not the shortest alone. The coordinates of the pictures keep this distance.";
  bool right = true;
  for (const auto& show : {show_circle, example::spiral_in_order, example::two_disks_and_a_bridge,
                           example::digits_over_time}) {
    const example::Exercise exercise = show();
    std::cout << exercise.finding;
    right = exercise.as_expected && right;
    for (const example::Picture& picture : exercise.pictures) {
      example::write_file(folder / (picture.file + ".svg"), picture.svg);
      gallery.figures.push_back({picture.svg, picture.caption, exercise.name, exercise.name});
    }
  }
  const std::filesystem::path page = folder / "index.html";
  example::write_file(page, unfurl::gallery_page(gallery));
  std::cout << (right ? "as expected; " : "not what was expected; ")
            << "the pictures, to open in a browser:\n"
            << page.string() << "\n";
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "diffusion_map: " << error.what() << "\n";
  return 1;
}
