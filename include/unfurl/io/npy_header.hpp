#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unfurl/core/text.hpp"
#include "unfurl/core/types.hpp"
#include "unfurl/io/binary.hpp"

namespace unfurl::detail {

/// What the header of a .npy file says: the Python literal
/// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }
struct NpyHeader {
  NumberFormat format{};
  bool fortran_order = false;
  std::vector<std::uint64_t> shape = {};
};

/// Reads that literal and nothing else: three keys, each once, in any order.
class NpyHeaderParser {
 public:
  /// \param input what to blame.
  NpyHeaderParser(std::string_view literal, const BinaryInput& input)
      : rest_(literal), input_(input) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    const auto once = [&](bool& seen, const char* key) {
      if (seen) input_.fail(text("the key '", key, "' appears twice in the header"));
      return seen = true;
    };
    expect('{');
    while (!next_is('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && once(has_descr, "descr"))
        header.format = descr();
      else if (key == "fortran_order" && once(has_order, "fortran_order"))
        header.fortran_order = boolean();
      else if (key == "shape" && once(has_shape, "shape"))
        header.shape = tuple();
      else
        input_.fail(text("the header has an unknown key ", shown(key)));
      if (!next_is(',') && (skip_spaces(), rest_.empty() || rest_.front() != '}'))
        input_.fail("the header lacks a comma or its closing brace");
    }
    skip_spaces();
    if (!rest_.empty()) input_.fail("something follows the closing brace of the header");
    for (const auto& [seen, key] :
         {std::pair(has_descr, "descr"), std::pair(has_order, "fortran_order"),
          std::pair(has_shape, "shape")})
      if (!seen) input_.fail(text("the header lacks the key '", key, "'"));
    return header;
  }

 private:
  /// For an error: a few characters, without those that would spoil a terminal.
  static std::string shown(std::string_view found) {
    std::string clean = "'";
    for (const char c : found.substr(0, 40)) clean += c >= ' ' && c <= '~' ? c : '?';
    return clean + (found.size() > 40 ? "…'" : "'");
  }

  void skip_spaces() {
    const std::size_t n = rest_.find_first_not_of(" \t\n\r");
    rest_.remove_prefix(n == std::string_view::npos ? rest_.size() : n);
  }

  bool next_is(char c) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!next_is(c)) input_.fail(text("the header should have '", c, "' at ", shown(rest_)));
  }

  std::string_view string() {
    skip_spaces();
    const char quote = rest_.empty() ? ' ' : rest_.front();
    const std::size_t end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : 0;
    if (end == 0 || end == std::string_view::npos)
      input_.fail(text("the header should have a string at ", shown(rest_)));
    const std::string_view value = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return value;
  }

  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {"False", "True"})
      if (rest_.substr(0, word.size()) == word) {
        rest_.remove_prefix(word.size());
        return word == "True";
      }
    input_.fail(text("fortran_order must be True or False, found ", shown(rest_)));
  }

  std::uint64_t dimension() {
    skip_spaces();
    constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<Index>::max)());
    std::uint64_t value = 0;
    std::size_t n_digits = 0;
    for (; n_digits < rest_.size() && rest_[n_digits] >= '0' && rest_[n_digits] <= '9';
         ++n_digits) {
      const auto digit = static_cast<std::uint64_t>(rest_[n_digits] - '0');
      if (value > (most - digit) / 10) input_.fail("a dimension of the array is out of range");
      value = 10 * value + digit;
    }
    if (n_digits == 0)
      input_.fail(text("a dimension of the array must be a count, found ", shown(rest_)));
    rest_.remove_prefix(n_digits);
    if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // written by Python 2
    return value;
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!next_is(')')) {
      shape.push_back(dimension());
      if (shape.size() > 2)
        input_.fail("the array has more than 2 dimensions; reshape it to samples x features");
      if (!next_is(',') && (skip_spaces(), rest_.empty() || rest_.front() != ')'))
        input_.fail("the shape lacks a comma or its closing parenthesis");
    }
    return shape;
  }

  /// Such as '<f8': byte order, kind, bytes.
  NumberFormat descr() {
    skip_spaces();
    if (!rest_.empty() && rest_.front() == '[')
      input_.fail("the array has named fields (a list as descr); save a plain array of numbers");
    const std::string_view found = string();
    using Kind = NumberFormat::Kind;
    if (found.size() == 3) {
      const char order = found[0], kind = found[1];
      const auto size = static_cast<std::size_t>(found[2] - '0');
      const bool whole = size == 1 || size == 2 || size == 4 || size == 8;
      const bool has_order = order == '<' || order == '>' || (order == '|' && size == 1);
      if (has_order && kind == 'b' && size == 1) return {Kind::boolean, size, false};
      if (has_order && kind == 'i' && whole) return {Kind::signed_integer, size, order == '>'};
      if (has_order && kind == 'u' && whole) return {Kind::unsigned_integer, size, order == '>'};
      if (has_order && kind == 'f' && (size == 4 || size == 8))
        return {Kind::floating_point, size, order == '>'};
    }
    input_.fail(text("cannot read numbers of type ", shown(found),
                     "; can read b1, i1 to i8, u1 to u8, f4 and f8: use astype(float) in numpy"));
  }

  std::string_view rest_;
  const BinaryInput& input_;
};

}  // namespace unfurl::detail
