#include <cstddef>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "interrupt.hpp"
#include "picture.hpp"
#include "progress_bar.hpp"
#include "report.hpp"
#include "support/output.hpp"
#include "unfurl/io/model.hpp"
#include "unfurl/plot/html.hpp"

namespace embed {
namespace {

using unfurl::Index;
using Matrix = unfurl::Matrix<double>;

/// A map of some of the rows of the data, in their order.
struct Map {
  std::string title;
  Matrix Y;
  std::vector<Index> rows;  ///< of the data; empty: all
};

/// As many rows as the data has: those that are not on the map are NaN.
Matrix all_rows_of(const Map& map, Index n) {
  if (map.rows.empty()) return map.Y;
  Matrix all = Matrix::Constant(n, map.Y.cols(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < map.rows.size(); ++i)
    all.row(map.rows[i]) = map.Y.row(static_cast<Index>(i));
  std::cerr << "embed: " << n - map.Y.rows() << " of " << n
            << " rows are not on the map; their coordinates are nan\n";
  return all;
}

/// The data that is on the map.
Data part_of(const Data& data, const std::vector<Index>& rows) {
  if (rows.empty()) return data;
  Data part;
  part.labels.name = data.labels.name;
  part.points.resize(static_cast<Index>(rows.size()), data.points.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    part.points.row(static_cast<Index>(i)) = data.points.row(rows[i]);
    if (!data.labels.of_rows.empty())
      part.labels.of_rows.push_back(data.labels.of_rows[static_cast<std::size_t>(rows[i])]);
  }
  return part;
}

void draw(const std::string& file, const Map& map, const Labels& labels) {
  std::string drawn = picture(map.Y, labels, map.title);
  if (file.substr(file.size() - 4) == "html") {
    unfurl::Gallery page;
    page.title = map.title;
    page.figures.push_back({std::move(drawn), std::to_string(map.Y.rows()) + " points"});
    drawn = unfurl::gallery_page(page);
  }
  example::write_file(file, drawn);
}

/// Coordinates and picture.
void write(const Arguments& arguments, const Map& map, const Data& data) {
  if (!arguments.out.empty() || arguments.to_standard_output())
    write_map(arguments.to_standard_output() ? "-" : arguments.out,
              all_rows_of(map, data.points.rows()), data.labels, data.named);
  if (!arguments.plot.empty()) draw(arguments.plot, map, part_of(data, map.rows).labels);
}

/// Where the report goes: not among coordinates.
std::ostream& report_stream(const Arguments& arguments) {
  return arguments.to_standard_output() ? std::cerr : std::cout;
}

void print_quality(const Arguments& arguments, const Map& map, const Data& data) {
  if (data.points.rows() < 3) return;
  const Data part = part_of(data, map.rows);
  print(report_stream(arguments), quality_of(part.points, map.Y, part.labels));
}

}  // namespace

int fit(const Arguments& arguments) {
  const Method& method = method_called(arguments.method);
  ProgressBar bar(method.name);
  Settings settings;
  settings.given = arguments.given;
  settings.progress = bar.callback();
  Estimator estimator = method.make(settings);
  const Data data = read_data(arguments.input, arguments.reading);
  {
    const Interrupt interrupt;
    estimator.fit(data.points);
  }
  bar.clear();

  const Map map{method.title + " of " + arguments.input, estimator.embedding(),
                method.kept(estimator)};
  write(arguments, map, data);
  if (!arguments.save.empty()) unfurl::save_model(arguments.save, estimator);
  if (Interrupt::requested()) {
    std::cerr << "embed: interrupted; the map after " << bar.iteration()
              << " iterations was kept\n";
    return interrupted;
  }
  if (arguments.report) {
    report_stream(arguments) << method.title << " of " << data.points.rows() << " rows and "
                             << data.points.cols() << " columns, in " << map.Y.cols()
                             << " dimensions\n";
    print(report_stream(arguments), estimator.report());
    print_quality(arguments, map, data);
  }
  return done;
}

int apply(const Arguments& arguments) {
  const unfurl::ModelKind kind = unfurl::model_kind(arguments.apply);
  const Estimator model = method_called(kind.estimator).load(arguments.apply);
  const Data data = read_data(arguments.input, arguments.reading);
  const Map map{kind.estimator + " of " + arguments.input, model.transform(data.points), {}};
  write(arguments, map, data);
  if (arguments.report) {
    report_stream(arguments) << kind.estimator << " model of " << model.n_samples()
                             << " rows, applied to " << data.points.rows() << " new ones\n";
    print_quality(arguments, map, data);
  }
  return done;
}

}  // namespace embed
