# Packs pyrepr as the Debian package libtorchbook-dev: run `cpack -G DEB` in a build folder, or build the target
# `package`. The static library works only with the releases it is compiled against, so the package depends on these.
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
This package has the static library, the headers and the CMake package
torchbook, with the target torchbook::pyrepr.")
include(CPack)
