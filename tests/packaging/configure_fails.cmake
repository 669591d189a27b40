# Configures unfurl where a dependency is missing (`options`) or has the wrong version
# (`fake_nanoflann`): it must stop with the sentence `expect`.
file(REMOVE_RECURSE "${build}")
file(MAKE_DIRECTORY "${build}")

if(fake_nanoflann)
  file(WRITE "${build}/fake/nanoflannConfig.cmake"
       "add_library(nanoflann::nanoflann INTERFACE IMPORTED)\n")
  file(WRITE "${build}/fake/nanoflannConfigVersion.cmake"
       "set(PACKAGE_VERSION ${fake_nanoflann})\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
  set(options "-Dnanoflann_DIR=${build}/fake")
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${generator}"
                        "-DCMAKE_CXX_COMPILER=${compiler}" ${libraries} ${options}
                RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " sentence "${output}")  # CMake wraps long messages
string(FIND "${sentence}" "${expect}" place)
if(result EQUAL 0)
  message(FATAL_ERROR "configured, but should have stopped")
elseif(place EQUAL -1)
  message(FATAL_ERROR "does not say \"${expect}\": ${output}")
endif()
