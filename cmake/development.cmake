# What the tests, examples and benchmarks share. Not read when unfurl is only a dependency.
include("${CMAKE_CURRENT_LIST_DIR}/warnings.cmake")

# -std=c++17 or what CMAKE_CXX_STANDARD asks for, without the compiler's extensions.
set(CMAKE_CXX_EXTENSIONS OFF)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Type of build" FORCE)
endif()

# ccache saves a developer's time; nothing depends on it. It ignores a precompiled header's time
# stamp only when told to.
find_program(UNFURL_CCACHE ccache)
mark_as_advanced(UNFURL_CCACHE)
if(UNFURL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${UNFURL_CCACHE}")
endif()

# Compiling takes longer than running here, and as tests nothing need be fast.
unfurl_warnings(unfurl_compiled)
set_target_properties(unfurl_compiled PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
if(NOT MSVC)
  target_compile_options(unfurl_compiled PRIVATE $<IF:$<BOOL:${UNFURL_BUILD_TESTS}>,-O1,-O2>)
endif()

# A program of this repository: the library, the warnings and the place of the data files.
function(unfurl_program target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE unfurl::unfurl)
  target_compile_definitions(${target} PRIVATE "UNFURL_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
  unfurl_warnings(${target})
endfunction()
