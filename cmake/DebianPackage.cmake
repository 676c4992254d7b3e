# Packs torchbook as Debian packages: run `cpack -G DEB` in a build folder, or build the target `package`.
# docs/packages.md says what each of them has.

# Sets `variable` to "PACKAGE (>= release), PACKAGE (<< next release)" for the Debian package that has the library that
# CMake found, because what is compiled works only with that release. Leaves it empty, and lets cpack say so, if no package
# has the library.
function(torchbook_depend_on variable library release)
  file(REAL_PATH "${${library}_DIR}" folder)
  execute_process(COMMAND dpkg-query -S "${folder}" OUTPUT_VARIABLE package ERROR_QUIET RESULT_VARIABLE failed)
  set(${variable} "" PARENT_SCOPE)
  if(failed)
    string(CONCAT warning "No Debian package has ${library} ${${library}_VERSION} of ${folder}, so the packages of torchbook "
                          "do not depend on it. They work where it is in the same folder.")
    file(APPEND "${torchbook_cpack_warnings}" "message(WARNING \"${warning}\")\n")
    return()
  endif()
  string(REGEX REPLACE "[:,].*" "" package "${package}")
  string(REGEX MATCH "[0-9]+$" last "${release}")
  math(EXPR next "${last} + 1")
  string(REGEX REPLACE "[0-9]+$" "${next}" next "${release}")
  set(${variable} "${package} (>= ${release})" "${package} (<< ${next}~)" PARENT_SCOPE)
endfunction()

set(torchbook_cpack_warnings "${PROJECT_BINARY_DIR}/cpack_warnings.cmake")
file(WRITE "${torchbook_cpack_warnings}" "")
set(CPACK_PROJECT_CONFIG_FILE "${torchbook_cpack_warnings}")
torchbook_depend_on(depends_torch Torch ${torch_release})
torchbook_depend_on(depends_fmt fmt ${fmt_release})
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ${depends_torch} ${depends_fmt})

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL pyrepr)
set(CPACK_COMPONENT_PYREPR_GROUP dev)
set(CPACK_COMPONENT_TRAINING_GROUP dev)
set(CPACK_COMPONENT_NOTEBOOK_GROUP dev)
set(CPACK_PACKAGE_CONTACT "the torchbook authors <authors@torchbook.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_STRIP_FILES OFF)  # pages and traces name the lines of notebooks, which are compiled with -g1
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "PyTorch notebooks in C++, and tensors printed as Python does")
set(CPACK_DEBIAN_DEV_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtorchbook-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(dev_description
"pyrepr gives the text of a tensor byte for byte as PyTorch's repr() and
str() do, with its print options, and formats tensors with fmt as Python's
f-strings do.")
if(NOT TORCHBOOK_PYREPR_ONLY)
  list(APPEND CPACK_COMPONENTS_ALL training notebook program)
  torchbook_depend_on(depends_absl absl ${absl_VERSION})
  list(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ${depends_absl} libpugixml-dev)
  set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS libgtest-dev)  # for torchbook_add_tests
  set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS ON)  # for torchbook-cells, which builds of notebooks run
  string(APPEND dev_description "
The component training has layers, optimizers, schedules, loaders, random
numbers and checkpoints with exactly the results of PyTorch in Python.
The component notebook makes programs of PyTorch notebooks in C++, which
compare each cell with what the notebook printed.")
  set(CPACK_DEBIAN_PROGRAM_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME torchbook)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS libopenblas0-pthread)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libtorchbook-dev, torchbook-import, torchbook-part, torchbook-regression, torchbook-seed, torchbook-site, python3-torch")
  set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
