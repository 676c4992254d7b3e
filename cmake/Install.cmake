# Installs the components that docs/packages.md lists. The build folder has the same files for find_package, so that a
# project can use what was built and not installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What is compiled works only with one minor release of LibTorch and one major release of fmt.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" torch_release "${Torch_VERSION}")
string(REGEX MATCH "^[0-9]+" fmt_release "${fmt_VERSION}")
string(REGEX MATCH "_GLIBCXX_USE_CXX11_ABI=0" torch_old_abi "${TORCH_CXX_FLAGS}")

set(config_destination "${CMAKE_INSTALL_LIBDIR}/cmake/torchbook")
set(package "${PROJECT_BINARY_DIR}/lib/cmake/torchbook")
configure_file(cmake/torchbookConfig.cmake.in "${package}/torchbookConfig.cmake" @ONLY)
write_basic_package_version_file("${package}/torchbookConfigVersion.cmake" COMPATIBILITY SameMajorVersion)

# Installs an export set, in a component, as FILE, and makes one of the targets as they were built.
function(torchbook_export name file component)
  install(EXPORT ${name} NAMESPACE torchbook:: FILE ${file} DESTINATION "${config_destination}" COMPONENT ${component})
  export(EXPORT ${name} NAMESPACE torchbook:: FILE "${package}/${file}")
endfunction()

# Installs the licence, as Debian names it, and the list of what is not under it, in the folder of a package.
function(torchbook_install_licence package component)
  set(folder "${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}")
  install(FILES LICENSE DESTINATION "${folder}" RENAME copyright COMPONENT ${component})
  install(FILES NOTICE DESTINATION "${folder}" COMPONENT ${component})
endfunction()

# Installs the manual pages of commands in a component.
function(torchbook_install_manual component)
  install(CODE "execute_process(COMMAND sh \"${PROJECT_SOURCE_DIR}/cmake/manual_pages.sh\" \"$<TARGET_FILE:torchbook>\"
    ${PROJECT_VERSION} \"${PROJECT_BINARY_DIR}/manual\" RESULT_VARIABLE failed)
    if(failed)
      message(WARNING \"torchbook has no manual pages, or not all\")
    endif()" COMPONENT ${component})
  list(JOIN ARGN "|" names)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/manual/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT ${component} OPTIONAL
          FILES_MATCHING REGEX "/(${names})[.]1$")
endfunction()

# Installs files of CMake beside the package's, in a component.
function(torchbook_install_modules component)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file FILENAME name)
    configure_file(${file} "${package}/${name}" COPYONLY)
  endforeach()
  install(FILES ${ARGN} DESTINATION "${config_destination}" COMPONENT ${component})
endfunction()

install(TARGETS torchbook_pyrepr EXPORT torchbook
        ARCHIVE COMPONENT pyrepr
        LIBRARY COMPONENT pyrepr_runtime NAMELINK_COMPONENT pyrepr
        FILE_SET HEADERS COMPONENT pyrepr)
