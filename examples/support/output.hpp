#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace example {

/// A folder beside the program, so that a program started anywhere leaves nothing there. It need
/// not exist yet. \param program argv[0]
inline std::filesystem::path folder_beside(const char* program, const std::string& name) {
  std::error_code failed;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) self = std::filesystem::absolute(program);
  return self.parent_path() / name;
}

inline void create_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw std::runtime_error("cannot create the directory " + folder.string() + ": " +
                             failed.message());
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace example
