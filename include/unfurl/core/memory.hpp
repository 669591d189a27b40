#pragma once

#include <cstddef>
#include <limits>

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace unfurl {

/// Physical memory in bytes; the largest std::size_t where the system does not tell.
inline std::size_t machine_memory() {
#if defined(_WIN32)
  MEMORYSTATUSEX status;
  status.dwLength = sizeof(status);
  if (GlobalMemoryStatusEx(&status)) return static_cast<std::size_t>(status.ullTotalPhys);
#elif defined(_SC_PHYS_PAGES)
  const long pages = sysconf(_SC_PHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_size > 0)
    return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_size);
#endif
  return (std::numeric_limits<std::size_t>::max)();
}

}  // namespace unfurl
