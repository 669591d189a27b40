// The tour: every estimator on a Swiss roll and on handwritten digits, a table of what it cost and
// how good it is, three exercises, and a gallery of the pictures. examples/run builds and starts
// it.

#include <cctype>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "embed/method.hpp"
#include "support/digits.hpp"
#include "support/exercises.hpp"
#include "support/format.hpp"
#include "support/looks.hpp"
#include "support/memory.hpp"
#include "support/output.hpp"
#include "support/progress_line.hpp"
#include "support/stopwatch.hpp"
#include "support/table.hpp"
#include "unfurl/datasets/swiss_roll.hpp"
#include "unfurl/pca.hpp"
#include "unfurl/plot/html.hpp"
#include "unfurl/plot/svg.hpp"
#include "unfurl/quality/knn_label_score.hpp"
#include "unfurl/quality/procrustes.hpp"
#include "unfurl/quality/quality_sheet.hpp"

namespace {

struct Arguments {
  bool quick = false, help = false;
  std::filesystem::path out;
};

/// Data to embed, how its points are coloured in every picture, and the pictures.
struct Sample {
  std::string name;
  Eigen::MatrixXd points;
  unfurl::ScatterOptions look;
  /// What a map shows of what is known about the data, 1 at best.
  std::function<double(const Eigen::MatrixXd& Y)> truth;
  std::vector<unfurl::Figure> figures = {};
};

/// "ClassicalMDS, Swiss roll" -> "classicalmds-swiss-roll"
std::string file_name(const std::string& words) {
  std::string name;
  for (const char c : words)
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  return name;
}

class Tour {
 public:
  Tour(std::vector<Sample> samples, std::filesystem::path out)
      : samples_(std::move(samples)), out_(std::move(out)) {
    example::create_folder(out_);
    gallery_.title = "Unfurl: a tour";
    gallery_.introduction =
        "Each estimator draws two data sets in two dimensions: a Swiss roll, a sheet rolled up in "
        "three dimensions and coloured along its length, and handwritten digits of 8 x 8 pixels, "
        "coloured by the digit. Point at a dot: the same row is marked in all pictures of the "
        "data. Memory is that of the large buffers beside the data. Trust is 1 when neighbours in "
        "a picture are neighbours in the data, continuity when neighbours stay together. Truth is "
        "1 when a map of the roll is the sheet, unrolled (one minus the Procrustes disparity), and "
        "when every digit is told by its ten neighbours. Certified means that the computed "
        "spectrum was verified to be right and complete.";
  }

  /// One estimator on every data set.
  void show(const embed::Method& method) {
    for (Sample& sample : samples_) {
      progress_.begin(method.title + " on " + sample.name);
      embed::Settings settings;
      settings.progress = progress_.callback();
      embed::Estimator estimator = method.make(settings);
      const example::Stopwatch watch;
      const Eigen::MatrixXd Y = estimator.fit_transform(sample.points);
      const double seconds = watch.seconds();
      progress_.show("quality", 0);
      const unfurl::QualitySheet quality = unfurl::quality_sheet(sample.points, Y);

      const unfurl::FitReport& report = estimator.report();
      table_.rows.push_back(
          {method.title, sample.name,
           std::to_string(sample.points.rows()) + " x " + std::to_string(sample.points.cols()),
           example::duration(seconds), example::bytes(static_cast<double>(report.peak_bytes)),
           example::fixed(quality.trustworthiness, 3), example::fixed(quality.continuity, 3),
           example::fixed(sample.truth(Y), 3), example::certificate(report)});
      unfurl::ScatterOptions look = sample.look;
      look.title = method.title + ", " + sample.name;
      add_figure(sample, look.title, unfurl::scatter_plot(Y, look),
                 "trustworthiness " + example::fixed(quality.trustworthiness, 3) + ", " +
                     example::duration(seconds) + " s, " + report.solver);
    }
  }

  /// How many components of the digits stand out of noise.
  void show_scree() {
    Sample& sample = samples_.back();
    const std::string title = "Eigenvalues, " + sample.name;
    progress_.begin(title);
    embed::Settings settings;
    embed::Estimator pca = embed::pca().make(settings);
    pca.fit(sample.points);
    const unfurl::SpectrumTest test = pca.target<unfurl::PCA<>>()->spectrum_test();
    unfurl::ScreeOptions options;
    options.title = title;
    options.noise_eigenvalues = test.noise_eigenvalues;
    options.upper_edge = test.upper_edge;
    add_figure(sample, title, unfurl::scree_plot(test.eigenvalues, options),
               std::to_string(test.n_significant) +
                   " principal components stand out of noise, by the Marchenko–Pastur law");
  }

