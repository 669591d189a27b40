#pragma once

#include <initializer_list>
#include <locale>
#include <sstream>
#include <string>

namespace unfurl::detail {

/// A value and how to write it. (Messages are made in many places: with the types left behind, one
/// function serves them all, and a program compiles it once.)
struct TextPart {
  const void* value;
  void (*write)(std::ostream& out, const void* value);
};

template <class Value>
TextPart text_part(const Value& value) {
  return {&value, [](std::ostream& out, const void* at) { out << *static_cast<const Value*>(at); }};
}

inline TextPart text_part(const char* words) {
  return {words, [](std::ostream& out, const void* at) { out << static_cast<const char*>(at); }};
}

inline std::string joined(std::initializer_list<TextPart> parts) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  for (const TextPart& part : parts) part.write(out, part.value);
  return out.str();
}

/// The arguments one after the other, numbers in the classic locale whatever the program has set.
template <class... Parts>
std::string text(const Parts&... parts) {
  return joined({text_part(parts)...});
}

}  // namespace unfurl::detail
