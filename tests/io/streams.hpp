#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <system_error>
#include <utility>

#include "unfurl/core/error.hpp"

// Streams and files that misbehave.
namespace test {

/// A pipe: it gives its bytes a few at a time and cannot be asked where it is.
class Pipe : public std::streambuf {
 public:
  explicit Pipe(std::string bytes) : bytes_(std::move(bytes)) {}

 protected:
  int_type underflow() override {
    if (at_ == bytes_.size()) return traits_type::eof();
    const std::size_t n = std::min<std::size_t>(7, bytes_.size() - at_);
    setg(&bytes_[at_], &bytes_[at_], &bytes_[at_] + n);
    at_ += n;
    return traits_type::to_int_type(*gptr());
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// Takes so many bytes and no more.
class FullDisk : public std::streambuf {
 public:
  explicit FullDisk(std::size_t room) : room_(room) {}

 protected:
  int_type overflow(int_type c) override {
    if (room_ == 0) return traits_type::eof();
    --room_;
    return traits_type::not_eof(c);
  }

 private:
  std::size_t room_;
};

/// Fails with an exception after so many bytes, as a disk that cannot be read.
class BrokenDisk : public std::streambuf {
 public:
  explicit BrokenDisk(std::string bytes) : bytes_(std::move(bytes)) {
    setg(&bytes_[0], &bytes_[0], &bytes_[0] + bytes_.size());
  }

 protected:
  int_type underflow() override { throw std::runtime_error("the disk is broken"); }

 private:
  std::string bytes_;
};

/// A directory of its own, gone with its content when the test ends.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("unfurl_" + name + "_" + now())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::ptrdiff_t n_files() const {
    return std::distance(std::filesystem::directory_iterator(path_),
                         std::filesystem::directory_iterator());
  }

 private:
  static std::string now() {
    return std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
  }

  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void put(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// Numbers as some countries write them: 1.234,5
struct Continental : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// Sets that for the whole program as long as it lives.
class ContinentalLocale {
 public:
  ContinentalLocale()
      : before_(std::locale::global(std::locale(std::locale::classic(), new Continental))) {}
  ~ContinentalLocale() { std::locale::global(before_); }

 private:
  std::locale before_;
};

/// The text of the Expected error, or "" when nothing is thrown.
template <class Expected, class Action>
std::string error_text(Action&& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace test
