# Reads every header and enforces the layers of the library: which folder may include which, who may
# include the third-party libraries, and what no header may contain.
#   cmake -Dinclude=<the include folder> -P layering.cmake
#
#   core <- kernels, neighbors, spectral <- graph <- tsne, estimators <- any_estimator <- unfurl
#   core <- io, datasets, quality, plot
cmake_minimum_required(VERSION 3.21)

# may_include_<layer>: the layers that a header of this one may include, besides its own.
set(may_include_core "")
foreach(layer kernels neighbors spectral io datasets quality plot)
  set(may_include_${layer} core)
endforeach()
set(may_include_graph core kernels neighbors spectral)
set(may_include_tsne ${may_include_graph} graph)
set(may_include_estimators ${may_include_tsne} tsne)
set(may_include_any_estimator ${may_include_estimators} estimators)
set(may_include_unfurl ${may_include_any_estimator} any_estimator io datasets quality plot)

# The folder, or for the headers of the top folder their role. version.hpp is anyone's.
function(layer_of header result)
  if(header MATCHES "^unfurl/([a-z_]+)/")
    set(layer ${CMAKE_MATCH_1})
  elseif(header MATCHES "^unfurl/(unfurl|any_estimator)[.]hpp$")
    set(layer ${CMAKE_MATCH_1})
  elseif(header STREQUAL "unfurl/version.hpp")
    set(layer core)
  else()
    set(layer estimators)
  endif()
  set(${result} ${layer} PARENT_SCOPE)
endfunction()

# About the current header.
function(problem text)
  set_property(GLOBAL APPEND_STRING PROPERTY problems "  ${header}: ${text}\n")
endfunction()

# forbid(<regular expression> <reason>) in the code of the current header
function(forbid pattern reason)
  if(code MATCHES "${pattern}")
    string(STRIP "${CMAKE_MATCH_0}" found)
    problem("${reason}: ${found}")
  endif()
endfunction()

file(GLOB_RECURSE headers RELATIVE "${include}" "${include}/unfurl/*.hpp")
if(NOT headers)
  message(FATAL_ERROR "no headers in ${include}")
endif()

foreach(header IN LISTS headers)
  layer_of(${header} layer)
  if(NOT DEFINED may_include_${layer})
    problem("the folder ${layer}/ is no layer that layering.cmake knows")
  endif()

  file(READ "${include}/${header}" code)
  string(REGEX REPLACE "[^\n]" "" newlines "${code}")
  string(LENGTH "${newlines}" n_lines)
  if(n_lines GREATER 500)
    problem("${n_lines} lines, more than 500")
  endif()
  if(NOT code MATCHES "^#pragma once\n")
    problem("does not begin with #pragma once")
  endif()

  # From here on without comments, and without what CMake would take for the syntax of its lists.
  string(REGEX REPLACE "//[^\n]*" "" code "${code}")
  string(REGEX REPLACE "/[*]([^*]|[*]+[^*/])*[*]+/" "" code "${code}")
  string(REGEX REPLACE "[][]" " " code "${code}")

  set(optional_${header} FALSE)
  set(includes_${header} "")
  string(REGEX MATCHALL "#include [<\"][^>\"\n]+" lines "${code}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "#include [<\"]" "" file "${line}")
    if(file MATCHES "^unfurl/")
      list(APPEND includes_${header} ${file})
      layer_of(${file} below)
      if(NOT EXISTS "${include}/${file}")
        problem("includes ${file}, which does not exist")
      elseif(NOT below STREQUAL layer AND NOT below IN_LIST may_include_${layer})
        problem("${layer} must not include ${below} (${file})")
      endif()
    elseif(line MATCHES "\"")
      problem("includes ${file} by a relative path")
    elseif(file MATCHES "^nanoflann" AND NOT header STREQUAL "unfurl/neighbors/kd_tree.hpp")
      problem("only neighbors/kd_tree.hpp includes nanoflann")
    elseif(file MATCHES "^Spectra/" AND NOT layer STREQUAL "spectral")
      problem("only spectral/ includes Spectra")
    elseif(file MATCHES "^(hnswlib|slepc|petsc)")
      set(optional_${header} TRUE)
    endif()
  endforeach()

  if(NOT layer MATCHES "^(io|plot)$")
    forbid("#include <(iostream|fstream|cstdio|stdio.h)>" "no input or output in this layer")
    forbid("[^A-Za-z_](printf|puts|std::(cout|cerr|clog)) *[(<;]" "no printing in this layer")
  endif()
  forbid("std::(rand|srand|random_device)[^A-Za-z_]|[^A-Za-z_:]s?rand *[(]" "not reproducible")
  forbid("::(Random|setRandom) *[(]|[.]setRandom *[(]" "Eigen's random numbers are std::rand")
  forbid("setNbThreads" "global state of Eigen")
  forbid("std::(normal|uniform_real|uniform_int|bernoulli|discrete)[a-z_]*_distribution"
         "differs between standard libraries")
  # A variable (no parenthesis before its end) that is static, thread_local or an inline global.
  # Constants are welcome.
  string(REGEX REPLACE "(static |inline |thread_local )+const(expr)? " "const " mutable "${code}")
  if(mutable MATCHES "[\n{;}] *(static|thread_local|inline static|static inline) [^()\n]*[;={]" OR
     mutable MATCHES "\ninline [^()\n]*[;={]")
    string(STRIP "${CMAKE_MATCH_0}" found)
    if(NOT found MATCHES "^inline namespace ")
      problem("mutable state that outlives a call: ${found}")
    endif()
  endif()
endforeach()

# unfurl.hpp leads to every header except the adapters to optional libraries.
set(reached unfurl/unfurl.hpp)
set(todo unfurl/unfurl.hpp)
while(todo)
  list(POP_FRONT todo header)
  foreach(file IN LISTS includes_${header})
    if(NOT file IN_LIST reached)
      list(APPEND reached ${file})
      list(APPEND todo ${file})
    endif()
  endforeach()
endwhile()
foreach(header IN LISTS headers)
  if(optional_${header} AND header IN_LIST reached)
    problem("needs an optional library, but unfurl.hpp includes it")
  elseif(NOT optional_${header} AND NOT header IN_LIST reached)
    problem("cannot be reached from unfurl.hpp")
  endif()
endforeach()

get_property(problems GLOBAL PROPERTY problems)
if(problems)
  message(FATAL_ERROR "The layers are broken:\n${problems}")
endif()
