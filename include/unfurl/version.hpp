#pragma once

/// The library's version: the single source, which CMake parses.
#define UNFURL_VERSION_MAJOR 0
#define UNFURL_VERSION_MINOR 1
#define UNFURL_VERSION_PATCH 0
