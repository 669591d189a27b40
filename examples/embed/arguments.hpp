#pragma once

#include <map>
#include <string>

#include "data.hpp"
#include "method.hpp"

namespace embed {

/// What is to be done.
struct Arguments {
  std::string input = "";
  InputOptions reading = {};
  std::string method = "pca";
  std::map<std::string, std::string> given = {};  ///< options of the method: name, value
  std::string out = "", plot = "", save = "", apply = "";
  bool report = false, compare = false, help = false;

  /// Coordinates go to standard output when nothing else is asked for.
  bool to_standard_output() const {
    return out == "-" || (out.empty() && plot.empty() && save.empty() && !report && !compare);
  }
};

/// \throws UsageError
Arguments parse(int argc, const char* const* argv);

/// Fits a screen.
const char* help();

/// The text of an error of the library with the names that its options have here.
std::string in_words_of_command(std::string text);

const Method& method_called(const std::string& name);

}  // namespace embed
