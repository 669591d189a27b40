#pragma once

#include <cmath>
#include <sstream>
#include <string>

#include "fuzz/checks.hpp"
#include "unfurl/io/csv.hpp"

namespace fuzz {

/// What was read is written and read again: names, labels and numbers to the bit.
template <class Scalar>
void csv_by(const std::string& bytes, const unfurl::CsvOptions& options) {
  unfurl::CsvTable<Scalar> table;
  std::istringstream in(bytes);
  if (!succeeds([&] { table = unfurl::read_csv<Scalar>(in, options); })) return;
  require(options.allow_non_finite || table.values.allFinite(), "csv: NaN or Inf though forbidden");

  unfurl::CsvWriteOptions written;
  written.columns = table.columns;
  written.labels = table.labels;
  std::stringstream copy;
  unfurl::write_csv(copy, table.values, written);
  if (table.values.rows() == 0) return;  // names alone, or nothing at all
  unfurl::CsvOptions as_written;
  as_written.separator = ',';
  as_written.header = table.columns.empty() ? unfurl::CsvHeader::none : unfurl::CsvHeader::present;
  if (!table.labels.empty()) as_written.label_column = unfurl::Index{-1};
  as_written.allow_non_finite = true;
  const unfurl::CsvTable<Scalar> again = unfurl::read_csv<Scalar>(copy, as_written);
  require(again.columns == table.columns && again.labels == table.labels,
          "csv: a name or a label does not come back");
  require(again.values.rows() == table.values.rows() &&
              again.values.cols() == table.values.cols() &&
              (again.values.array() == table.values.array() ||
               (again.values.array().isNaN() && table.values.array().isNaN()))
                  .all(),
          "csv: a number does not come back");
}

inline void csv(const std::string& bytes) {
  unfurl::CsvOptions options;
  csv_by<double>(bytes, options);
  csv_by<float>(bytes, options);
  options.allow_non_finite = true;
  options.label_column = unfurl::Index{-1};
  csv_by<double>(bytes, options);
  options.label_column = std::string("label");
  csv_by<double>(bytes, options);
  options.label_column = unfurl::Index{0};
  options.header = unfurl::CsvHeader::none;
  for (const char separator : {';', ' ', '\t', '|'}) {
    options.separator = separator;
    csv_by<double>(bytes, options);
  }
}

}  // namespace fuzz
