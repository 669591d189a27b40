# consume(<source> <option>…): configures, builds and runs a user's project in the empty folder
# `build`.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

function(consume source)
  file(REMOVE_RECURSE "${build}")
  run("${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${generator}"
      "-DCMAKE_CXX_COMPILER=${compiler}" ${libraries} ${ARGN})
  run("${CMAKE_COMMAND}" --build "${build}")
  run("${build}/consumer")
endfunction()
