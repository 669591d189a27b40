#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "unfurl/core/progress.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/io/number_text.hpp"

namespace embed {

/// The command was called in a way that it does not understand.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The numbers of a file; defined with the other readers, in data.cpp.
unfurl::Matrix<double> read_points(const std::string& file);

/// What the user has set of an estimator's options, by their names on the command line. An
/// estimator reads all that it has; thereby it also tells which there are.
class Settings {
 public:
  std::map<std::string, std::string> given = {};  ///< name, without dashes, and value
  unfurl::ProgressFunction progress = nullptr;

  /// The options that every estimator has.
  template <class Options>
  void read_common(Options& options) {
    read("n-components", options.n_components);
    read("seed", options.seed);
    read("n-threads", options.n_threads);
    read("memory-limit", options.memory_limit);
    options.progress = progress;
  }

  /// Sets the field if its option was given.
  template <class Field>
  void read(const std::string& name, Field& field) {
    if (const std::string* text = find(name)) parse(name, *text, field);
  }
  void read(const std::string& name, bool& field) {
    flags_.insert(name);
    if (find(name)) field = true;
  }
  void read(const std::string& name, std::optional<unfurl::Matrix<double>>& field) {
    if (const std::string* file = find(name)) field = read_points(*file);
  }

  /// One of several words.
  template <class Choice>
  void read(const std::string& name, Choice& field,
            std::initializer_list<std::pair<const char*, Choice>> choices) {
    const std::string* text = find(name);
    if (!text) return;
    std::string words;
    for (const auto& [word, choice] : choices) {
      if (*text == word) {
        field = choice;
        return;
      }
      words += (words.empty() ? "" : ", ") + std::string(word);
    }
    throw UsageError("--" + name + " is one of " + words + "; got '" + *text + "'");
  }

  const std::set<std::string>& names() const { return names_; }  ///< that were asked for
  bool is_flag(const std::string& name) const { return flags_.count(name) > 0; }

 private:
  const std::string* find(const std::string& name) {
    names_.insert(name);
    const auto found = given.find(name);
    return found == given.end() ? nullptr : &found->second;
  }

  template <class Number>
  static void parse(const std::string& name, const std::string& text, Number& field) {
    const char* const end = text.data() + text.size();
    if constexpr (std::is_integral_v<Number>) {
      const auto [stop, error] = std::from_chars(text.data(), end, field);
      if (error != std::errc() || stop != end)
        throw UsageError("--" + name + " takes a whole number" +
                         (std::is_unsigned_v<Number> ? ", at least 0" : "") + "; got '" + text +
                         "'");
    } else if (unfurl::detail::parse_number(text, field) != unfurl::detail::NumberText::number) {
      throw UsageError("--" + name + " takes a number; got '" + text + "'");
    }
  }
  template <class Number>
  static void parse(const std::string& name, const std::string& text,
                    std::optional<Number>& field) {
    parse(name, text, field.emplace());
  }
  /// Several numbers, with commas between.
  static void parse(const std::string& name, const std::string& text, std::vector<double>& field) {
    field.clear();
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      parse(name, text.substr(begin, comma - begin), field.emplace_back());
      begin = comma + 1;
    }
  }

  std::set<std::string> names_ = {}, flags_ = {};
};

}  // namespace embed
