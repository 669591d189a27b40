# The libraries unfurl stands on: a target that already exists (vendored by the embedding project),
# else an installed package. Nothing is downloaded.

# Makes the target available or stops with one sentence that says what to do.
function(unfurl_require name package target minimum debian_package)
  if(TARGET ${target})
    return()
  endif()
  # The versions are compared here: Eigen 3's version file knows no ranges, and a request for 3.4
  # would turn Eigen 5 away.
  find_package(${package} CONFIG QUIET)
  set(remedy "apt-get install ${debian_package} (Debian, Ubuntu) or set ${package}_DIR")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "unfurl needs ${name} ${minimum} or newer, which was not found: ${remedy}.")
  elseif(${package}_VERSION VERSION_LESS minimum)
    message(FATAL_ERROR "unfurl needs ${name} ${minimum} or newer, found ${${package}_VERSION} in "
                        "${${package}_DIR}: ${remedy}.")
  endif()
  set(${package}_VERSION "${${package}_VERSION}" PARENT_SCOPE)
endfunction()

# Spectra's own CMakeLists.txt defines no namespaced target.
if(TARGET Spectra AND NOT TARGET Spectra::Spectra)
  add_library(Spectra::Spectra ALIAS Spectra)
endif()

unfurl_require(Eigen Eigen3 Eigen3::Eigen 3.4 libeigen3-dev)
unfurl_require(Spectra Spectra Spectra::Spectra 1.0 libspectra-dev)
unfurl_require(nanoflann nanoflann nanoflann::nanoflann 1.4 libnanoflann-dev)

# nanoflann 1.5.3 to 1.6.1 read out of range when points are repeated. These releases call
# themselves anything from 1.5.1 on (their version comes from a macro that lagged behind).
if(nanoflann_VERSION VERSION_GREATER_EQUAL 1.5.1 AND nanoflann_VERSION VERSION_LESS 1.6.2)
  message(FATAL_ERROR "unfurl refuses nanoflann ${nanoflann_VERSION}, whose tree is broken for "
                      "repeated points: take nanoflann 1.4.x or 1.6.2 and newer.")
endif()

# Quiet and not REQUIRED for the same reason as above: one sentence instead of a report.
find_package(Threads QUIET)
if(NOT TARGET Threads::Threads)
  message(FATAL_ERROR "unfurl needs a threads library (pthreads), which was not found: "
                      "apt-get install libc6-dev (Debian, Ubuntu).")
endif()
