# The warnings our own tests, examples and benchmarks are built with; never on the interface.
function(unfurl_warnings target)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 $<$<BOOL:${UNFURL_WERROR}>:/WX>)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wsign-conversion -Wold-style-cast)
  if(UNFURL_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # g++ warns falsely about code that it inlines from Eigen, although Eigen is a system include.
      target_compile_options(${target} PRIVATE -Wno-error=array-bounds
                                               -Wno-error=maybe-uninitialized)
    endif()
  endif()
endfunction()
