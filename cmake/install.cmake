# Headers, the exported target and the package files that find_package(unfurl) reads.
include(CMakePackageConfigHelpers)

set(package_dir share/cmake/unfurl)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/unfurl" DESTINATION include
        FILES_MATCHING PATTERN "*.hpp")

install(TARGETS unfurl EXPORT unfurlTargets)
install(EXPORT unfurlTargets NAMESPACE unfurl:: DESTINATION ${package_dir})

configure_package_config_file(cmake/unfurlConfig.cmake.in
                              "${PROJECT_BINARY_DIR}/unfurlConfig.cmake"
                              INSTALL_DESTINATION ${package_dir})
# Below 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/unfurlConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/unfurlConfig.cmake"
              "${PROJECT_BINARY_DIR}/unfurlConfigVersion.cmake" cmake/unfurlCompiled.cmake
        DESTINATION ${package_dir})
