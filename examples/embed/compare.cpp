#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "interrupt.hpp"
#include "picture.hpp"
#include "progress_bar.hpp"
#include "report.hpp"
#include "support/format.hpp"
#include "support/output.hpp"
#include "support/stopwatch.hpp"
#include "support/table.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/plot/html.hpp"

namespace embed {
namespace {

/// All methods on the same data.
class Comparison {
 public:
  Comparison(const Arguments& arguments, const Data& data) : arguments_(arguments), data_(data) {
    table_.header = {"method", "seconds", "memory",           "trust", "continuity", "recall",
                     "stress", "Shepard", "residual variance"};
    if (!data.labels.of_rows.empty() && are_kinds(data.labels))
      table_.header.push_back("label score");
    table_.header.push_back("certified");
  }

  /// \throws unfurl::Error when it cannot
  void add(const Method& method) {
    ProgressBar bar(method.name);
    Settings settings;
    settings.given = arguments_.given;
    settings.progress = bar.callback();
    Estimator estimator = method.make(settings);
    const example::Stopwatch watch;
    estimator.fit(data_.points);
    const std::string seconds = example::duration(watch.seconds());
    bar.clear();
    if (!method.kept(estimator).empty())
      throw unfurl::DataError(method.title + ": the graph falls apart, a part was left out");
    add_row(method, seconds, estimator);
  }

  void note_failure(const Method& method, const std::string& why) {
    failures_.push_back(method.name + " failed: " + in_words_of_command(why));
  }

  bool empty() const { return table_.rows.empty(); }

  void finish() const {
    table_.print(std::cout);
    for (const std::string& failure : failures_) std::cout << failure << '\n';
    if (arguments_.plot.empty()) return;
    unfurl::Gallery page;
    page.title = "Maps of " + arguments_.input;
    page.introduction =
        "Best is 1, of stress and residual variance 0. Trust: neighbours on the map are neighbours "
        "in the data; continuity: the reverse; recall: the fraction of nearest neighbours that are "
        "found again. The others compare distances.";
    for (const std::string& failure : failures_) page.introduction += " " + failure + ".";
    page.table_header = table_.header;
    page.table_rows = table_.rows;
    page.figures = figures_;
    example::write_file(arguments_.plot, unfurl::gallery_page(page));
  }

 private:
  void add_row(const Method& method, const std::string& seconds, const Estimator& estimator) {
    const unfurl::QualitySheet sheet =
        quality_of(data_.points, estimator.embedding(), data_.labels);
    const unfurl::FitReport& report = estimator.report();
    std::vector<std::string> row = {method.name, seconds,
                                    example::bytes(static_cast<double>(report.peak_bytes))};
    for (const double value :
         {sheet.trustworthiness, sheet.continuity, sheet.knn_recall, sheet.scaled_stress,
          sheet.shepard_correlation, sheet.residual_variance})
      row.push_back(example::fixed(value, 3));
    if (sheet.label_score) row.push_back(example::fixed(*sheet.label_score, 3));
    row.push_back(report.certified ? "yes" : "no");
    table_.rows.push_back(std::move(row));
    if (!arguments_.plot.empty())
      figures_.push_back({picture(estimator.embedding(), data_.labels, method.title),
                          "trustworthiness " + example::fixed(sheet.trustworthiness, 3) + ", " +
                              seconds + " s, " + report.solver,
                          "rows"});
  }

  const Arguments& arguments_;
  const Data& data_;
  example::Table table_ = {{}};
  std::vector<std::string> failures_ = {};
  std::vector<unfurl::Figure> figures_ = {};
};

}  // namespace

int compare(const Arguments& arguments) {
  const Data data = read_data(arguments.input, arguments.reading);
  Comparison comparison(arguments, data);
  {
    const Interrupt interrupt;
    for (const Method& method : methods()) {
      if (Interrupt::requested()) break;
      try {
        comparison.add(method);
      } catch (const unfurl::Error& error) {
        comparison.note_failure(method, error.what());
      }
    }
  }
  comparison.finish();
  if (Interrupt::requested()) {
    std::cerr << "embed: interrupted; the methods that were done are shown\n";
    return interrupted;
  }
  return comparison.empty() ? failed : done;
}

}  // namespace embed
