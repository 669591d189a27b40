#include "data.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "settings.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/io/csv.hpp"
#include "unfurl/io/idx.hpp"
#include "unfurl/io/npy.hpp"

namespace embed {
namespace {

enum class Format { text, npy, idx };

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// By the name: MNIST's files are called train-images-idx3-ubyte or …images.idx3-ubyte.
Format format_of(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* packed : {".gz", ".zip", ".xz", ".bz2", ".zst", ".npz"})
    if (ends_with(name, packed))
      throw UsageError("'" + file + "' is compressed; decompress it first");
  if (ends_with(name, ".npy")) return Format::npy;
  return ends_with(name, ".idx") || ends_with(name, "-ubyte") ? Format::idx : Format::text;
}

unfurl::CsvTable<> read_text(const std::string& file, const unfurl::CsvOptions& options) {
  return file == "-" ? unfurl::read_csv(std::cin, options) : unfurl::read_csv(file, options);
}

std::vector<std::string> read_labels(const std::string& file, unfurl::CsvOptions options) {
  std::vector<std::string> labels;
  switch (format_of(file)) {
    case Format::idx:
      for (const int label : unfurl::read_idx_labels(file)) labels.push_back(std::to_string(label));
      return labels;
    case Format::npy: {
      const unfurl::Matrix<double> numbers = unfurl::read_npy(file);
      for (unfurl::Index i = 0; i < numbers.size(); ++i)
        unfurl::detail::append_number(labels.emplace_back(), numbers.data()[i]);
      return labels;
    }
    case Format::text:
      break;
  }
  options.label_column = 0;
  return read_text(file, options).labels;
}

}  // namespace

Data read_data(const std::string& file, const InputOptions& options) {
  const Format format = format_of(file);
  if (format != Format::text && options.csv.label_column)
    throw UsageError("--label-column is for text files; name a file with --labels");
  Data data;
  if (format == Format::npy) {
    data.points = unfurl::read_npy(file);
  } else if (format == Format::idx) {
    data.points = unfurl::read_idx(file);
  } else {
    unfurl::CsvTable<> table = read_text(file, options.csv);
    data.points = std::move(table.values);
    data.labels.of_rows = std::move(table.labels);
    if (options.csv.label_column)
      if (const auto* name = std::get_if<std::string>(&*options.csv.label_column))
        data.labels.name = *name;
    data.named = !table.columns.empty();
  }
  if (options.labels.empty()) return data;
  data.labels.of_rows = read_labels(options.labels, options.csv);
  if (data.labels.of_rows.size() != static_cast<std::size_t>(data.points.rows()))
    throw unfurl::DimensionError("'" + options.labels + "' has " +
                                 std::to_string(data.labels.of_rows.size()) + " labels for " +
                                 std::to_string(data.points.rows()) + " rows of '" + file + "'");
  return data;
}

unfurl::Matrix<double> read_points(const std::string& file) {
  const InputOptions options;
  return read_data(file, options).points;
}

void write_map(const std::string& file, const unfurl::Matrix<double>& Y, const Labels& labels,
               bool named) {
  if (format_of(file) == Format::npy) return unfurl::write_npy(file, Y);
  if (format_of(file) == Format::idx)
    throw UsageError("'" + file + "': a map is written as .npy or .csv");
  unfurl::CsvWriteOptions options;
  options.labels = labels.of_rows;
  options.label_name = labels.name;
  if (ends_with(file, ".tsv")) options.separator = '\t';
  for (unfurl::Index j = 0; named && j < Y.cols(); ++j)
    options.columns.push_back("component" + std::to_string(j + 1));
  if (file == "-")
    unfurl::write_csv(std::cout, Y, options);
  else
    unfurl::write_csv(file, Y, options);
}

}  // namespace embed
