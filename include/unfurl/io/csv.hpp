#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <istream>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/io/csv_records.hpp"
#include "unfurl/io/file.hpp"
#include "unfurl/io/number_text.hpp"

namespace unfurl {

/// Whether the first line of a table names the columns.
enum class CsvHeader {
  automatic,  ///< it does if one of its fields, other than the label, is no number
  present,    ///< it does
  none        ///< it does not
};

/// Options of read_csv. Set fields by name; new ones may be added at any place.
struct CsvOptions {
  /// Between fields. 0: the first of tab, semicolon, comma and space that is met in the first line
  /// outside quotes. A space stands for any number of blanks.
  char separator = 0;
  CsvHeader header = CsvHeader::automatic;  ///< whether the first line names the columns
  /// The column of labels, which need not be numbers: its name in the header, or its number from 0,
  /// negative from the end (-1: the last). Empty: every column holds numbers.
  std::optional<std::variant<Index, std::string>> label_column = std::nullopt;
  /// Read nan and inf as numbers and empty fields as NaN, instead of refusing them. No estimator
  /// takes them, so this is for tables that are cleaned afterwards.
  bool allow_non_finite = false;
};

/// A table of numbers, perhaps with a column of labels.
template <class Scalar = double>
struct CsvTable {
  Matrix<Scalar> values = {};             ///< one line of the file a row, the labels left out
  std::vector<std::string> columns = {};  ///< the names of the columns of `values`, if any
  std::vector<std::string> labels = {};   ///< one for each row, if a column of labels was asked for
};

/// Options of write_csv. Set fields by name; new ones may be added at any place.
struct CsvWriteOptions {
  char separator = ',';                   ///< between fields
  std::vector<std::string> columns = {};  ///< names for the first line; empty: no such line
  std::vector<std::string> labels = {};   ///< of the rows, written as the last column; may be empty
  std::string label_name = "label";       ///< of that column, where there are names
};

namespace detail {

/// For an error: at most 40 characters, without those that would spoil a terminal.
inline std::string shown_field(std::string_view field) {
  std::string clean = "'";
  for (const char c : field.substr(0, 40))
    clean += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return clean + (field.size() > 40 ? "…'" : "'");
}

inline void check_separator(const char* caller, char separator) {
  const auto code = static_cast<unsigned char>(separator);
  const bool part_of_number =
      std::string_view("+-.\"\n\r").find(separator) != std::string_view::npos;
  if (part_of_number || code >= 0x80 || (separator >= '0' && separator <= '9') ||
      (separator >= 'a' && separator <= 'z') || (separator >= 'A' && separator <= 'Z'))
    throw ParameterError(text(caller,
                              ": separator must be no letter, digit, sign, point, quote or "
                              "line end, got character ",
                              static_cast<int>(code)));
}

/// Builds a table record by record.
template <class Scalar>
class CsvTableReader {
 public:
  CsvTableReader(std::istream& in, const CsvOptions& options)
      : options_(options), records_(in, options.separator, "read_csv") {}

  CsvTable<Scalar> read() {
    if (!records_.next()) records_.fail("the file is empty");
    n_fields_ = records_.fields().size();
    const bool named =
        options_.label_column && std::holds_alternative<std::string>(*options_.label_column);
    if (named && options_.header == CsvHeader::none)
      throw ParameterError(
          "read_csv: label_column is a name, which needs a header; give its number instead");
    if (!named) find_label_by_number();
    const bool header = named || options_.header == CsvHeader::present ||
                        (options_.header == CsvHeader::automatic && first_record_names());
    if (header) take_header(named);
    for (bool more = header ? records_.next() : true; more; more = records_.next()) take_row();

    const std::size_t n_columns = n_fields_ - (label_ < n_fields_ ? 1 : 0);
    using RowMajor = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    table_.values =
        Eigen::Map<const RowMajor>(values_.data(), n_rows_, static_cast<Index>(n_columns));
    return std::move(table_);
  }

 private:
  void find_label_by_number() {
    if (!options_.label_column) return;
    const Index given = std::get<Index>(*options_.label_column);
    const auto n = static_cast<Index>(n_fields_);
    if (given < -n || given >= n)
      throw ParameterError(text("read_csv: label_column must be in [", -n, ", ", n - 1, "], got ",
                                given, " (the first line has ", n, " columns)"));
    label_ = static_cast<std::size_t>(given < 0 ? given + n : given);
  }

  bool first_record_names() const {
    Scalar ignored;
    for (std::size_t j = 0; j < n_fields_; ++j)
      if (j != label_ && !records_.fields()[j].empty() &&
          parse_number(records_.fields()[j], ignored) == NumberText::no_number)
        return true;
    return false;
  }

  void take_header(bool label_by_name) {
    const std::vector<std::string>& names = records_.fields();
    if (label_by_name) {
      const std::string& name = std::get<std::string>(*options_.label_column);
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        throw ParameterError(text("read_csv: no column is called ", shown_field(name),
                                  "; the first is ", shown_field(names.front()), ", the last ",
                                  shown_field(names.back())));
      label_ = static_cast<std::size_t>(found - names.begin());
      if (std::find(found + 1, names.end(), name) != names.end())
        records_.fail(
            text("two columns are called ", shown_field(name), "; give label_column as a number"));
    }
    for (std::size_t j = 0; j < n_fields_; ++j)
      if (j != label_) table_.columns.push_back(names[j]);
  }

  void take_row() {
    const std::vector<std::string>& fields = records_.fields();
    if (fields.size() != n_fields_)
      records_.fail(text("found ", fields.size(), fields.size() == 1 ? " column" : " columns",
                         ", expecting ", n_fields_, " as in the first line"));
    for (std::size_t j = 0; j < n_fields_; ++j)
      if (j == label_)
        table_.labels.push_back(fields[j]);
      else
        values_.push_back(number(fields[j], j));
    ++n_rows_;
  }

