# Builds and runs a program of the tests with the stand-in for Catch2 3.
cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/../packaging/consume.cmake")  # run()

file(REMOVE_RECURSE "${build}")
run("${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${generator}"
    "-DCMAKE_CXX_COMPILER=${compiler}" "-DCatch2_DIR=${CMAKE_CURRENT_LIST_DIR}/catch2_3"
    -DUNFURL_BUILD_EXAMPLES=OFF -DUNFURL_TEST_PROGRAMS=kernels_tests
    -DUNFURL_TEST_COMPILED=OFF -DUNFURL_TEST_LEVEL=-O0)
run("${CMAKE_COMMAND}" --build "${build}")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${build}" --no-tests=error --output-on-failure)
