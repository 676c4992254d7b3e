# Finds the libraries that torchbook depends on. Debian packages all of them.
if(NOT PROJECT_IS_TOP_LEVEL)
  # What links pyrepr also links LibTorch. Its imported targets name each other, so every folder must see them.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
endif()

find_package(Torch REQUIRED)  # tensors: every value that is computed or printed
include("${CMAKE_CURRENT_LIST_DIR}/torchbookTorch.cmake")
if(PROJECT_IS_TOP_LEVEL OR NOT TARGET fmt::fmt)  # the surrounding project may have its own
  find_package(fmt 9 REQUIRED)  # format strings, checked at compile time
endif()
if(NOT TORCHBOOK_PYREPR_ONLY)
  find_package(CLI11 2.1 REQUIRED)          # options, help and usage errors
  find_package(nlohmann_json 3.9 REQUIRED)  # the json report and notebooks
  find_package(pugixml 1.11 REQUIRED)       # the junit report
  find_package(PNG 1.6 REQUIRED)            # the pictures in exported notebooks
  find_package(absl REQUIRED)               # kinds of characters, and base64 for these pictures

  # GNU source-highlight distinguishes keywords, strings and comments. It has no CMake package.
  find_path(TORCHBOOK_SOURCE_HIGHLIGHT_INCLUDE srchilite/sourcehighlighter.h REQUIRED)
  find_library(TORCHBOOK_SOURCE_HIGHLIGHT_LIBRARY source-highlight REQUIRED)
  mark_as_advanced(TORCHBOOK_SOURCE_HIGHLIGHT_INCLUDE TORCHBOOK_SOURCE_HIGHLIGHT_LIBRARY)
  add_library(torchbook::source_highlight INTERFACE IMPORTED)
  target_include_directories(torchbook::source_highlight INTERFACE "${TORCHBOOK_SOURCE_HIGHLIGHT_INCLUDE}")
  target_link_libraries(torchbook::source_highlight INTERFACE "${TORCHBOOK_SOURCE_HIGHLIGHT_LIBRARY}")

  # For the pages, kainjow's mustache fills templates in and md4c reads Markdown. Not every system has CMake packages of
  # them.
  find_path(TORCHBOOK_MUSTACHE_INCLUDE kainjow/mustache.hpp REQUIRED)
  find_path(TORCHBOOK_MD4C_INCLUDE md4c-html.h REQUIRED)
  find_library(TORCHBOOK_MD4C_LIBRARY md4c-html REQUIRED)
  mark_as_advanced(TORCHBOOK_MUSTACHE_INCLUDE TORCHBOOK_MD4C_INCLUDE TORCHBOOK_MD4C_LIBRARY)
  add_library(torchbook::mustache INTERFACE IMPORTED)
  target_include_directories(torchbook::mustache INTERFACE "${TORCHBOOK_MUSTACHE_INCLUDE}")
  add_library(torchbook::markdown INTERFACE IMPORTED)
  target_include_directories(torchbook::markdown INTERFACE "${TORCHBOOK_MD4C_INCLUDE}")
  target_link_libraries(torchbook::markdown INTERFACE "${TORCHBOOK_MD4C_LIBRARY}")
endif()
