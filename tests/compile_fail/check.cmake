# Compiles `source` and compares the outcome with what its comments expect.
file(STRINGS "${source}" expect REGEX "^// expect: ")
file(STRINGS "${source}" flags REGEX "^// flags: ")
string(REPLACE "// expect: " "" expect "${expect}")
string(REPLACE "// flags: " "" flags "${flags}")
separate_arguments(flags)
list(TRANSFORM includes PREPEND -I)

# The sentence must be the first error, and nothing after it needs to be compiled.
set(command "${compiler}" -std=c++${standard} -fsyntax-only -Wfatal-errors ${includes} ${flags}
            "${source}")
execute_process(COMMAND ${command} RESULT_VARIABLE result ERROR_VARIABLE output)

if(NOT expect)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "must compile, but: ${output}")
  endif()
elseif(result EQUAL 0)
  message(FATAL_ERROR "must be rejected, but compiles")
else()
  string(FIND "${output}" "${expect}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "must be rejected with \"${expect}\", but: ${output}")
  endif()
endif()
