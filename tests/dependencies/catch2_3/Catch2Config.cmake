# Stands in for Catch2 3: the headers and targets have its names, behind them is the installed v2.
add_library(catch2_stand_in STATIC "${CMAKE_CURRENT_LIST_DIR}/main.cpp")
target_compile_options(catch2_stand_in PRIVATE -O0)  # a quarter of the time
target_include_directories(catch2_stand_in SYSTEM PUBLIC "${CMAKE_CURRENT_LIST_DIR}/include")
add_library(Catch2::Catch2 ALIAS catch2_stand_in)
add_library(Catch2::Catch2WithMain ALIAS catch2_stand_in)