  Scalar number(const std::string& field, std::size_t j) const {
    Scalar value = std::numeric_limits<Scalar>::quiet_NaN();
    switch (field.empty() ? NumberText::non_finite : parse_number(field, value)) {
      case NumberText::number:
        return value;
      case NumberText::non_finite:
        if (options_.allow_non_finite) return value;
        records_.fail(j,
                      field.empty()
                          ? std::string("the field is empty; allow_non_finite reads it as NaN")
                          : text(shown_field(field), " is not finite; allow_non_finite reads it"));
      case NumberText::too_large:
        records_.fail(j, text(shown_field(field), " is too large for ",
                              sizeof(Scalar) == 4 ? "float" : "double"));
      case NumberText::no_number:
        break;
    }
    records_.fail(j, text(shown_field(field),
                          " is not a number; label_column names a column that holds none"));
  }

  const CsvOptions& options_;
  CsvRecords records_;
  std::size_t n_fields_ = 0;
  std::size_t label_ = std::string::npos;  // none
  Index n_rows_ = 0;
  std::vector<Scalar> values_ = {};
  CsvTable<Scalar> table_ = {};
};

/// In quotes where reading would take it for something else: blanks at an end, a byte order mark.
inline void append_field(std::string& line, const std::string& field, char separator) {
  const bool plain = !field.empty() && field.front() != '\xEF' &&
                     field.find_first_of(std::string("\"\n\r\t ") + separator) == std::string::npos;
  if (plain) {
    line += field;
    return;
  }
  line += '"';
  for (const char c : field) line.append(c == '"' ? 2 : 1, c);
  line += '"';
}

}  // namespace detail

/// Reads a table of numbers in text form: comma-separated values and their kin. Numbers are decimal
/// with a point, in any locale, and become the nearest Scalar. Fields may be in quotes, in which a
/// doubled quote stands for one and a separator or line end is itself. Lines end in LF or CRLF, the
/// last one perhaps in nothing; a byte order mark is skipped, and so are blank lines. There are no
/// comments.
///
///     unfurl::CsvOptions options;
///     options.label_column = -1;  // or its name: "species"
///     unfurl::CsvTable<> iris = unfurl::read_csv("iris.csv", options);
///
/// Time is that of the text; memory twice that of the numbers.
///
/// \throws FormatError with line and column (from 1) for anything that is no number, a line with
///   another number of columns, an empty file; ParameterError when label_column is none of the
///   columns; IoError.
template <class Scalar = double>
CsvTable<Scalar> read_csv(std::istream& in, const CsvOptions& options = {}) {
  static_assert(is_scalar_v<Scalar>, "read_csv<Scalar>: Scalar must be float or double");
  detail::check_separator("read_csv", options.separator);
  return detail::CsvTableReader<Scalar>(in, options).read();
}

/// The same from a file. \throws IoError when it cannot be opened
template <class Scalar = double>
CsvTable<Scalar> read_csv(const std::filesystem::path& file, const CsvOptions& options = {}) {
  return detail::read_file("read_csv", file,
                           [&](std::istream& in) { return read_csv<Scalar>(in, options); });
}

/// Writes a matrix as text, a row a line, each number with the fewest digits that read back as the
/// same number to the bit, in any locale. NaN and Inf become nan and inf.
/// \throws ParameterError when there are not as many names as columns or labels as rows; IoError.
template <class Derived>
void write_csv(std::ostream& out, const Eigen::MatrixBase<Derived>& X,
               const CsvWriteOptions& options = {}) {
  using Scalar = typename Derived::Scalar;
  static_assert(is_scalar_v<Scalar>, "write_csv: the numbers must be float or double");
  detail::check_separator("write_csv", options.separator);
  if (options.separator == 0)
    throw ParameterError("write_csv: separator must be a character, got 0");
  const ConstMatrixRef<Scalar> M(X.derived());
  const auto check_count = [](const char* what, std::size_t n, Index wanted, const char* of) {
    if (n > 0 && n != static_cast<std::size_t>(wanted))
      throw ParameterError(
          detail::text("write_csv: there are ", n, " ", what, " for ", wanted, " ", of));
  };
  check_count("names", options.columns.size(), M.cols(), "columns");
  check_count("labels", options.labels.size(), M.rows(), "rows");

  std::string line;
  const auto separate = [&] {
    if (!line.empty()) line += options.separator;
  };
  const auto end_line = [&] {
    line += '\n';
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
    line.clear();
  };
  if (!options.columns.empty()) {
    for (const std::string& name : options.columns)
      separate(), detail::append_field(line, name, options.separator);
    if (!options.labels.empty())
      separate(), detail::append_field(line, options.label_name, options.separator);
    end_line();
  }
  for (Index i = 0; i < M.rows(); ++i) {
    for (Index j = 0; j < M.cols(); ++j) separate(), detail::append_number(line, M(i, j));
    if (!options.labels.empty())
      separate(), detail::append_field(line, options.labels[static_cast<std::size_t>(i)],
                                       options.separator);
    end_line();
  }
  out.flush();
  if (!out) throw IoError("write_csv: the stream failed while writing; is the disk full?");
}

/// To a file; one that is there is replaced only when the new one is complete.
template <class Derived>
void write_csv(const std::filesystem::path& file, const Eigen::MatrixBase<Derived>& X,
               const CsvWriteOptions& options = {}) {
  detail::write_file("write_csv", file, [&](std::ostream& out) { write_csv(out, X, options); });
}

}  // namespace unfurl
