# Builds pyrepr of the tree in which this port lies. The LibTorch is the one in TORCHBOOK_TORCH_DIR, see ../../README.md.
if(NOT EXISTS "$ENV{TORCHBOOK_TORCH_DIR}/TorchConfig.cmake")
  message(FATAL_ERROR "TORCHBOOK_TORCH_DIR=\"$ENV{TORCHBOOK_TORCH_DIR}\" must be the folder of TorchConfig.cmake")
endif()
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DTORCHBOOK_PYREPR_ONLY=ON -DTORCHBOOK_BUILD_TESTS=OFF "-DTorch_DIR=$ENV{TORCHBOOK_TORCH_DIR}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME torchbook CONFIG_PATH lib/cmake/torchbook)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE
  "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share" "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
