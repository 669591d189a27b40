#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "fuzz/examine.hpp"
#include "unfurl/core/archive.hpp"

namespace fuzz {

/// The same content as a file of model E, with the length and the checksum that it should have:
/// mutations of the content would not get past them.
template <class E>
std::string mended(const std::string& estimator, const std::string& content) {
  unfurl::detail::ArchiveWriter head, tail;
  head.kind({estimator, sizeof(ScalarOf<E>)});
  head.unsigned_integer(static_cast<std::uint64_t>(content.size()));
  tail.unsigned_integer(unfurl::detail::checksum(content));
  return head.bytes() + content + tail.bytes();
}

template <class E>
void model_file(const std::string& bytes) {
  succeeds([&] { examine(loaded<E>(bytes)); });
}

template <template <class...> class Estimator>
constexpr const char* name_of = "";
template <>
inline constexpr const char* name_of<unfurl::PCA> = "PCA";
template <>
inline constexpr const char* name_of<unfurl::ClassicalMDS> = "ClassicalMDS";
template <>
inline constexpr const char* name_of<unfurl::Isomap> = "Isomap";
template <>
inline constexpr const char* name_of<unfurl::LLE> = "LLE";
template <>
inline constexpr const char* name_of<unfurl::LaplacianEigenmap> = "LaplacianEigenmap";
template <>
inline constexpr const char* name_of<unfurl::DiffusionMap> = "DiffusionMap";
template <>
inline constexpr const char* name_of<unfurl::TSNE> = "TSNE";

/// A file of a model, as it is and with its header and checksum mended. What has no header is
/// taken as content, of floats or of doubles by its first byte.
template <template <class...> class Estimator>
void model(const std::string& bytes) {
  std::istringstream in(bytes);
  unfurl::ModelKind kind;
  std::size_t begin = 0, end = bytes.size();
  const bool has_header = succeeds([&] { kind = unfurl::detail::ArchiveReader::kind(in, "fuzz"); });
  if (has_header) {
    begin = std::min(end, static_cast<std::size_t>(in.tellg()) + 8);
    end = std::max(begin, end - std::min<std::size_t>(8, end));
  } else if (!bytes.empty()) {
    kind.scalar_size = bytes[begin++] % 2 == 0 ? 8 : 4;
  }
  const std::string content = bytes.substr(begin, end - begin);
  const char* const name = name_of<Estimator>;
  if (kind.scalar_size == 4) {
    model_file<Estimator<float>>(bytes);
    model_file<Estimator<float>>(mended<Estimator<float>>(name, content));
  } else {
    model_file<Estimator<double>>(bytes);
    model_file<Estimator<double>>(mended<Estimator<double>>(name, content));
  }
}

}  // namespace fuzz
