# Packs pyrepr as the Debian package libtorchbook-dev, and shared libraries as libtorchbook1: run `cpack -G DEB` in a
# build folder, or build the target `package`. A compiled pyrepr works only with the releases it is compiled against, so
# the packages depend on these.
math(EXPR next_fmt "${fmt_release} + 1")
string(REGEX MATCH "[0-9]+$" torch_minor "${torch_release}")
math(EXPR next_torch_minor "${torch_minor} + 1")
string(REGEX REPLACE "[0-9]+$" "${next_torch_minor}" next_torch "${torch_release}")
string(JOIN ", " CPACK_DEBIAN_PYREPR_PACKAGE_DEPENDS
  "libtorch-dev (>= ${torch_release})" "libtorch-dev (<< ${next_torch}~)"
  "libfmt-dev (>= ${fmt_release})" "libfmt-dev (<< ${next_fmt}~)")

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL pyrepr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_CONTACT "the torchbook authors <authors@torchbook.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PYREPR_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PYREPR_PACKAGE_NAME libtorchbook-dev)
set(CPACK_DEBIAN_PYREPR_PACKAGE_SECTION libdevel)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "C++ library that prints LibTorch tensors as Python does")
set(CPACK_DEBIAN_PYREPR_DESCRIPTION
"pyrepr gives the text of a tensor byte for byte as PyTorch's repr() and
str() do, with its print options, and formats tensors with fmt as Python's
f-strings do.
This package has the libraries, the headers, and the files by which CMake
and pkg-config find them.")
if(BUILD_SHARED_LIBS)
  set(runtime_package libtorchbook${PROJECT_VERSION_MAJOR})
  list(APPEND CPACK_COMPONENTS_ALL pyrepr_runtime)
  string(APPEND CPACK_DEBIAN_PYREPR_PACKAGE_DEPENDS ", ${runtime_package} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PYREPR_RUNTIME_PACKAGE_NAME ${runtime_package})
  set(CPACK_DEBIAN_PYREPR_RUNTIME_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PYREPR_RUNTIME_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_PYREPR_RUNTIME_DESCRIPTION
"This package has the shared libraries of pyrepr, for programs that are
linked with them.")
  set(CPACK_DEBIAN_PYREPR_RUNTIME_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/src/torchbook")
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/${runtime_package}" RENAME copyright
          COMPONENT pyrepr_runtime)
endif()
include(CPack)
