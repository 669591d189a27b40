#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>

/// Numbers as decimal text and back, the same in every locale.
namespace unfurl::detail {

enum class NumberText { number, non_finite, too_large, no_number };

/// The word is nan, inf or infinity in any case; `value` becomes what it means.
template <class Scalar>
bool parse_word(std::string_view word, Scalar& value) {
  std::string lower;
  for (const char c : word.substr(0, 9))
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (lower == "nan")
    value = std::numeric_limits<Scalar>::quiet_NaN();
  else if (lower == "inf" || lower == "infinity")
    value = std::numeric_limits<Scalar>::infinity();
  else
    return false;
  return true;
}

/// Looks like [digits][.digits][e[+-]digits] with at least one digit before the e.
inline bool is_decimal(std::string_view s) {
  std::size_t i = 0;
  const auto skip_digits = [&] {
    const std::size_t from = i;
    while (i < s.size() && s[i] >= '0' && s[i] <= '9') ++i;
    return i - from;
  };
  std::size_t n_digits = skip_digits();
  if (i < s.size() && s[i] == '.') ++i, n_digits += skip_digits();
  if (n_digits == 0) return false;
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    if (skip_digits() == 0) return false;
  }
  return i == s.size();
}

/// Of a decimal that is out of range: it is so because it is large, not because it is near 0.
inline bool is_large(std::string_view s) {
  const std::size_t e = s.find_first_of("eE");
  const std::string_view mantissa = s.substr(0, e);
  const std::size_t first = mantissa.find_first_of("123456789");
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  long long exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view digits = s.substr(e + 1);
    const bool negative = digits.front() == '-';
    if (digits.front() == '+' || negative) digits.remove_prefix(1);
    for (const char c : digits.substr(0, 18)) exponent = 10 * exponent + (c - '0');
    if (digits.size() > 18) return !negative;
    if (negative) exponent = -exponent;
  }
  return first != std::string_view::npos &&
         static_cast<long long>(point) - static_cast<long long>(first) + exponent > 0;
}

/// By a stream, for standard libraries without from_chars of floating-point numbers. \returns false
/// when the decimal is out of range.
template <class Scalar>
bool parse_by_stream(std::string_view decimal, Scalar& value) {
  std::istringstream in{std::string(decimal)};
  in.imbue(std::locale::classic());
  return static_cast<bool>(in >> value) && std::isfinite(value);
}

/// Decimal text to the nearest Scalar; what is nearer to 0 than any is 0. No spaces, no
/// hexadecimal, nothing after the number; one sign.
template <class Scalar>
NumberText parse_number(std::string_view s, Scalar& value) {
  const bool negative = !s.empty() && s.front() == '-';
  if (negative || (!s.empty() && s.front() == '+')) s.remove_prefix(1);
  bool in_range = true;
#if defined(__cpp_lib_to_chars)
  if (s.empty() || s.front() == '-') return NumberText::no_number;
  const auto [end, status] = std::from_chars(s.data(), s.data() + s.size(), value);
  const bool whole = end == s.data() + s.size();
  if (status == std::errc::invalid_argument || !whole) return NumberText::no_number;
  in_range = status == std::errc();
  if (in_range && !std::isfinite(value))
    if (!parse_word(s, value)) return NumberText::no_number;  // nan(…)
#else
  if (is_decimal(s))
    in_range = parse_by_stream(s, value);
  else if (!parse_word(s, value))
    return NumberText::no_number;
#endif
  if (!in_range) {
    if (is_large(s)) return NumberText::too_large;
    value = 0;
  }
  if (negative) value = -value;
  return std::isfinite(value) ? NumberText::number : NumberText::non_finite;
}

/// With as many digits as any number of the type needs to be read back; used where to_chars lacks
/// floating-point numbers.
template <class Scalar>
std::string digits_by_stream(Scalar value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(std::numeric_limits<Scalar>::max_digits10);
  out << value;
  return out.str();
}

/// Appends the number with the fewest digits that are read back as the same number.
template <class Scalar>
void append_number(std::string& line, Scalar value) {
  if (std::isnan(value)) {
    line += "nan";
    return;
  }
#if defined(__cpp_lib_to_chars)
  char digits[64];
  const auto [end, status] = std::to_chars(digits, digits + sizeof(digits), value);
  (void)status;  // 64 characters are enough for the shortest form
  line.append(digits, end);
#else
  line += digits_by_stream(value);
#endif
}

}  // namespace unfurl::detail