  void show(const std::string& name, example::Exercise (*exercise)()) {
    progress_.begin("DiffusionMap: " + name);
    exercises_.push_back(exercise());
  }

  /// Prints the table and writes the gallery. \returns whether the exercises came out right.
  bool finish() {
    progress_.clear();
    table_.print(std::cout);
    std::cout << "\nDiffusion maps, three exercises\n";
    bool right = true;
    for (const example::Exercise& exercise : exercises_) {
      std::cout << (exercise.as_expected ? "as expected: " : "NOT as expected: ")
                << exercise.finding;
      right = right && exercise.as_expected;
    }
    if (const std::size_t peak = example::peak_memory(); peak > 0)
      std::cout << "\nPeak memory of the whole process: "
                << example::bytes(static_cast<double>(peak)) << '\n';
    for (const Sample& sample : samples_)
      gallery_.figures.insert(gallery_.figures.end(), sample.figures.begin(), sample.figures.end());
    for (const example::Exercise& exercise : exercises_)
      for (const example::Picture& picture : exercise.pictures) {
        example::write_file(out_ / (picture.file + ".svg"), picture.svg);
        gallery_.figures.push_back(
            {picture.svg, picture.caption, exercise.name, "Diffusion maps: " + exercise.name});
      }
    gallery_.table_header = table_.header;
    gallery_.table_rows = table_.rows;
    const std::filesystem::path page = out_ / "index.html";
    example::write_file(page, unfurl::gallery_page(gallery_));
    std::cout << "The gallery, to open in a browser:\n" << page.string() << std::endl;
    return right;
  }

 private:
  void add_figure(Sample& sample, const std::string& title, std::string svg, std::string caption) {
    example::write_file(out_ / (file_name(title) + ".svg"), svg);
    sample.figures.push_back(
        {std::move(svg), std::move(caption), sample.name, "The " + sample.name});
  }

  std::vector<Sample> samples_;
  std::filesystem::path out_;
  example::ProgressLine progress_;
  example::Table table_{{"estimator", "data", "n x d", "seconds", "memory", "trust", "continuity",
                         "truth", "certified"}};
  std::vector<example::Exercise> exercises_;
  unfurl::Gallery gallery_;
};

std::vector<Sample> make_samples(bool quick) {
  const unfurl::Dataset<> roll = unfurl::swiss_roll(quick ? 500 : 3000);
  const auto unrolled = [sheet = roll.coordinates](const Eigen::MatrixXd& Y) {
    return 1 - unfurl::procrustes_disparity(sheet, Y);
  };
  example::Digits digits = example::read_digits();
  if (quick) {
    digits.images.conservativeResize(500, Eigen::NoChange);
    digits.labels.resize(500);
  }
  unfurl::ScatterOptions by_digit;
  by_digit.labels = digits.labels;
  const auto recognised = [labels = digits.labels](const Eigen::MatrixXd& Y) {
    return unfurl::knn_label_score(Y, labels);
  };
  return {{"Swiss roll", roll.points, example::colored("", roll.coordinates.col(0), "along sheet"),
           unrolled},
          {"digits", digits.images, by_digit, recognised}};
}

bool run(const Arguments& arguments) {
  Tour tour(make_samples(arguments.quick), arguments.out);
  for (const embed::Method& method : embed::methods()) tour.show(method);
  tour.show_scree();
  tour.show("spiral", example::spiral_in_order);
  tour.show("two disks", example::two_disks_and_a_bridge);
  tour.show("digits over time", example::digits_over_time);
  return tour.finish();
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  arguments.out = example::folder_beside(argv[0], "unfurl-gallery");
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--quick")
      arguments.quick = true;
    else if (argument == "--help" || argument == "-h")
      arguments.help = true;
    else if (argument == "--out" && i + 1 < argc)
      arguments.out = std::filesystem::absolute(argv[++i]);
    else
      throw std::invalid_argument("unknown or incomplete argument " + argument + "; try --help");
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments = parse(argc, argv);
    if (arguments.help) {
      std::cout
          << "tour [--quick] [--out DIR]\n"
             "Every estimator on the Swiss roll and on the 8x8 digits, a table of time, memory "
             "and quality,\nthree exercises, and a gallery of pictures in DIR.\n"
             "  --quick    500 points of each data set\n"
             "  --out DIR  default: "
          << arguments.out.string() << '\n';
      return 0;
    }
    return run(arguments) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "tour: " << error.what() << '\n';
    return 1;
  }
}
