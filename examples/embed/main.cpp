// A command for people with a file: embed data.csv --method isomap --plot y.svg; see --help.
//
// arguments.cpp understands the call, fit.cpp and compare.cpp do the work, data.cpp reads and
// writes; each method is made in the file of its name.

#include <exception>
#include <iostream>
#include <new>

#include "arguments.hpp"
#include "commands.hpp"
#include "settings.hpp"
#include "unfurl/core/error.hpp"

namespace {

int run(const embed::Arguments& arguments) {
  if (arguments.help) {
    std::cout << embed::help();
    return embed::done;
  }
  if (arguments.compare) return embed::compare(arguments);
  if (!arguments.apply.empty()) return embed::apply(arguments);
  return embed::fit(arguments);
}

/// Says what is wrong and returns the exit code.
int complain(const std::exception& error, int code) {
  std::cerr << "embed: " << embed::in_words_of_command(error.what()) << '\n';
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(embed::parse(argc, argv));
  } catch (const embed::UsageError& error) {
    complain(error, embed::wrong_call);
    std::cerr << "embed --help shows how to call it\n";
    return embed::wrong_call;
  } catch (const unfurl::ParameterError& error) {
    return complain(error, embed::wrong_call);
  } catch (const unfurl::CancelledError&) {
    std::cerr << "embed: interrupted; there was nothing to keep yet\n";
    return embed::interrupted;
  } catch (const std::bad_alloc&) {
    std::cerr << "embed: out of memory\n";
    return embed::failed;
  } catch (const std::exception& error) {
    return complain(error, embed::failed);
  }
}