"torchbook runs five PyTorch notebooks that are ported to LibTorch, compares
each cell with what the notebook printed, and writes reports. It also starts
projects for notebooks of your own, which libtorchbook-dev builds. Its tools
are packages of their own.")

  # torchbook_tool_package(TOOL DESCRIPTION [COMPONENT more] [DEPENDS packages]): makes the package torchbook-TOOL.
  macro(torchbook_tool_package tool description)
    if(TARGET torchbook-${tool})
      cmake_parse_arguments(package "" "COMPONENT;DEPENDS" "" ${ARGN})
      string(TOUPPER ${tool} TOOL)
      list(APPEND CPACK_COMPONENTS_ALL ${tool})
      set(CPACK_COMPONENT_${TOOL}_GROUP ${tool})
      if(package_COMPONENT)
        list(APPEND CPACK_COMPONENTS_ALL ${package_COMPONENT})
        string(TOUPPER ${package_COMPONENT} MORE)
        set(CPACK_COMPONENT_${MORE}_GROUP ${tool})
      endif()
      set(CPACK_DEBIAN_${TOOL}_FILE_NAME DEB-DEFAULT)
      set(CPACK_DEBIAN_${TOOL}_PACKAGE_NAME torchbook-${tool})
      set(CPACK_DEBIAN_${TOOL}_PACKAGE_SECTION science)
      set(CPACK_DEBIAN_${TOOL}_PACKAGE_SHLIBDEPS ON)
      set(CPACK_DEBIAN_${TOOL}_PACKAGE_DEPENDS "torchbook (>= ${PROJECT_VERSION})")
      if(package_DEPENDS)
        string(APPEND CPACK_DEBIAN_${TOOL}_PACKAGE_DEPENDS ", ${package_DEPENDS}")
      endif()
      set(CPACK_DEBIAN_${TOOL}_DESCRIPTION "${description}")
      torchbook_install_licence(torchbook-${tool} ${tool})
    endif()
  endmacro()
  set(same_dev "libtorchbook-dev (= ${PROJECT_VERSION})")  # their files of CMake name its libraries
  torchbook_tool_package(import
"torchbook import makes a C++ program of a PyTorch notebook, and compares each
cell with what the notebook printed. torchbook watch builds and checks it at
each save." DEPENDS "${same_dev}, python3-torch | python3, python3-ipython | python3, g++, cmake, ninja-build")
  torchbook_tool_package(part
"torchbook part compares what a program in C++ and one in Python computed with
LibTorch, operation by operation. The package has the recorder for both."
    COMPONENT trace DEPENDS "${same_dev}")
  torchbook_tool_package(seed "torchbook seed finds the seed behind printed random numbers." DEPENDS python3)
  torchbook_tool_package(site
"torchbook site writes pages that show each PyTorch cell beside its C++ cell,
and compute again when a reader changes a number."
    DEPENDS "${same_dev}, torchbook-part (>= ${PROJECT_VERSION}), libmd4c-html0-dev, libmd4c-dev")
  set(CPACK_DEBIAN_SITE_PACKAGE_SUGGESTS katex)
  torchbook_tool_package(regression
"torchbook regression checks a LibTorch with 320 cells of twelve notebooks, and
compares it with PyTorch.")
endif()
set(CPACK_DEBIAN_DEV_DESCRIPTION "${dev_description}
This package has the libraries, the headers, and the files by which CMake
and pkg-config find them.")
if(BUILD_SHARED_LIBS)
  set(runtime_package libtorchbook${PROJECT_VERSION_MAJOR})
  list(APPEND CPACK_COMPONENTS_ALL pyrepr_runtime)
  list(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${runtime_package} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_PYREPR_RUNTIME_PACKAGE_NAME ${runtime_package})
  set(CPACK_DEBIAN_PYREPR_RUNTIME_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PYREPR_RUNTIME_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_PYREPR_RUNTIME_DESCRIPTION
"This package has the shared libraries of pyrepr, for programs that are
linked with them.")
  set(CPACK_DEBIAN_PYREPR_RUNTIME_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/src/torchbook")
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  torchbook_install_licence(${runtime_package} pyrepr_runtime)
endif()
list(JOIN CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)
include(CPack)
