#pragma once

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <utility>

#include "format.hpp"
#include "stopwatch.hpp"
#include "terminal.hpp"
#include "unfurl/core/progress.hpp"

namespace example {

/// One line on the terminal that is written over again and again: seconds, task, stage, percent.
/// Nothing when the output does not go to a terminal.
class ProgressLine {
 public:
  ~ProgressLine() { clear(); }

  /// From now on this task is under way.
  void begin(std::string task) {
    task_ = std::move(task);
    show("", 0);
  }

  void show(const std::string& stage, double fraction) {
    if (!on_terminal_) return;
    std::string line = fixed(watch_.seconds(), 1) + " s  " + task_;
    if (!stage.empty()) line += "  " + stage;
    if (fraction > 0) line += "  " + fixed(100 * fraction, 0) + " %";
    line.resize(std::min<std::size_t>(line.size(), 79));
    std::cerr << '\r' << line << std::string(shown_ > line.size() ? shown_ - line.size() : 0, ' ')
              << std::flush;
    shown_ = line.size();
  }

  void clear() {
    if (shown_ > 0) std::cerr << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
    shown_ = 0;
  }

  /// For the option `progress` of an estimator.
  unfurl::ProgressFunction callback() {
    return [this](const unfurl::Progress& progress) {
      show(progress.stage, progress.fraction);
      return unfurl::Control::proceed;
    };
  }

 private:
  Stopwatch watch_;
  std::string task_ = "";
  std::size_t shown_ = 0;
  bool on_terminal_ = on_terminal();
};

}  // namespace example
