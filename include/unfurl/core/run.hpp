#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "unfurl/core/error.hpp"
#include "unfurl/core/memory.hpp"
#include "unfurl/core/parallel.hpp"
#include "unfurl/core/progress.hpp"
#include "unfurl/core/report.hpp"
#include "unfurl/core/text.hpp"

namespace unfurl {

/// One fit under way: its threads, its progress callback, its memory budget and the report it is
/// writing. Estimators announce each stage of the paper with `stage` and the memory it will take
/// with `foresee`, and hand `parallel()` to the layers, which then report progress by themselves.
class Run {
 public:
  /// Begins a fit.
  /// \param estimator its name, which begins the text of every error.
  /// \param options any options struct: n_threads, progress and memory_limit are read.
  template <class Options>
  Run(std::string estimator, const Options& options)
      : name_(std::move(estimator)),
        parallel_(options.n_threads),
        progress_(options.progress),
        limit_(options.memory_limit) {
    if (options.n_threads < 0)
      throw ParameterError(detail::text(
          name_, ": n_threads must be at least 0 (0 = all cores), got ", options.n_threads));
    if (progress_)
      parallel_.on_progress(
          [this](double fraction) { report_progress(iterative_ ? 0 : fraction); });
  }

  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// The name of the estimator.
  std::string_view name() const { return name_; }
  /// The threads of this fit, which report progress by themselves.
  const Parallel& parallel() const { return parallel_; }
  /// The report so far, for the estimator to write into.
  FitReport& report() { return report_; }

  /// Ends the previous stage and begins this one. An iterative stage passes over the data an
  /// unknown number of times: its fraction stays 0.
  void stage(std::string_view name, bool iterative = false) {
    end_stage();
    stage_ = name;
    iterative_ = iterative;
    in_iterations_ = false;
    began_ = Clock::now();
    report_progress(0);
  }

  /// Tells the callback, if there is one. \throws CancelledError when it answers stop.
  void report_progress(double fraction) const {
    if (in_iterations_) return;  // which are told one by one
    if (progress_ && progress_({stage_, fraction, 0, 0}) == Control::stop)
      throw CancelledError(
          detail::text(name_, ": cancelled by the progress callback in stage \"", stage_, "\""));
  }

  /// Begins a stage of iterations that may be ended at any time with what they have reached. They
  /// are told by `report_iteration`, and nothing else is.
  void stage_of_iterations(std::string_view name) {
    end_stage();
    stage_ = name;
    iterative_ = in_iterations_ = true;
    began_ = Clock::now();
  }

  /// Tells the callback of one iteration; true if it answers stop.
  bool report_iteration(double fraction, Index iteration, double objective) const {
    return progress_ && progress_({stage_, fraction, iteration, objective}) == Control::stop;
  }

  /// Foresees the bytes that the fit takes at its peak beside the data. Said before the work, and
  /// again once more is known; the last word goes into the report.
  /// \param what takes most of it
  /// \param held while it does its heaviest work
  /// \param work of this work
  /// \param elsewhere at another stage, should that be more
  /// \throws SizeLimitError, before anything large is allocated, when the budget does not allow it.
  void foresee(std::string_view what, double held, double work, double elsewhere = 0) {
    held_ = held;
    elsewhere_ = elsewhere;
    foresee_work(what, work);
  }

  /// The heaviest work is now known to take so many bytes.
  /// \throws SizeLimitError
  void foresee_work(std::string_view what, double work) {
    peak_ = std::max(held_ + work, elsewhere_);
    const double limit =
        limit_ > 0 ? static_cast<double>(limit_) : 0.8 * static_cast<double>(machine_memory());
    if (peak_ > limit)
      throw SizeLimitError(
          detail::text(name_, ": ", in_units(peak_), " of memory are needed, most of it for ", what,
                       "; the limit is ", in_units(limit),
                       limit_ > 0 ? " (memory_limit)" : " (four fifths of this machine's memory)"),
          to_bytes(peak_), to_bytes(limit));
  }

  /// The report of the finished fit.
  FitReport finish() {
    end_stage();
    report_.peak_bytes = to_bytes(peak_);
    return std::move(report_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static std::size_t to_bytes(double bytes) {
    constexpr auto most = (std::numeric_limits<std::size_t>::max)();
    return bytes >= static_cast<double>(most) ? most : static_cast<std::size_t>(bytes);
  }

  static std::string in_units(double bytes) {
    if (bytes < 1e4) return detail::text(bytes, " bytes");
    if (bytes < 1e7) return detail::text(std::round(bytes / 1e3), " kB");
    if (bytes < 1e10) return detail::text(std::round(bytes / 1e6), " MB");
    return detail::text(std::round(bytes / 1e9), " GB");
  }

  void end_stage() {
    if (stage_.empty()) return;
    const std::chrono::duration<double> elapsed = Clock::now() - began_;
    report_.stages.push_back({std::exchange(stage_, std::string()), elapsed.count()});
  }

  std::string name_;
  Parallel parallel_;
  ProgressFunction progress_;
  std::size_t limit_;
  double held_ = 0, elsewhere_ = 0, peak_ = 0;
  std::string stage_ = "";
  bool iterative_ = false, in_iterations_ = false;
  Clock::time_point began_{};
  FitReport report_;
};

}  // namespace unfurl
