#include "report.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "picture.hpp"
#include "support/format.hpp"

namespace embed {
namespace {

void line(std::ostream& out, const std::string& what, const std::string& value) {
  constexpr std::size_t width = 22;
  out << "  " << what << std::string(what.size() < width ? width - what.size() : 1, ' ') << value
      << '\n';
}

}  // namespace

unfurl::QualitySheet quality_of(const unfurl::Matrix<double>& X, const unfurl::Matrix<double>& Y,
                                const Labels& labels) {
  unfurl::QualityOptions options;
  options.n_neighbors = std::clamp<unfurl::Index>((X.rows() - 1) / 2, 1, options.n_neighbors);
  return labels.of_rows.empty() || !are_kinds(labels)
             ? unfurl::quality_sheet(X, Y, options)
             : unfurl::quality_sheet(X, Y, labels.of_rows, options);
}

void print(std::ostream& out, const unfurl::FitReport& report) {
  out << "What was done\n";
  double seconds = 0;
  std::string stages;
  for (const unfurl::StageTime& stage : report.stages) {
    seconds += stage.seconds;
    stages += (stages.empty() ? "" : ", ") + stage.name + " " + example::duration(stage.seconds);
  }
  line(out, "solver", report.solver);
  line(out, "certificate", (report.certified ? "certified: " : "") + report.certificate);
  if (report.eigengap >= 0) line(out, "eigengap", example::fixed(report.eigengap, 6));
  if (report.graph_components > 0)
    line(out, "parts of the graph", std::to_string(report.graph_components));
  if (report.negative_mass > 0)
    line(out, "negative eigenvalues", example::fixed(100 * report.negative_mass, 2) + " %");
  for (const std::string& note : report.notes) line(out, "note", note);
  line(out, "seconds", example::duration(seconds) + ": " + stages);
  line(out, "memory", example::bytes(static_cast<double>(report.peak_bytes)));
}

void print(std::ostream& out, const unfurl::QualitySheet& sheet) {
  out << "How far the map can be trusted\n";
  const auto number = [&](const std::string& what, double value, const std::string& remark) {
    line(out, what, example::fixed(value, 4) + "  " + remark);
  };
  number("trustworthiness", sheet.trustworthiness, "1: neighbours on the map are neighbours");
  number("continuity", sheet.continuity, "1: neighbours stay together");
  number("kNN recall", sheet.knn_recall, "of the nearest neighbours are found on the map");
  number("stress", sheet.scaled_stress, "0: distances fit, after scaling");
  number("Shepard correlation", sheet.shepard_correlation, "1: distances keep their order");
  number("residual variance", sheet.residual_variance, "0: distances are explained");
  if (sheet.label_score)
    number("label score", *sheet.label_score,
           "read from neighbours on the map; in the data " +
               example::fixed(*sheet.data_label_score, 4));
  if (!sheet.exact)
    line(out, "looked at",
         std::to_string(sheet.n_points) + " points and " + std::to_string(sheet.n_pairs) +
             " pairs, chosen at random");
}

}  // namespace embed
