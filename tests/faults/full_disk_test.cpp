#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

#if defined(__linux__)
#include <sys/resource.h>

#include <csignal>
#endif

#include "faults/fits.hpp"
#include "io/streams.hpp"
#include "support/catch.hpp"
#include "unfurl/io/csv.hpp"
#include "unfurl/io/model.hpp"
#include "unfurl/io/npy.hpp"

using namespace unfurl;
using test::Any;
using test::saved;

TEST_CASE("a stream that takes only so many bytes of a model is an error, and the model remains",
          "[faults][contract66]") {
  const auto X = test::sheet(24, 5);
  for (const test::Route& route : test::small_routes(1)) {
    CAPTURE(route.name);
    Any model = route.blank;
    model.fit(route.input(X, X));
    const std::string whole = saved(model);
    for (std::size_t room = 0; room < whole.size(); room += room < 200 ? 1 : 37) {
      test::FullDisk disk(room);
      std::ostream out(&disk);
      CAPTURE(room);
      REQUIRE_THROWS_AS(model.save(out), IoError);
    }
    test::FullDisk disk(whole.size());
    std::ostream out(&disk);
    CHECK_NOTHROW(model.save(out));
    CHECK(saved(model) == whole);
  }
}

#if defined(__linux__)
namespace {

/// As long as it lives no file grows beyond so many bytes: a disk that fills up.
class SmallFiles {
 public:
  explicit SmallFiles(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit smaller = before_;
    smaller.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &smaller);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  using Handler = void (*)(int);
  Handler handler_;
  rlimit before_{};
};

/// Writes a file with `write` on a disk with room for 0, 1, … bytes: an old file stays as it was,
/// and nothing is left of the new one.
void fill_disk_at_each_byte(const std::function<void(const std::filesystem::path&)>& write) {
  const test::Folder folder("full");
  write(folder / "complete");
  const std::size_t size = test::content_of(folder / "complete").size();
  test::put(folder / "old", "what was there before");
  for (std::size_t room = 0; room < size; ++room) {
    CAPTURE(room);
    bool refused = false;
    for (const char* name : {"old", "new"}) {
      const SmallFiles full(room);
      try {
        write(folder / name);
      } catch (const IoError&) {
        refused = true;
      }
      if (!refused) break;
    }
    REQUIRE(refused);
    REQUIRE(folder.n_files() == 2);
    REQUIRE(test::content_of(folder / "old") == "what was there before");
  }
  {
    const SmallFiles enough(size);
    write(folder / "old");
  }
  CHECK(test::content_of(folder / "old") == test::content_of(folder / "complete"));
  CHECK(folder.n_files() == 2);
}

}  // namespace

TEST_CASE("a disk that fills up at any byte leaves the old file and no half of a new one",
          "[faults][contract66]") {
  const auto X = test::sheet(12, 5);
  PCA<double> pca;
  pca.fit(X);
  fill_disk_at_each_byte([&](const std::filesystem::path& file) { save_model(file, pca); });
  fill_disk_at_each_byte([&](const std::filesystem::path& file) { write_npy(file, X); });
  fill_disk_at_each_byte([&](const std::filesystem::path& file) { write_csv(file, X); });
}

TEST_CASE("a device that is always full is told for every kind of model", "[faults][contract66]") {
  if (!std::filesystem::is_character_file("/dev/full")) return;
  const auto X = test::sheet(24, 5);
  for (const test::Route& route : test::small_routes(1)) {
    CAPTURE(route.name);
    Any model = route.blank;
    model.fit(route.input(X, X));
    CHECK_THROWS_AS(save_model("/dev/full", model), IoError);
  }
}
#endif
