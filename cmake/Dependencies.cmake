# Finds the libraries that torchbook depends on. Debian packages all of them.
if(NOT PROJECT_IS_TOP_LEVEL)
  # What links pyrepr also links LibTorch. Its imported targets name each other, so every folder must see them.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
endif()

if(PROJECT_IS_TOP_LEVEL AND Torch_DIR AND NOT Torch_DIR STREQUAL TORCHBOOK_FOUND_TORCH)
  set(TORCHBOOK_GIVEN_TORCH "${Torch_DIR}" CACHE INTERNAL "the Torch_DIR that was given")
endif()
find_package(Torch REQUIRED)  # tensors: every value that is computed or printed
if(Torch_VERSION VERSION_LESS 1.13)
  message(FATAL_ERROR "The LibTorch in ${Torch_DIR} is ${Torch_VERSION}; torchbook needs 1.13 or newer.")
endif()
if(PROJECT_IS_TOP_LEVEL)
  include("${CMAKE_CURRENT_LIST_DIR}/WantedTorch.cmake")
endif()
if(PROJECT_IS_TOP_LEVEL OR NOT TARGET fmt::fmt)  # the surrounding project may have its own
  find_package(fmt 9 REQUIRED)  # format strings, checked at compile time
endif()
include("${CMAKE_CURRENT_LIST_DIR}/torchbookTorch.cmake")
if(NOT PROJECT_IS_TOP_LEVEL)
  set_target_properties(torchbook::torch PROPERTIES IMPORTED_GLOBAL ON)
endif()
if(TORCH_CXX_FLAGS MATCHES "_GLIBCXX_USE_CXX11_ABI=0")
  include("${CMAKE_CURRENT_LIST_DIR}/OldAbi.cmake")
endif()
if(NOT TORCHBOOK_PYREPR_ONLY)
  list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
  macro(torchbook_find)
    find_package(${ARGV} REQUIRED)
  endmacro()
  include("${CMAKE_CURRENT_LIST_DIR}/torchbookLibraries.cmake")

  # Only the build of torchbook needs those that have nothing but headers.
  find_package(CLI11 2.1 REQUIRED)          # options, help and usage errors
  find_package(nlohmann_json 3.9 REQUIRED)  # the json report and notebooks
endif()
