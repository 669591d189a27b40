#include "unfurl/io/model.hpp"

#include <cerrno>
#include <sstream>
#include <string>

#include "io/streams.hpp"
#include "support/catch.hpp"

using namespace unfurl;
using test::contains;
using test::error_text;

namespace {

/// The least that can be saved and loaded; real estimators are in estimator_contract.hpp.
struct PlainModel {
  Index value = 0;

  void save(std::ostream& out) const {
    if (value < 0) throw NotFittedError("Model::save: this Model is not fitted yet");
    detail::ArchiveWriter archive;
    archive.count(value);
    archive.write_to(out, "Model", sizeof(double));
  }
  static PlainModel load(std::istream& in) {
    detail::ArchiveReader archive(in, "Model", sizeof(double));
    const PlainModel model{archive.count()};
    archive.finish();
    return model;
  }
};

/// Fails after a part of the model is written, as on a full disk.
struct FailingModel {
  void save(std::ostream& out) const {
    out << "half of a model";
    out.setstate(std::ios::badbit);
    throw IoError("FailingModel::save: the stream failed while writing; is the disk full?");
  }
};

/// Does not look whether writing worked.
struct CarelessModel {
  void save(std::ostream& out) const { out.setstate(std::ios::badbit); }
};

}  // namespace

TEST_CASE("a model goes to a file and comes back", "[model][contract61]") {
  const test::Folder folder("model");
  save_model(folder / "m", PlainModel{42});
  CHECK(load_model<PlainModel>(folder / "m").value == 42);
  const std::string before = test::content_of(folder / "m");
  save_model((folder / "m").string(), load_model<PlainModel>(folder / "m"));
  CHECK(test::content_of(folder / "m") == before);
  save_model(folder / "m", PlainModel{43});
  CHECK(load_model<PlainModel>(folder / "m").value == 43);
  CHECK(folder.n_files() == 1);
}

TEST_CASE("a file says what it holds", "[model][contract62]") {
  const test::Folder folder("kind");
  save_model(folder / "m", PlainModel{1});
  const ModelKind kind = model_kind(folder / "m");
  CHECK(kind.estimator == "Model");
  CHECK(kind.scalar_size == 8);
  const std::string bytes = test::content_of(folder / "m");
  for (std::size_t length = 0; length < 29; ++length) {  // up to the end of the name
    test::put(folder / "cut", bytes.substr(0, length));
    CHECK_THROWS_AS(model_kind(folder / "cut"), FormatError);
  }
  test::put(folder / "cut", bytes.substr(0, 29));
  CHECK(model_kind(folder / "cut").estimator == "Model");
  test::put(folder / "no", "something else altogether");
  CHECK(contains(error_text<FormatError>([&] { model_kind(folder / "no"); }),
                 "no': model_kind: this is not an unfurl model file"));
}

TEST_CASE("errors of loading name the file", "[model][contract62][contract64]") {
  const test::Folder folder("load");
  CHECK(contains(error_text<IoError>([&] { load_model<PlainModel>(folder / "none"); }),
                 "No such file"));
  save_model(folder / "m", PlainModel{1});
  const std::string bytes = test::content_of(folder / "m");
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    test::put(folder / "cut", bytes.substr(0, length));
    CHECK(contains(error_text<FormatError>([&] { load_model<PlainModel>(folder / "cut"); }),
                   "cut': "));
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    test::put(folder / "bad", bad);
    CHECK_THROWS_AS(load_model<PlainModel>(folder / "bad"), FormatError);
  }
  CHECK(contains(error_text<IoError>([&] { load_model<PlainModel>(folder / "."); }), "directory"));
}

TEST_CASE("a failing save leaves the old file and nothing else", "[model][contract66]") {
  const test::Folder folder("save");
  save_model(folder / "m", PlainModel{42});
  const std::string before = test::content_of(folder / "m");
  const auto failed = error_text<IoError>([&] { save_model(folder / "m", FailingModel{}); });
  CHECK(contains(failed, "m': FailingModel::save"));
  CHECK_THROWS_AS(save_model(folder / "m", CarelessModel{}), IoError);
  CHECK_THROWS_AS(save_model(folder / "m", PlainModel{-1}), NotFittedError);
  CHECK(test::content_of(folder / "m") == before);
  CHECK_THROWS_AS(save_model(folder / "new", FailingModel{}), IoError);
  CHECK(folder.n_files() == 1);
  CHECK(contains(error_text<IoError>([&] { save_model(folder / "none/m", PlainModel{1}); }),
                 "none/m' for writing: No such file"));
  CHECK(
      contains(error_text<IoError>([&] { save_model(folder / ".", PlainModel{1}); }), "directory"));
}

#if defined(__linux__)
namespace {

/// What fsync was asked to do, and whether it shall fail.
struct {
  int calls = 0;
  bool fail = false;
} syncs;

}  // namespace

/// Stands before that of the C library.
extern "C" int fsync(int) {
  ++syncs.calls;
  if (syncs.fail) errno = EIO;
  return syncs.fail ? -1 : 0;
}

TEST_CASE("a model has reached the disk before it replaces another", "[model][contract66]") {
  const test::Folder folder("disk");
  syncs = {};
  save_model(folder / "m", PlainModel{42});
  CHECK(syncs.calls == 2);  // the content, then the name
  const std::string before = test::content_of(folder / "m");
  syncs = {0, true};
  const auto failed = error_text<IoError>([&] { save_model(folder / "m", PlainModel{43}); });
  CHECK(contains(failed, "m': Input/output error"));
  CHECK(syncs.calls == 1);
  syncs = {};
  CHECK(test::content_of(folder / "m") == before);
  CHECK(folder.n_files() == 1);
}

TEST_CASE("a full disk is told, and a device stays a device", "[model][contract66]") {
  if (!std::filesystem::is_character_file("/dev/full")) return;
  const std::string found = error_text<IoError>([&] { save_model("/dev/full", PlainModel{1}); });
  CHECK(contains(found, "/dev/full"));
  CHECK_NOTHROW(save_model("/dev/null", PlainModel{1}));
  CHECK(std::filesystem::is_character_file("/dev/full"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a link is followed and permissions are kept", "[model]") {
  namespace fs = std::filesystem;
  const test::Folder folder("link");
  save_model(folder / "m", PlainModel{1});
  fs::permissions(folder / "m", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(folder / "m", folder / "link");
  save_model(folder / "link", PlainModel{2});
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(load_model<PlainModel>(folder / "m").value == 2);
  CHECK(fs::status(folder / "m").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(folder.n_files() == 2);
}
#endif
