# No build system at all: the compiler, the include folders and threads.
include("${CMAKE_CURRENT_LIST_DIR}/consume.cmake")

file(REMOVE_RECURSE "${build}")
file(MAKE_DIRECTORY "${build}")
list(TRANSFORM includes PREPEND -I)
run("${compiler}" -std=c++17 ${includes} "${CMAKE_CURRENT_LIST_DIR}/main.cpp" -pthread
    -o "${build}/consumer")
run("${build}/consumer")
