# Installs pyrepr: its libraries, their headers and the files that find_package(torchbook) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A compiled pyrepr works only with one minor release of LibTorch and one major release of fmt.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" torch_release "${Torch_VERSION}")
string(REGEX MATCH "^[0-9]+" fmt_release "${fmt_VERSION}")

set(config_destination "${CMAKE_INSTALL_LIBDIR}/cmake/torchbook")
configure_file(cmake/torchbookConfig.cmake.in torchbookConfig.cmake @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/torchbookConfigVersion.cmake" COMPATIBILITY SameMinorVersion)

set_target_properties(torchbook_pyrepr PROPERTIES EXPORT_NAME pyrepr)
set_target_properties(torchbook_pyrepr_module PROPERTIES EXPORT_NAME pyrepr_module)
install(TARGETS torchbook_pyrepr torchbook_pyrepr_module EXPORT torchbook
        ARCHIVE COMPONENT pyrepr
        FILE_SET HEADERS COMPONENT pyrepr)
install(EXPORT torchbook NAMESPACE torchbook:: FILE torchbookTargets.cmake
        DESTINATION "${config_destination}" COMPONENT pyrepr)
install(FILES "${PROJECT_BINARY_DIR}/torchbookConfig.cmake" "${PROJECT_BINARY_DIR}/torchbookConfigVersion.cmake"
              cmake/torchbookTorch.cmake
        DESTINATION "${config_destination}" COMPONENT pyrepr)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/libtorchbook-dev" RENAME copyright
        COMPONENT pyrepr)
