#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <regex>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "settings.hpp"

namespace embed {
namespace {

/// All options of a method, learnt by making one.
Settings options_of(const Method& method) {
  Settings settings;
  method.make(settings);
  return settings;
}

/// Names for those who leave the n- out: --neighbors.
std::string with_short_form(const std::string& name) {
  const std::string full = "--" + name;
  return name.rfind("n-", 0) == 0 ? full + ",--" + name.substr(2) : full;
}

char to_separator(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text.size() != 1)
    throw UsageError("--separator takes one character, or tab or space; got '" + text + "'");
  return text[0];
}

/// The number of a column or its name.
void set_label_column(const std::string& text, unfurl::CsvOptions& options) {
  unfurl::Index number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end)
    options.label_column = number;
  else
    options.label_column = text;
}

/// How many letters must be changed, added or taken away to turn one word into the other.
std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> edits(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) edits[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(edits[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = edits[j + 1];
      edits[j + 1] = std::min({changed, edits[j] + 1, diagonal + 1});
    }
  }
  return edits.back();
}

std::string nearest_to(const std::string& word, const std::vector<std::string>& words) {
  return *std::min_element(words.begin(), words.end(), [&](const auto& a, const auto& b) {
    return edits_between(word, a) < edits_between(word, b);
  });
}

[[noreturn]] void refuse_extras(const CLI::App& app) {
  const std::string extra = app.remaining().front();
  if (extra.rfind('-', 0) != 0)
    throw UsageError("one file is read at a time, '" + extra + "' is one too many");
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  throw UsageError("there is no option " + extra + "; did you mean " + nearest_to(extra, names) +
                   "?");
}

bool has_ending(const std::string& file, const std::string& ending) {
  return file.size() > ending.size() &&
         file.compare(file.size() - ending.size(), ending.size(), ending) == 0;
}

void check_method_options(const Arguments& arguments) {
  const Settings settings = options_of(method_called(arguments.method));
  for (const auto& entry : arguments.given) {
    if (settings.names().count(entry.first) > 0) continue;
    std::string names;
    for (const std::string& name : settings.names()) names += " --" + name;
    throw UsageError(arguments.method + " has no --" + entry.first + "; it has" + names);
  }
}

void check(const Arguments& arguments, bool method_given) {
  if (arguments.input.empty())
    throw UsageError(
        "name a file to read, or - for standard input: embed data.csv --plot picture.svg");
  const bool page = has_ending(arguments.plot, ".html");
  if (!arguments.plot.empty() && !page && !has_ending(arguments.plot, ".svg"))
    throw UsageError("--plot draws a picture.svg or a page.html; got '" + arguments.plot + "'");
  if (arguments.compare) {
    if (method_given || !arguments.out.empty() || !arguments.save.empty() ||
        !arguments.apply.empty())
      throw UsageError(
          "--compare tries every method and keeps none: leave out --method, --out, --save and "
          "--apply, then run again with the method you like");
    if (!arguments.plot.empty() && !page)
      throw UsageError("--compare draws all maps on one page: --plot page.html");
  } else if (!arguments.apply.empty()) {
    if (method_given || !arguments.given.empty() || !arguments.save.empty())
      throw UsageError(
          "--apply uses a model as it was saved: leave out --save, --method and its options");
  } else {
    check_method_options(arguments);
  }
}

}  // namespace

const Method& method_called(const std::string& name) {
  std::string names;
  for (const Method& method : methods()) {
    if (method.name == name || method.title == name) return method;
    names += (names.empty() ? "" : ", ") + method.name;
  }
  throw UsageError("--method is one of " + names + "; got '" + name + "'");
}