install(FILES src/torchbook/pyrepr/torchbook_debugger.py DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/torchbook" COMPONENT pyrepr)
torchbook_export(torchbook torchbookTargets.cmake pyrepr)
if(TARGET torchbook_training)
  install(TARGETS torchbook_training EXPORT torchbook_training
          ARCHIVE COMPONENT training
          LIBRARY COMPONENT pyrepr_runtime NAMELINK_COMPONENT training
          FILE_SET HEADERS COMPONENT training)
  torchbook_export(torchbook_training torchbookTrainingTargets.cmake training)
endif()
install(FILES "${package}/torchbookConfig.cmake" "${package}/torchbookConfigVersion.cmake"
        DESTINATION "${config_destination}" COMPONENT pyrepr)
torchbook_install_modules(pyrepr cmake/torchbookTorch.cmake)

if(NOT TORCHBOOK_PYREPR_ONLY)
  get_property(layers GLOBAL PROPERTY TORCHBOOK_LAYERS_OF_notebook)
  list(REMOVE_ITEM layers torchbook_pyrepr torchbook_training)
  install(TARGETS ${layers} torchbook-cells EXPORT torchbook_notebook
          ARCHIVE COMPONENT notebook
          RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/torchbook" COMPONENT notebook
          FILE_SET HEADERS COMPONENT notebook)
  torchbook_export(torchbook_notebook torchbookNotebookTargets.cmake notebook)
  torchbook_install_modules(notebook
    cmake/torchbookLibraries.cmake
    cmake/torchbookNotebooks.cmake
    cmake/cell_tests.cpp
    cmake/linked_notebooks.cpp.in
    cmake/must_print.sh
    cmake/torch_header.cpp)

  # The tools, each a component.
  get_property(tools GLOBAL PROPERTY TORCHBOOK_TOOL_PROGRAMS)
  foreach(program IN LISTS tools)
    string(REPLACE "torchbook-" "" tool ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS ${program} RUNTIME COMPONENT ${tool})
    torchbook_install_licence(${program} ${tool})
    torchbook_install_manual(${tool} ${program})
  endforeach()
  if(TARGET torchbook-import)
    torchbook_install_manual(import torchbook-watch torchbook-carry)
  endif()
  if(TARGET torchbook_trace)
    install(TARGETS torchbook_trace EXPORT torchbook_trace
            LIBRARY COMPONENT trace  # with the link, by whose name it is found and loaded
            FILE_SET HEADERS COMPONENT trace_dev)
    torchbook_export(torchbook_trace torchbookTraceTargets.cmake trace_dev)
    # Debian's Python finds modules here, whatever its version. They search the library relative to this folder.
    install(FILES src/tools/part/trace/torchbook.py DESTINATION lib/python3/dist-packages COMPONENT trace)
  endif()
  if(TARGET torchbook_site)
    get_property(layers GLOBAL PROPERTY TORCHBOOK_LAYERS_OF_site)
    install(TARGETS ${layers} EXPORT torchbook_site ARCHIVE COMPONENT site)
    torchbook_export(torchbook_site torchbookSiteTargets.cmake site)
    torchbook_install_modules(site cmake/FindMd4cHtml.cmake)
  endif()

  set_target_properties(torchbook PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)  # LibTorch may lie anywhere
  install(TARGETS torchbook RUNTIME COMPONENT program)
  set(commands run check compare golden list doctor new)
  list(TRANSFORM commands PREPEND torchbook-)
  torchbook_install_manual(program torchbook ${commands})
  install(FILES src/torchbook/cli/torchbook.bash
          DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions" RENAME torchbook COMPONENT program)
  torchbook_install_licence(torchbook program)
endif()

# pkg-config finds the prefix by the place of the file.
set(torch_cflags ${TORCH_CXX_FLAGS})
foreach(folder IN LISTS TORCH_INCLUDE_DIRS)
  cmake_path(NORMAL_PATH folder)
  string(APPEND torch_cflags " -I${folder}")
endforeach()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX OUTPUT_VARIABLE pc_prefix
           BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
# torchbook_install_pc(NAME DESCRIPTION REQUIRES): installs the file of a library for pkg-config.
function(torchbook_install_pc name description requires)
  configure_file(cmake/library.pc.in torchbook_${name}.pc.in @ONLY)
  file(GENERATE OUTPUT torchbook_${name}.pc INPUT "${PROJECT_BINARY_DIR}/torchbook_${name}.pc.in")
  install(FILES "${PROJECT_BINARY_DIR}/torchbook_${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
          COMPONENT ${name})
endfunction()
torchbook_install_pc(pyrepr "Prints LibTorch tensors and modules as Python does" "fmt >= ${fmt_release}")
if(TARGET torchbook_training)
  torchbook_install_pc(training "Trains with LibTorch exactly as in Python" torchbook_pyrepr)
endif()
torchbook_install_licence(libtorchbook-dev pyrepr)
