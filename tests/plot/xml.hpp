#pragma once

#include <cctype>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

// A checker for the XML that the plots write: no comments, no CDATA, no processing instructions.
namespace test {

inline bool is_entity(const std::string& text, std::size_t at) {
  for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
    if (text.compare(at, std::string(entity).size(), entity) == 0) return true;
  return false;
}

/// Empty when `xml` is one balanced tree of tags with quoted, distinct attributes and escaped text;
/// else what is wrong.
inline std::string xml_problem(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t n_roots = 0;
  const auto near = [&](std::size_t at) { return " near: " + xml.substr(at, 60); };
  for (std::size_t i = 0; i < xml.size();) {
    const char c = xml[i];
    if (c == '&' && !is_entity(xml, i)) return "bare &" + near(i);
    if (c == '>') return "bare >" + near(i);
    if (c != '<') {
      if (open.empty() && !std::isspace(static_cast<unsigned char>(c)))
        return "text outside the tree" + near(i);
      ++i;
      continue;
    }
    const std::size_t start = i;
    const bool closing = xml[++i] == '/';
    if (closing) ++i;
    std::string name;
    while (i < xml.size() && std::isalnum(static_cast<unsigned char>(xml[i]))) name += xml[i++];
    if (name.empty()) return "tag without a name" + near(start);
    std::set<std::string> attributes;
    bool self_closing = false;
    for (;;) {
      while (i < xml.size() && std::isspace(static_cast<unsigned char>(xml[i]))) ++i;
      if (i >= xml.size()) return "tag without an end" + near(start);
      if (xml[i] == '/') self_closing = true, ++i;
      if (xml[i] == '>') break;
      const std::size_t equals = xml.find('=', i);
      if (equals == std::string::npos || xml[equals + 1] != '"')
        return "attribute without a quoted value" + near(start);
      if (!attributes.insert(xml.substr(i, equals - i)).second)
        return "attribute given twice" + near(start);
      const std::size_t end = xml.find('"', equals + 2);
      if (end == std::string::npos) return "quote without an end" + near(start);
      for (std::size_t at = equals + 2; at < end; ++at)
        if (xml[at] == '<' || (xml[at] == '&' && !is_entity(xml, at)))
          return "bare < or & in an attribute" + near(start);
      i = end + 1;
    }
    ++i;
    if (closing) {
      if (open.empty() || open.back() != name) return "closes what is not open" + near(start);
      open.pop_back();
    } else if (!self_closing) {
      if (open.empty()) ++n_roots;
      open.push_back(name);
    }
  }
  if (!open.empty()) return "not closed: " + open.back();
  return n_roots == 1 ? "" : "not one root";
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace test