Arguments parse(int argc, const char* const* argv) {
  Arguments arguments;
  std::string separator, label_column;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_option("input", arguments.input);
  app.add_option("--separator", separator);
  app.add_option("--label-column", label_column);
  app.add_option("--labels", arguments.reading.labels);
  const CLI::Option* const header = app.add_flag("--header");
  const CLI::Option* const no_header = app.add_flag("--no-header");
  const CLI::Option* const method = app.add_option("-m,--method", arguments.method);
  app.add_option("-o,--out", arguments.out);
  app.add_option("--plot", arguments.plot);
  app.add_option("--save", arguments.save);
  app.add_option("--apply", arguments.apply);
  app.add_flag("--report", arguments.report);
  app.add_flag("--compare", arguments.compare);
  app.add_flag("-h,--help", arguments.help);
  std::set<std::string> known;
  for (const Method& each : methods()) {
    const Settings settings = options_of(each);
    for (const std::string& name : settings.names()) {
      if (!known.insert(name).second) continue;
      if (settings.is_flag(name))
        app.add_flag_callback("--" + name, [&arguments, name] { arguments.given[name] = ""; });
      else
        app.add_option_function<std::string>(
            with_short_form(name),
            [&arguments, name](const std::string& value) { arguments.given[name] = value; });
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::regex_replace(error.what(), std::regex("TEXT"), "value"));
  }
  if (arguments.help) return arguments;
  if (!app.remaining().empty()) refuse_extras(app);
  if (!separator.empty()) arguments.reading.csv.separator = to_separator(separator);
  if (!label_column.empty()) set_label_column(label_column, arguments.reading.csv);
  if (header->count() > 0) arguments.reading.csv.header = unfurl::CsvHeader::present;
  if (no_header->count() > 0) arguments.reading.csv.header = unfurl::CsvHeader::none;
  check(arguments, method->count() > 0);
  return arguments;
}

std::string in_words_of_command(std::string text) {
  std::set<std::string> names = {"label-column"};
  for (const Method& method : methods()) {
    const Settings settings = options_of(method);
    for (const std::string& name : settings.names())
      if (name.find('-') != std::string::npos) names.insert(name);
  }
  for (auto name = names.rbegin(); name != names.rend(); ++name) {  // the longer one first
    std::string there = *name;
    std::replace(there.begin(), there.end(), '-', '_');
    for (std::size_t at = text.find(there); at != std::string::npos;
         at = text.find(there, at + name->size() + 2))
      text.replace(at, there.size(), "--" + *name);
  }
  return text;
}

const char* help() {
  return R"(embed FILE [--method METHOD] [OPTION...]
Draws the rows of a file as points in few dimensions.

  embed flowers.csv --label-column species --plot flowers.svg
  embed data.csv -m isomap --neighbors 12 -o y.csv --plot y.svg --save my.model
  embed new.csv --apply my.model -o z.csv          new rows, on the map as it is
  embed data.csv --compare --plot maps.html        every method, side by side

FILE is CSV or other text, .npy or MNIST's idx, by its name; - standard input.
  --header, --no-header  the first line has names or none (default: it shows)
  --separator C          between fields, or tab or space (default: it shows)
  --label-column C       a column that colours the points, by name or number (0
                         is the first, -1 the last)
  --labels FILE          the same from a file of its own
Output
  -o, --out FILE         coordinates, as .csv or .npy (- and default: printed)
  --plot FILE            a picture.svg or a page.html
  --save FILE            the model, for --apply FILE
  --report               what was done, and how far the map can be trusted
Methods (-m, --method) and their options
  pca (default)       whiten solver n-oversamples n-power-iterations
                      variance-fraction
  classical-mds       n-landmarks
  isomap              n-neighbors radius on-disconnected path n-landmarks
  lle                 n-neighbors radius on-disconnected regularization
  laplacian-eigenmap  n-neighbors radius on-disconnected bandwidth
  diffusion-map       n-neighbors radius on-disconnected bandwidth alpha time
  tsne                perplexity perplexities max-iter learning-rate tsne-method
                      theta init custom-init early-exaggeration
                      early-exaggeration-iter late-exaggeration
                      degrees-of-freedom progress-every
  all                 n-components seed n-threads memory-limit
Ctrl-C ends a fit; tsne keeps the map it has reached.
Exit code: 0 done, 1 failed, 2 wrong call, 130 interrupted.
)";
}

}  // namespace embed
