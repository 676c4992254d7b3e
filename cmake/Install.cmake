# Installs pyrepr: its libraries, their headers and the files that find_package(torchbook) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A compiled pyrepr works only with one minor release of LibTorch and one major release of fmt.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" torch_release "${Torch_VERSION}")
string(REGEX MATCH "^[0-9]+" fmt_release "${fmt_VERSION}")

set(config_destination "${CMAKE_INSTALL_LIBDIR}/cmake/torchbook")
configure_file(cmake/torchbookConfig.cmake.in torchbookConfig.cmake @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/torchbookConfigVersion.cmake" COMPATIBILITY SameMajorVersion)

install(TARGETS torchbook_pyrepr torchbook_pyrepr_module EXPORT torchbook
        ARCHIVE COMPONENT pyrepr
        LIBRARY COMPONENT pyrepr_runtime NAMELINK_COMPONENT pyrepr
        FILE_SET HEADERS COMPONENT pyrepr)
install(EXPORT torchbook NAMESPACE torchbook:: FILE torchbookTargets.cmake
        DESTINATION "${config_destination}" COMPONENT pyrepr)
install(FILES "${PROJECT_BINARY_DIR}/torchbookConfig.cmake" "${PROJECT_BINARY_DIR}/torchbookConfigVersion.cmake"
              cmake/torchbookTorch.cmake
        DESTINATION "${config_destination}" COMPONENT pyrepr)

# Makes and installs LIBRARY.pc for pkg-config, which finds the prefix by the place of the file.
function(torchbook_install_pc pc_library pc_description pc_requires pc_cflags pc_libs)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE pc_prefix
             BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
  configure_file(cmake/pyrepr.pc.in ${pc_library}.pc.in @ONLY)
  file(GENERATE OUTPUT ${pc_library}.pc INPUT "${PROJECT_BINARY_DIR}/${pc_library}.pc.in")
  install(FILES "${PROJECT_BINARY_DIR}/${pc_library}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
          COMPONENT pyrepr)
endfunction()

set(torch_cflags ${TORCH_CXX_FLAGS})
foreach(folder IN LISTS TORCH_INCLUDE_DIRS)
  cmake_path(NORMAL_PATH folder)
  string(APPEND torch_cflags " -I${folder}")
endforeach()
torchbook_install_pc(torchbook_pyrepr "Prints LibTorch tensors as Python does" "fmt >= ${fmt_release}"
  "${torch_cflags}" "-L$<TARGET_FILE_DIR:torch_cpu> -ltorch_cpu -lc10")
torchbook_install_pc(torchbook_pyrepr_module "Prints LibTorch modules as Python does"
  "torchbook_pyrepr = ${PROJECT_VERSION}" "" "")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/libtorchbook-dev" RENAME copyright
        COMPONENT pyrepr)
