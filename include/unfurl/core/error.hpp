#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unfurl/core/types.hpp"

namespace unfurl {

/// What went wrong, for programs that do not want to tell exception types apart.
enum class ErrorCode {
  parameter,           ///< ParameterError
  data,                ///< DataError
  dimension,           ///< DimensionError
  not_fitted,          ///< NotFittedError
  numerical,           ///< NumericalError
  convergence,         ///< ConvergenceError
  disconnected_graph,  ///< DisconnectedGraphError
  cancelled,           ///< CancelledError
  io,                  ///< IoError
  format,              ///< FormatError
  size_limit           ///< SizeLimitError
};

/// Mixed into every exception the library throws on its own account, beside the standard class it
/// derives from: `catch (const unfurl::Error& e)` gets them all. std::bad_alloc and whatever a
/// user's own kernel, search, solver or callback throws pass through untouched.
class Error {
 public:
  virtual ~Error() = default;
  /// The whole message: where, what is wrong, and what would do.
  virtual const char* what() const noexcept = 0;
  /// The kind of trouble, for a switch.
  virtual ErrorCode code() const noexcept = 0;

 protected:
  Error() = default;
  /// For the exceptions that derive from it; copying does not throw.
  Error(const Error&) = default;
  /// Likewise.
  Error& operator=(const Error&) = default;
};

namespace detail {

/// A standard exception that is also an unfurl::Error.
template <class Standard, ErrorCode Code>
class ErrorOf : public Standard, public Error {
 public:
  explicit ErrorOf(const std::string& text) : Standard(text) {}
  const char* what() const noexcept override { return Standard::what(); }
  ErrorCode code() const noexcept override { return Code; }
};

}  // namespace detail

/// A setting is out of range, alone or for the shape of the data.
class ParameterError : public detail::ErrorOf<std::invalid_argument, ErrorCode::parameter> {
  using ErrorOf::ErrorOf;
};

/// The content of the input: NaN, too few samples, not symmetric, too large to square.
class DataError : public detail::ErrorOf<std::invalid_argument, ErrorCode::data> {
  using ErrorOf::ErrorOf;
};

/// The shape of the input disagrees with the fitted model.
class DimensionError : public DataError {
 public:
  using DataError::DataError;
  /// ErrorCode::dimension
  ErrorCode code() const noexcept override { return ErrorCode::dimension; }
};

/// A fitted value was asked for before a successful `fit`.
class NotFittedError : public detail::ErrorOf<std::logic_error, ErrorCode::not_fitted> {
  using ErrorOf::ErrorOf;
};

/// The input was legal but the computation has no meaningful answer.
class NumericalError : public detail::ErrorOf<std::runtime_error, ErrorCode::numerical> {
  using ErrorOf::ErrorOf;
};

/// An iteration did not reach its tolerance, all retries included.
class ConvergenceError : public NumericalError {
 public:
  /// The message and the numbers that the members below return.
  ConvergenceError(const std::string& text, Index requested, Index converged, Index iterations,
                   double worst_residual)
      : NumericalError(text),
        requested_(requested),
        converged_(converged),
        iterations_(iterations),
        worst_residual_(worst_residual) {}
  /// ErrorCode::convergence
  ErrorCode code() const noexcept override { return ErrorCode::convergence; }
  /// Number of eigenpairs asked for.
  Index requested() const noexcept { return requested_; }
  /// How many of them were found.
  Index converged() const noexcept { return converged_; }
  /// Iterations made, where the solver counts them; else 0.
  Index iterations() const noexcept { return iterations_; }
  /// Largest |A v - lambda v| over the pairs, relative to |A|; infinite where it is not known.
  double worst_residual() const noexcept { return worst_residual_; }

 private:
  Index requested_, converged_, iterations_;
  double worst_residual_;
};

/// The neighbourhood graph falls apart and the options do not say what to do about it.
class DisconnectedGraphError : public NumericalError {
 public:
  /// The message, and the number of vertices in each component, largest first.
  DisconnectedGraphError(const std::string& text, std::vector<Index> sizes)
      : NumericalError(text),
        sizes_(std::make_shared<const std::vector<Index>>(std::move(sizes))) {}
  /// ErrorCode::disconnected_graph
  ErrorCode code() const noexcept override { return ErrorCode::disconnected_graph; }
  /// Number of connected components.
  Index n_components() const noexcept { return static_cast<Index>(sizes_->size()); }
  /// Number of vertices in each component, largest first.
  const std::vector<Index>& sizes() const noexcept { return *sizes_; }

 private:
  std::shared_ptr<const std::vector<Index>> sizes_;  // shared: copying an exception must not throw
};

/// The progress callback returned Control::stop.
class CancelledError : public detail::ErrorOf<std::runtime_error, ErrorCode::cancelled> {
  using ErrorOf::ErrorOf;
};

/// Reading or writing failed.
class IoError : public detail::ErrorOf<std::runtime_error, ErrorCode::io> {
  using ErrorOf::ErrorOf;
};

/// What was read is not what it claims to be.
class FormatError : public IoError {
 public:
  /// The message, and where reading stopped.
  FormatError(const std::string& text, std::size_t offset) : IoError(text), offset_(offset) {}
  /// ErrorCode::format
  ErrorCode code() const noexcept override { return ErrorCode::format; }
  /// Byte (binary formats) or line (text formats) at which reading stopped.
  std::size_t offset() const noexcept { return offset_; }

 private:
  std::size_t offset_;
};

/// The large buffers would exceed `memory_limit` or 32-bit sparse indices; nothing was allocated.
class SizeLimitError : public detail::ErrorOf<std::length_error, ErrorCode::size_limit> {
 public:
  /// The message, and the two numbers it speaks of.
  SizeLimitError(const std::string& text, std::size_t needed, std::size_t limit)
      : ErrorOf(text), needed_(needed), limit_(limit) {}
  /// What would be needed: bytes, or points or entries where 32-bit indices are the limit.
  std::size_t needed() const noexcept { return needed_; }
  /// What there may be, in the same unit.
  std::size_t limit() const noexcept { return limit_; }

 private:
  std::size_t needed_, limit_;
};

}  // namespace unfurl
