#pragma once

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"

/// What the readers and writers of files have in common.
namespace unfurl::detail {

inline std::string quoted(const std::filesystem::path& file) { return "'" + file.string() + "'"; }

/// The text of the last error of the system.
inline std::string system_error_text() {
  return std::generic_category().message(errno != 0 ? errno : EIO);
}

/// Runs `action`, which reads or writes `file` through a stream, and puts the name of the file
/// before the text of what it throws.
template <class Action>
auto naming_file(const std::filesystem::path& file, Action&& action) {
  try {
    return action();
  } catch (const FormatError& error) {
    throw FormatError(text(quoted(file), ": ", error.what()), error.offset());
  } catch (const IoError& error) {
    throw IoError(text(quoted(file), ": ", error.what()));
  }
}

/// \returns what `read(stream)` returns. \throws IoError when the file cannot be opened.
template <class Read>
auto read_file(const char* caller, const std::filesystem::path& file, Read&& read) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw IoError(text(caller, ": ", quoted(file), " is a directory; name a file in it"));
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw IoError(
        text(caller, ": cannot open ", quoted(file), " for reading: ", system_error_text()));
  return naming_file(file, [&] { return read(static_cast<std::istream&>(in)); });
}

/// A name beside `file` that no other thread or process is likely to choose.
inline std::filesystem::path temporary_beside(const std::filesystem::path& file) {
  const auto ticks = std::chrono::system_clock::now().time_since_epoch().count();
  const auto thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  std::filesystem::path name = file;
  name += text(".", ticks, "-", thread % 1000000, ".tmp");
  return name;
}

/// Opens, writes and closes; a disk may turn out to be full only when the last bytes leave.
/// \param path what is opened. \param file what it is for, and what errors name.
template <class Write>
void write_stream(const char* caller, const std::filesystem::path& path,
                  const std::filesystem::path& file, Write&& write) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out)
    throw IoError(
        text(caller, ": cannot open ", quoted(file), " for writing: ", system_error_text()));
  naming_file(file, [&] { write(static_cast<std::ostream&>(out)); });
  errno = 0;
  out.close();
  if (!out) throw IoError(text(caller, ": cannot write ", quoted(file), ": ", system_error_text()));
}

/// Waits until what was written under this name has reached the disk, where the system can tell.
/// \returns whether it has; if not, errno says why.
inline bool reach_disk(const std::filesystem::path& path) {
#if defined(_WIN32)
  (void)path;
  return true;
#else
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  // Some file systems have nothing to wait for and say EINVAL.
  const bool there = ::fsync(descriptor) == 0 || errno == EINVAL;
  const int why = errno;
  ::close(descriptor);
  errno = why;
  return there;
#endif
}

/// Calls `write(stream)` on a temporary beside the file and renames it when all is well: whatever
/// fails, a file that was there before stays as it was and no half of a new one is left. The
/// content has reached the disk before it takes the name, so this holds when the power fails too. A
/// link is followed; what is no regular file (a device, a pipe) is written to as it is. \throws
/// IoError
template <class Write>
void write_file(const char* caller, const std::filesystem::path& file, Write&& write) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status before = fs::status(file, failed);
  if (fs::is_directory(before))
    throw IoError(text(caller, ": ", quoted(file), " is a directory; name a file in it"));
  if (fs::exists(before) && !fs::is_regular_file(before))
    return write_stream(caller, file, file, write);
  fs::path target = file;
  if (fs::exists(before)) {
    errno = 0;
    if (!std::ofstream(file, std::ios::app))  // renaming would get around a write protection
      throw IoError(
          text(caller, ": cannot open ", quoted(file), " for writing: ", system_error_text()));
    const fs::path followed = fs::canonical(file, failed);
    if (!failed) target = followed;
  }

  struct Temporary {
    fs::path name;
    ~Temporary() {
      std::error_code ignored;
      fs::remove(name, ignored);
    }
  } const temporary{temporary_beside(target)};
  write_stream(caller, temporary.name, file, write);
  if (!reach_disk(temporary.name))
    throw IoError(text(caller, ": cannot write ", quoted(file), ": ", system_error_text()));
  if (fs::exists(before)) fs::permissions(temporary.name, before.permissions(), failed);
  fs::rename(temporary.name, target, failed);
  if (failed)
    throw IoError(text(caller, ": cannot replace ", quoted(file), ": ", failed.message()));
  reach_disk(target.has_parent_path() ? target.parent_path() : fs::path("."));  // the new name
}

}  // namespace unfurl::detail
