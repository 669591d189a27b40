# unfurl::compiled: the seven estimators of float and double with their default policies, and what
# they and those with policies of your own share, compiled once with the flags of the project that
# links it. A source that uses an estimator then takes some seconds to compile instead of up to half a
# minute. Nothing is built unless something links it.
if(TARGET unfurl_compiled)
  return()
endif()

set(unfurl_sources "${CMAKE_CURRENT_BINARY_DIR}/unfurl_compiled/layers.cpp")
file(CONFIGURE OUTPUT "${unfurl_sources}" CONTENT [[
#define UNFURL_TEMPLATE template  // makes what other sources declare
#include <unfurl/graph/neighborhoods.hpp>
#include <unfurl/graph/walk_spectrum.hpp>
]])
foreach(unfurl_header IN ITEMS tsne:TSNE diffusion_map:DiffusionMap lle:LLE
                               laplacian_eigenmap:LaplacianEigenmap isomap:Isomap
                               classical_mds:ClassicalMDS pca:PCA)
  string(REPLACE ":" ";" unfurl_header ${unfurl_header})
  list(POP_BACK unfurl_header unfurl_estimator)
  set(unfurl_source "${CMAKE_CURRENT_BINARY_DIR}/unfurl_compiled/${unfurl_header}.cpp")
  file(CONFIGURE OUTPUT "${unfurl_source}" CONTENT [[
#include <unfurl/@unfurl_header@.hpp>
template class unfurl::@unfurl_estimator@<float>;
template class unfurl::@unfurl_estimator@<double>;
]] @ONLY)
  list(APPEND unfurl_sources "${unfurl_source}")
endforeach()

add_library(unfurl_compiled STATIC EXCLUDE_FROM_ALL ${unfurl_sources})
add_library(unfurl::compiled ALIAS unfurl_compiled)
target_link_libraries(unfurl_compiled PUBLIC unfurl::unfurl)
target_compile_definitions(unfurl_compiled PUBLIC UNFURL_COMPILED)
