# The headers name only what is the same in every release of a library that unfurl supports.
#   cmake -Dinclude=<the include folder> -P stable_subset.cmake
cmake_minimum_required(VERSION 3.21)

# Spectra 1.0 to 1.2 and nanoflann 1.4 to 1.12 were compared; Eigen's packets and the two helpers
# beside them are in 3.4 and 5.0.
set(stable_nanoflann KDTreeSingleIndexAdaptor KDTreeSingleIndexAdaptorParams)
set(stable_Spectra SymEigsSolver SortRule CompInfo)
set(stable_Eigen::internal packet_traits padd ploadu pmadd pmul predux predux_any prefetch pset1
                           pstoreu psub minimum_degree_ordering)

file(GLOB_RECURSE headers RELATIVE "${include}" "${include}/unfurl/*.hpp")
if(NOT headers)
  message(FATAL_ERROR "no headers in ${include}")
endif()
foreach(header IN LISTS headers)
  file(READ "${include}/${header}" code)
  string(REGEX REPLACE "//[^\n]*" "" code "${code}")
  string(REGEX REPLACE "[][;]" " " code "${code}")
  foreach(library nanoflann Spectra Eigen::internal)
    string(REGEX MATCHALL "${library}::[A-Za-z_0-9]+" names "${code}")
    foreach(name IN LISTS names)
      string(REPLACE "${library}::" "" name "${name}")
      if(NOT name IN_LIST stable_${library})
        message(SEND_ERROR "${header}: ${library}::${name} is not in every supported release")
      endif()
    endforeach()
  endforeach()
  if(code MATCHES "#include <Spectra/([^>]*)>" AND NOT CMAKE_MATCH_1 STREQUAL "SymEigsSolver.h")
    message(SEND_ERROR "${header}: Spectra/${CMAKE_MATCH_1} is not in every supported release")
  endif()
  # A check that is an assertion is gone with NDEBUG (contract 70).
  if(code MATCHES "[^A-Za-z_](eigen_)?assert *[(]")
    message(SEND_ERROR "${header}: a check must throw, not assert")
  endif()
endforeach()
