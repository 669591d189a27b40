#pragma once

#include <cstddef>

#include "support/instrumented.hpp"
#include "unfurl/core/types.hpp"

// What a program asks of malloc (Eigen) and of operator new (which calls malloc), counted and, if
// wanted, refused. allocations_test.cpp puts itself before the C library to do so; sanitizers do
// the same, so there nothing is counted and nothing fails.
#if defined(__GLIBC__) && !UNFURL_TEST_INSTRUMENTED
#define UNFURL_TEST_COUNTS_ALLOCATIONS 1
#else
#define UNFURL_TEST_COUNTS_ALLOCATIONS 0
#endif

namespace test {

using unfurl::Index;

/// False where nobody counts; the numbers below are then 0 and nothing fails.
constexpr bool counts_allocations = UNFURL_TEST_COUNTS_ALLOCATIONS == 1;

/// Blocks of memory in use by all threads, and their bytes.
Index live_allocations();
Index live_bytes();

/// The most bytes in use at once since it was made, above those in use then. One at a time.
class PeakOfMemory {
 public:
  PeakOfMemory();
  Index bytes() const;

 private:
  Index before_;
};

/// As long as it lives the i-th allocation from now on, by whichever thread, fails; i = 1 is the
/// next. One at a time.
class FailingAllocation {
 public:
  explicit FailingAllocation(Index i);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  bool has_failed() const;
};

/// As long as it lives no thread can be started.
class NoMoreThreads {
 public:
  NoMoreThreads();
  ~NoMoreThreads();
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

  /// How often one was asked for.
  Index n_refused() const;
};

}  // namespace test
