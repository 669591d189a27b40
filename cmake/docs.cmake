# The target `docs`: every public name and a page for each estimator, in <build>/docs/html.
find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
  configure_file(cmake/Doxyfile.in docs/Doxyfile @ONLY)
  set(site "${PROJECT_BINARY_DIR}/docs/html")
  # The README, which is the first page, links to the examples and the licence.
  file(GLOB examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
  add_custom_target(
    docs
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${site}"
    COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/docs/Doxyfile"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${site}/examples"
    COMMAND ${CMAKE_COMMAND} -E copy ${examples} "${site}/examples"
    COMMAND ${CMAKE_COMMAND} -E copy "${PROJECT_SOURCE_DIR}/LICENSE" "${site}"
    COMMENT "Writing ${site}/index.html"
    VERBATIM)
else()
  add_custom_target(
    docs
    COMMAND ${CMAKE_COMMAND} -E echo
            "docs: Doxygen was not found; install it (apt-get install doxygen) and configure again."
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
endif()
