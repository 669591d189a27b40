# Which values of nanoflann's version macro kd_tree.hpp accepts: its two forms, 0xMmp up to 1.9 and
# 0xMMmmpp from 1.10 on, and the releases in between that are unsound on repeated points.
#   cmake -Dcompiler=… -Dincludes=… -P nanoflann_versions.cmake
cmake_minimum_required(VERSION 3.21)
list(TRANSFORM includes PREPEND -I)
set(newer "${CMAKE_CURRENT_LIST_DIR}/newer")

# preprocess(<version> <output>): what the compiler says about that version; empty: nothing.
function(preprocess version output)
  execute_process(COMMAND "${compiler}" -std=c++17 -E -x c++ "-I${newer}" ${includes}
                          -DSTAND_IN_NANOFLANN_VERSION=${version} -include unfurl/neighbors/kd_tree.hpp
                          -o /dev/null /dev/null
                  RESULT_VARIABLE result ERROR_VARIABLE said)
  if(result EQUAL 0)
    set(said "")
  endif()
  set(${output} "${said}" PARENT_SCOPE)
endfunction()

foreach(version 0x140 0x142 0x150 0x151 0x162 0x171 0x190 0x010A00 0x010C01)
  preprocess(${version} said)
  if(said)
    message(SEND_ERROR "${version} must be accepted, but: ${said}")
  endif()
endforeach()
foreach(version 0x153 0x154 0x155 0x160 0x161)
  preprocess(${version} said)
  if(NOT said MATCHES "nanoflann 1.5.3 to 1.6.1 is unsound on duplicate points: use ")
    message(SEND_ERROR "${version} must be refused in one sentence, but: ${said}")
  endif()
endforeach()
preprocess(0x132 said)
if(NOT said MATCHES "unfurl needs nanoflann 1.4 or later")
  message(SEND_ERROR "0x132 must be refused in one sentence, but: ${said}")
endif()
