# Writes `output`, a file for ctest that makes each test case of `program` a test. Catch2's own
# script would do, but it loses the names after one with a lone bracket, such as "[0, 1)".
cmake_minimum_required(VERSION 3.21)

execute_process(COMMAND "${program}" ${list_arguments} OUTPUT_VARIABLE names TIMEOUT 60)
if(NOT names MATCHES "\n")
  message(FATAL_ERROR "${program} lists no test cases")
endif()

# No lists here: they would split at semicolons and join at brackets.
set(script "")
while(names MATCHES "^([^\n]+)\n(.*)$")
  set(name "${CMAKE_MATCH_1}")
  set(names "${CMAKE_MATCH_2}")
  string(REGEX REPLACE "([][,\\])" "\\\\\\1" pattern "${name}")  # escaped as Catch2 wants it
  string(APPEND script "add_test([==[${prefix}: ${name}]==] [==[${program}]==] "
                       "[==[${pattern}]==] ${run_arguments})\n"
                       "set_tests_properties([==[${prefix}: ${name}]==] PROPERTIES "
                       "LABELS ${label} TIMEOUT 600)\n")
endwhile()
file(WRITE "${output}" "${script}")
