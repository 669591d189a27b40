#pragma once

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <utility>

#include "interrupt.hpp"
#include "support/format.hpp"
#include "support/stopwatch.hpp"
#include "support/terminal.hpp"
#include "unfurl/core/progress.hpp"

namespace embed {

/// A line on the terminal with the stage of a fit, a bar and the time that the stage will still
/// take. Nothing is shown in a pipe. Its callback stops the fit after Ctrl-C.
class ProgressBar {
 public:
  explicit ProgressBar(std::string task) : task_(std::move(task)) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// For the option `progress`; not to be called after the bar is gone.
  unfurl::ProgressFunction callback() {
    return [this](const unfurl::Progress& progress) {
      iteration_ = progress.iteration;
      if (example::on_terminal()) show(progress);
      return Interrupt::requested() ? unfurl::Control::stop : unfurl::Control::proceed;
    };
  }

  /// The last one that was told of.
  unfurl::Index iteration() const { return iteration_; }

  void clear() {
    if (shown_ > 0) std::cerr << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
    shown_ = 0;
  }

 private:
  void show(const unfurl::Progress& progress) {
    if (progress.stage != stage_) {
      stage_ = progress.stage;
      watch_ = {};
    }
    const double seconds = watch_.seconds(), part = std::clamp(progress.fraction, 0.0, 1.0);
    std::string line = task_ + ": " + stage_;
    if (part > 0) {
      constexpr std::size_t width = 24;
      const auto full = static_cast<std::size_t>(part * static_cast<double>(width));
      line += " [" + std::string(full, '#') + std::string(width - full, '.') + "] " +
              example::fixed(100 * part, 0) + " %, " +
              example::fixed(seconds * (1 - part) / part, 0) + " s left";
    } else if (seconds >= 1) {
      line += ", " + example::fixed(seconds, 0) + " s";
    }
    line.resize(std::min<std::size_t>(line.size(), 79));
    const std::size_t before = std::exchange(shown_, line.size());
    if (before > line.size()) line.append(before - line.size(), ' ');
    std::cerr << '\r' << line << std::flush;
  }

  std::string task_, stage_ = "";
  example::Stopwatch watch_ = {};
  unfurl::Index iteration_ = 0;
  std::size_t shown_ = 0;
};

}  // namespace embed
