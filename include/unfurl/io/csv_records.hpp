#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <ios>
#include <istream>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"

namespace unfurl::detail {

/// The first of tab, semicolon, comma and space that stands outside quotes and not at an end; a
/// comma when there is none. In this order, because a comma may be part of a decimal or a sentence,
/// and a space of anything.
inline char detected_separator(std::string_view record) {
  record.remove_prefix(std::min(record.find_first_not_of(' '), record.size()));
  while (!record.empty() && record.back() == ' ') record.remove_suffix(1);
  for (const char candidate : {'\t', ';', ',', ' '}) {
    bool quoted = false;
    for (const char c : record) {
      if (c == '"') quoted = !quoted;
      if (c == candidate && !quoted) return candidate;
    }
  }
  return ',';
}

/// Takes a text apart into records (a line, or several where a quoted field goes on) and fields.
/// Lines end in LF or CRLF, and those with nothing but blanks are left out. Blanks about a field do
/// not belong to it; where the separator is a space, any number of blanks separate.
class CsvRecords {
 public:
  /// \param separator 0: detect it from the first record.
  CsvRecords(std::istream& in, char separator, std::string caller)
      : in_(in), separator_(separator), caller_(std::move(caller)) {}

  /// Goes to the next record; false at the end.
  bool next() {
    do {
      if (!get_line(record_)) return false;
      first_line_ = line_;
    } while (record_.find_first_not_of(" \t\r") == std::string::npos);
    for (bool open = has_open_quote(record_); open; open = open != has_open_quote(more_)) {
      if (!get_line(more_)) fail("a quoted field does not end");
      record_ += '\n';
      record_ += more_;
    }
    if (record_.back() == '\r') record_.pop_back();  // of CRLF; in quotes it stays
    if (separator_ == 0) separator_ = detected_separator(record_);
    split();
    return true;
  }

  const std::vector<std::string>& fields() const { return fields_; }

  /// At the current record; lines count from 1, as in editors. \throws FormatError
  [[noreturn]] void fail(const std::string& why) const {
    throw FormatError(text(caller_, ": line ", first_line_, ": ", why), first_line_);
  }
  /// \param field from 0; the message counts from 1. \throws FormatError
  [[noreturn]] void fail(std::size_t field, const std::string& why) const {
    throw FormatError(text(caller_, ": line ", first_line_, ", column ", field + 1, ": ", why),
                      first_line_);
  }

 private:
  bool get_line(std::string& line) {
    if (!next_line(line)) return false;
    if (++line_ == 1 && line.compare(0, 3, "\xEF\xBB\xBF") == 0) line.erase(0, 3);
    return true;
  }

  /// Up to the end of a line or of the text; false when nothing is left. std::getline would take a
  /// failed allocation for a failed read.
  bool next_line(std::string& line) {
    using Traits = std::istream::traits_type;
    line.clear();
    try {
      for (;;) {
        const auto c = in_ ? in_.rdbuf()->sbumpc() : Traits::eof();
        if (Traits::eq_int_type(c, Traits::eof())) {
          if (in_.bad()) break;
          in_.setstate(std::ios::eofbit);
          return !line.empty();
        }
        if (c == '\n') return true;
        line += Traits::to_char_type(c);
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {  // of the file, or of whatever stands for it
    }
    throw IoError(text(caller_, ": the stream failed while reading"));
  }

  /// Doubled quotes cancel out.
  static bool has_open_quote(const std::string& line) {
    return std::count(line.begin(), line.end(), '"') % 2 != 0;
  }

  bool is_blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }

  bool skip_blanks(std::size_t& at) const {
    const std::size_t from = at;
    while (at < record_.size() && is_blank(record_[at])) ++at;
    return at > from;
  }

  void split() {
    std::size_t at = 0, n_fields = 0;
    skip_blanks(at);
    for (bool more = true; more;) {
      if (fields_.size() == n_fields) fields_.emplace_back();
      std::string& field = fields_[n_fields];
      if (at < record_.size() && record_[at] == '"')
        take_quoted(at, field);
      else
        take_plain(at, field, n_fields);
      const bool blank = skip_blanks(at);
      more = at < record_.size();
      const bool separated = separator_ == ' ' ? blank : more && record_[at] == separator_;
      if (more && !separated) fail(n_fields, "something follows the closing quote");
      if (more && separator_ != ' ') skip_blanks(++at);
      ++n_fields;
    }
    fields_.resize(n_fields);
  }

  void take_quoted(std::size_t& at, std::string& field) const {
    field.clear();
    for (++at;; at += 2) {  // past a pair of quotes, which stands for one
      const std::size_t quote = record_.find('"', at);  // there is one: their number is even
      field.append(record_, at, quote - at);
      at = quote;
      if (at + 1 == record_.size() || record_[at + 1] != '"') break;
      field += '"';
    }
    ++at;
  }

  void take_plain(std::size_t& at, std::string& field, std::size_t number) const {
    std::size_t end = at;
    while (end < record_.size() && record_[end] != separator_ &&
           !(separator_ == ' ' && is_blank(record_[end])))
      ++end;
    std::size_t last = end;
    while (last > at && is_blank(record_[last - 1])) --last;
    field.assign(record_, at, last - at);
    if (field.find('"') != std::string::npos)
      fail(number, "a quote within a field; put the whole field in quotes and double those in it");
    at = end;
  }

  std::istream& in_;
  char separator_;
  std::string caller_, record_ = "", more_ = "";
  std::vector<std::string> fields_ = {};
  std::size_t line_ = 0, first_line_ = 0;
};

}  // namespace unfurl::detail
