#pragma once

#include <filesystem>
#include <istream>
#include <ostream>

#include "unfurl/core/archive.hpp"
#include "unfurl/core/error.hpp"
#include "unfurl/core/text.hpp"
#include "unfurl/io/file.hpp"

namespace unfurl {

/// Saves a fitted estimator, so that load_model gives one whose `transform` has the same bytes, on
/// any machine. A file that is there is replaced only when the new one is complete and on the disk:
/// a full disk, a power failure or an estimator that is not fitted leaves it as it was.
///
///     unfurl::save_model("roll.model", isomap);
///     auto same = unfurl::load_model<unfurl::Isomap<>>("roll.model");
///
/// \throws IoError naming the file and the reason; NotFittedError.
template <class E>
void save_model(const std::filesystem::path& file, const E& estimator) {
  detail::write_file("save_model", file, [&](std::ostream& out) { estimator.save(out); });
}

/// Loads what save_model, or the estimator's own `save`, has written.
/// \throws FormatError when the file holds another estimator or scalar, or is damaged; IoError.
template <class E>
E load_model(const std::filesystem::path& file) {
  return detail::read_file("load_model", file, [](std::istream& in) { return E::load(in); });
}

/// Which estimator a file holds, from its first bytes; the content is not verified.
/// \throws FormatError when it is no model file; IoError.
inline ModelKind model_kind(const std::filesystem::path& file) {
  return detail::read_file("model_kind", file, [](std::istream& in) {
    return detail::ArchiveReader::kind(in, "model_kind");
  });
}

}  // namespace unfurl
