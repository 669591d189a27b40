#include "faults/allocations.hpp"

#include <malloc.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unfurl/core/parallel.hpp"

#if UNFURL_TEST_COUNTS_ALLOCATIONS
#include <dlfcn.h>
#endif

using test::FailingAllocation;
using test::PeakOfMemory;
using unfurl::Index;
using unfurl::Parallel;

namespace {

// Before any constructor runs they have their values: malloc is called earlier than that.
std::atomic<Index> n_blocks{0}, n_bytes{0}, most_bytes{0}, until_failure{0}, n_threads_refused{0};
std::atomic<bool> has_refused{false}, refuses_threads{false};

}  // namespace

#if UNFURL_TEST_COUNTS_ALLOCATIONS
namespace {

bool is_to_fail() {
  if (until_failure.load(std::memory_order_relaxed) <= 0) return false;
  if (until_failure.fetch_sub(1) != 1) return false;
  has_refused = true;
  errno = ENOMEM;
  return true;
}

void* counted(void* block) {
  if (!block) return block;
  ++n_blocks;
  const auto size = static_cast<Index>(malloc_usable_size(block));
  const Index now = n_bytes.fetch_add(size) + size;
  for (Index most = most_bytes; now > most && !most_bytes.compare_exchange_weak(most, now);) {
  }
  return block;
}

void forgotten(void* block) {
  if (!block) return;
  --n_blocks;
  n_bytes -= static_cast<Index>(malloc_usable_size(block));
}

}  // namespace

extern "C" {
// The names under which the C library keeps its own.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) noexcept {
  return is_to_fail() ? nullptr : counted(__libc_malloc(size));
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  return is_to_fail() ? nullptr : counted(__libc_calloc(n, size));
}
void* realloc(void* block, std::size_t size) noexcept {
  if (is_to_fail()) return nullptr;
  forgotten(block);
  void* const moved = __libc_realloc(block, size);
  counted(moved || size == 0 ? moved : block);
  return moved;
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return is_to_fail() ? nullptr : counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  void* const block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *to = block;
  return 0;
}
void free(void* block) noexcept {
  forgotten(block);
  __libc_free(block);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) noexcept {
  if (refuses_threads) {
    ++n_threads_refused;
    return EAGAIN;
  }
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, body, argument);
}
}  // extern "C"
#endif

namespace test {

Index live_allocations() { return n_blocks; }
Index live_bytes() { return n_bytes; }

PeakOfMemory::PeakOfMemory() : before_(n_bytes) { most_bytes = before_; }
Index PeakOfMemory::bytes() const { return most_bytes - before_; }

FailingAllocation::FailingAllocation(Index i) {
  has_refused = false;
  until_failure = i;
}
FailingAllocation::~FailingAllocation() { until_failure = 0; }
bool FailingAllocation::has_failed() const { return has_refused; }

NoMoreThreads::NoMoreThreads() {
  n_threads_refused = 0;
  refuses_threads = counts_allocations;
}
NoMoreThreads::~NoMoreThreads() { refuses_threads = false; }
Index NoMoreThreads::n_refused() const { return n_threads_refused; }

}  // namespace test

TEST_CASE("allocations of Eigen and of the library are counted and can fail", "[faults]") {
  if (!test::counts_allocations) return;
  const Index before = test::live_allocations();
  {
    const PeakOfMemory peak;
    const auto matrix = std::make_unique<unfurl::Matrix<double>>(1000, 100);
    const std::vector<char> bytes(50000);
    CHECK(test::live_allocations() == before + 3);
    CHECK(peak.bytes() >= 850000);
    CHECK(peak.bytes() < 860000);
  }
  CHECK(test::live_allocations() == before);
  bool threw = false, failed = false;
  {
    const FailingAllocation fault(2);
    try {
      const std::string first(100, 'a');
      const unfurl::Matrix<double> second(10, 10);
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    failed = fault.has_failed();
    free(malloc(7));  // the next one does not fail
  }
  CHECK(threw);
  CHECK(failed);
  CHECK(test::live_allocations() == before);
}

TEST_CASE("a computation does with the threads it gets", "[faults][parallel]") {
  const Parallel parallel(4);
  std::atomic<Index> sum{0};
  const test::NoMoreThreads none;
  parallel.for_each(
      100, [&](Index i) { sum += i; }, 1);
  CHECK(sum == 4950);
  CHECK((none.n_refused() > 0 || !test::counts_allocations));
}

TEST_CASE("what a computation on threads cannot allocate it tells, and can be used again",
          "[faults][parallel][contract54]") {
  const Parallel parallel(3);
  const auto total = [&] {
    return parallel.reduce(
        64, 2, std::vector<double>(1, 0.0),
        [](const Parallel::Block& b) {
          return std::vector<double>(3, static_cast<double>(b.begin));
        },
        [](std::vector<double> all, const std::vector<double>& part) {
          all[0] += part[0];
          return all;
        });
  };
  const double expected = total()[0];
  Index n_failures = 0;
  for (bool failed = true; failed; ++n_failures) {
    const Index before = test::live_allocations();
    double found = expected;
    {
      const FailingAllocation fault(n_failures + 1);
      try {
        found = total()[0];
      } catch (const std::bad_alloc&) {
      }
      failed = fault.has_failed();
    }
    REQUIRE(test::live_allocations() == before);
    REQUIRE(found == expected);
  }
  CHECK((n_failures > 64 || !test::counts_allocations));
}

TEST_CASE("threads that cannot be started for lack of memory are an error or are not missed",
          "[faults][parallel][contract54]") {
  for (Index i = 1; i <= 12; ++i) {
    const Index before = test::live_allocations();
    std::atomic<Index> sum{0};
    bool threw = false;
    {
      const FailingAllocation fault(i);
      try {
        const Parallel parallel(4);
        parallel.for_each(
            100, [&](Index k) { sum += k; }, 1);
      } catch (const std::bad_alloc&) {
        threw = true;
      }
    }
    CHECK((threw || sum == 4950));
    CHECK(test::live_allocations() <= before + 4);  // the system keeps the stacks of threads
  }
}
