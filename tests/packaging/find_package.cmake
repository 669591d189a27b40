# Installs unfurl into an empty prefix and uses it from there.
include("${CMAKE_CURRENT_LIST_DIR}/consume.cmake")

file(REMOVE_RECURSE "${prefix}")
run("${CMAKE_COMMAND}" --install "${unfurl_build}" --prefix "${prefix}")
consume("${CMAKE_CURRENT_LIST_DIR}/find_package" "-DCMAKE_PREFIX_PATH=${prefix}")

# Only headers and package files are installed, all under names of our own.
file(GLOB_RECURSE files RELATIVE "${prefix}" "${prefix}/*")
list(FILTER files EXCLUDE REGEX "^include/unfurl/.*[.]hpp$|^share/cmake/unfurl/unfurl[A-Za-z]*[.]cmake$")
if(files)
  message(FATAL_ERROR "also installed: ${files}")
endif()
