#include <functional>
#include <istream>
#include <new>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>

#include "faults/allocations.hpp"
#include "faults/fits.hpp"
#include "support/catch.hpp"
#include "unfurl/io/csv.hpp"
#include "unfurl/io/idx.hpp"
#include "unfurl/io/npy.hpp"
#include "unfurl/neighbors/knn.hpp"
#include "unfurl/neighbors/nn_descent.hpp"

using namespace unfurl;
using test::Any;
using test::FailingAllocation;
using test::saved;

namespace {

/// How a call ended one of whose allocations failed.
enum class Ending {
  finished,       // it did without
  out_of_memory,  // std::bad_alloc
  otherwise       // another exception: a fault
};

/// Calls `action` with its i-th allocation failing.
/// \param failed becomes whether it had as many
Ending with_failure(Index i, const std::function<void()>& action, bool& failed) {
  Ending ending = Ending::finished;
  const FailingAllocation fault(i);
  try {
    action();
  } catch (const std::bad_alloc&) {
    ending = Ending::out_of_memory;
  } catch (...) {
    ending = Ending::otherwise;
  }
  failed = fault.has_failed();
  return ending;
}

/// Fails each allocation of `action` in turn, the (step - 1) between two of them left out. After
/// every failure nothing is left allocated; `check(ending)` looks at what there is.
/// \returns the number of failures
Index fail_each(const std::function<void()>& action, const std::function<void(Ending)>& check,
                Index step = 1) {
  action();  // what is made once and kept is there from now on
  Index n_failures = 0;
  for (Index i = 1;; i += step) {
    const Index before = test::live_allocations();
    bool failed = false;
    const Ending ending = with_failure(i, action, failed);
    const Index after = test::live_allocations();
    CAPTURE(i);
    REQUIRE(ending != Ending::otherwise);
    if (!failed) return n_failures;
    REQUIRE(after == before);
    check(ending);
    ++n_failures;
  }
}

void nothing_to_check(Ending) {}

/// Takes what is written without allocating.
class Sink : public std::streambuf {
 protected:
  std::streamsize xsputn(const char*, std::streamsize n) override { return n; }
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
};

/// Fits `former` again and again on X, each time another allocation fails: it stays what it was.
Index fail_each_of_fit(const Any& former, const Matrix<double>& X, Index step = 1) {
  const std::string before = former.is_fitted() ? saved(former) : "";
  Any expected = former;
  const std::string after = saved(expected.fit(X));
  Index n_failures = 0;
  for (Index i = 1;; i += step) {
    CAPTURE(i);
    const Index at_first = test::live_allocations();
    bool failed = false;
    {
      Any trial = former;
      const Ending ending = with_failure(
          i, [&] { trial.fit(X); }, failed);
      REQUIRE(ending != Ending::otherwise);
      REQUIRE((ending == Ending::finished || failed));
      const std::string& wanted = ending == Ending::finished ? after : before;
      REQUIRE((trial.is_fitted() ? saved(trial) : "") == wanted);
    }
    REQUIRE(test::live_allocations() == at_first);
    if (!failed) return n_failures;
    ++n_failures;
  }
}

}  // namespace

TEST_CASE("an allocation that fails in fit leaves the former model and no memory behind",
          "[faults][contract54]") {
  if (!test::counts_allocations) return;
  const auto samples = test::sheet(30, 5), others = test::sheet(24, 6);
  for (const test::Route& route : test::small_routes(1)) {
    CAPTURE(route.name);
    const auto X = route.input(samples, samples);
    const Index first = fail_each_of_fit(route.blank, X);
    Any former = route.blank;
    former.fit(route.input(others, others));
    const Index again = fail_each_of_fit(former, X);
    CHECK(first > 20);
    CHECK(again > 20);
  }
}

TEST_CASE("the same with several threads", "[faults][contract54]") {
  if (!test::counts_allocations) return;
  const auto samples = test::sheet(150, 5), others = test::sheet(24, 6);
  for (const test::Route& route : test::small_routes(3)) {
    CAPTURE(route.name);
    Any former = route.blank;
    former.fit(route.input(others, others));
    CHECK(fail_each_of_fit(former, route.input(samples, samples), 7) > 3);
  }
}

TEST_CASE("an allocation that fails in transform, save or load is told and harms nothing",
          "[faults][contract54]") {
  if (!test::counts_allocations) return;
  const auto samples = test::sheet(30, 5);
  for (const test::Route& route : test::small_routes(1)) {
    CAPTURE(route.name);
    const auto fresh = route.input(test::sheet(9, 7), samples);
    Any model = route.blank;
    model.fit(route.input(samples, samples));
    const std::string before = saved(model);
    const auto unchanged = [&](Ending) { REQUIRE(saved(model) == before); };
    const Index placing = fail_each([&] { model.transform(fresh); }, unchanged);
    Sink sink;
    std::ostream out(&sink);
    const Index saving = fail_each([&] { model.save(out); }, unchanged);
    std::istringstream in(before);
    const Index loading = fail_each(
        [&] {
          in.clear();
          in.seekg(0);
          test::load_any(in);
        },
        nothing_to_check);
    CHECK(placing > 0);
    CHECK(saving > 0);
    CHECK(loading > 0);
  }
}

TEST_CASE("an allocation that fails in a search for neighbours is told", "[faults][contract54]") {
  if (!test::counts_allocations) return;
  const auto X = test::sheet(40, 5);
  const Parallel one(1);
  const auto search_fails = [&](auto search) {
    return fail_each([&] { knn(X, 5, search, one); }, nothing_to_check);
  };
  CHECK(search_fails(KdTree{}) > 10);
  CHECK(search_fails(BruteForce{}) > 10);
  CHECK(search_fails(AutoSearch{}) > 10);
  CHECK(search_fails(NnDescent{}) > 10);
}

TEST_CASE("an allocation that fails in a reader of files is told", "[faults][contract54]") {
  if (!test::counts_allocations) return;
  std::ostringstream npy, csv;
  const Matrix<double> X = test::sheet(12, 5);
  write_npy(npy, X);
  write_csv(csv, X);
  const std::string idx("\0\0\x08\x02\0\0\0\x02\0\0\0\x03\x01\x02\x03\x04\x05\x06", 18);
  const auto reader_fails = [](const std::string& bytes, const auto& read) {
    std::istringstream in(bytes);
    return fail_each(
        [&] {
          in.clear();
          in.seekg(0);
          read(in);
        },
        nothing_to_check);
  };
  CHECK(reader_fails(npy.str(), [](std::istream& in) { return read_npy(in); }) > 0);
  CHECK(reader_fails(csv.str(), [](std::istream& in) { return read_csv(in); }) > 0);
  CHECK(reader_fails(idx, [](std::istream& in) { return read_idx(in); }) > 0);
}
