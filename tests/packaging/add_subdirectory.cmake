# Embeds unfurl in a user's project, which must not get install rules from it.
include("${CMAKE_CURRENT_LIST_DIR}/consume.cmake")

consume("${CMAKE_CURRENT_LIST_DIR}/add_subdirectory" "-Dunfurl_source=${unfurl_source}")

run("${CMAKE_COMMAND}" --install "${build}" --prefix "${build}/prefix")
file(GLOB_RECURSE files "${build}/prefix/*")
if(files)
  message(FATAL_ERROR "an embedded unfurl installs: ${files}")
endif()
