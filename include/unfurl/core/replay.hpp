#pragma once

#include <array>
#include <streambuf>
#include <string>
#include <utility>

namespace unfurl::detail {

/// Gives bytes that were already taken from a stream once more, and then the rest of the stream: so
/// what follows a header can be read by whoever expects the header too, even from a pipe.
class Replay : public std::streambuf {
 public:
  Replay(std::string head, std::streambuf& rest) : head_(std::move(head)), rest_(rest) {
    setg(&head_[0], &head_[0], &head_[0] + head_.size());
  }

  /// More than the head was asked for.
  bool went_on() const { return went_on_; }

 protected:
  int_type underflow() override {
    went_on_ = true;
    const std::streamsize n =
        rest_.sgetn(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (n <= 0) return traits_type::eof();
    setg(buffer_.data(), buffer_.data(), buffer_.data() + n);
    return traits_type::to_int_type(buffer_.front());
  }

 private:
  std::string head_;
  std::streambuf& rest_;
  // Not on the heap: a stream would take a failed allocation for a failed read.
  std::array<char, 8192> buffer_{};
  bool went_on_ = false;
};

}  // namespace unfurl::detail
