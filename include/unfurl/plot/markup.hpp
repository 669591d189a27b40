#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

/// Text and numbers as SVG and HTML want them, in any locale.
namespace unfurl::detail {

/// Length in bytes of the character that begins at `i`, or 0 when XML does not allow it: malformed
/// UTF-8, a surrogate, a non-character or a control character.
inline std::size_t character_length(std::string_view s, std::size_t i) {
  const auto byte = [&](std::size_t at) {
    return static_cast<unsigned>(static_cast<unsigned char>(s[at]));
  };
  const unsigned lead = byte(i);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > s.size()) return 0;
  unsigned code = lead & (0xFFu >> (length + 1));
  for (std::size_t at = i + 1; at < i + length; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return 0;
    code = (code << 6) | (byte(at) & 0x3F);
  }
  const unsigned least[] = {0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool allowed = code >= least[length - 2] && code <= 0x10FFFF && !surrogate &&
                       code != 0xFFFE && code != 0xFFFF;
  return allowed ? length : 0;
}

/// Safe between tags and inside quoted attributes. What cannot be shown becomes U+FFFD.
inline std::string escaped(std::string_view s) {
  std::string safe;
  for (std::size_t i = 0; i < s.size();) {
    const std::size_t length = character_length(s, i);
    if (length == 0)
      safe += "\xEF\xBF\xBD";
    else if (s[i] == '&')
      safe += "&amp;";
    else if (s[i] == '<')
      safe += "&lt;";
    else if (s[i] == '>')
      safe += "&gt;";
    else if (s[i] == '"')
      safe += "&quot;";
    else if (s[i] == '\'')
      safe += "&#39;";
    else
      safe += s.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return safe;
}

inline std::size_t n_characters(std::string_view s) {
  std::size_t count = 0;
  for (const char c : s) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

/// At most `most` characters, the last of them "…" when some were cut.
inline std::string shortened(const std::string& s, std::size_t most) {
  if (n_characters(s) <= most) return s;
  std::size_t kept = 0, end = 0;
  while (end < s.size()) {
    if ((static_cast<unsigned char>(s[end]) & 0xC0) != 0x80 && kept++ + 1 >= most) break;
    ++end;
  }
  return s.substr(0, end) + "…";
}

/// A length in the picture to a tenth of a pixel, as short as can be: pictures have many of them.
inline std::string px(double length) {
  const long long tenths = std::llround(length * 10);
  const long long size = tenths < 0 ? -tenths : tenths;
  std::string digits = std::to_string(size / 10);
  if (size % 10 != 0) digits += '.' + std::to_string(size % 10);
  return tenths < 0 ? '-' + digits : digits;
}

}  // namespace unfurl::detail
