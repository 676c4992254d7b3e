# Finds GNU source-highlight, which has no CMake package, as the target torchbook::source_highlight.
find_path(TORCHBOOK_SOURCE_HIGHLIGHT_INCLUDE srchilite/sourcehighlighter.h)
find_library(TORCHBOOK_SOURCE_HIGHLIGHT_LIBRARY source-highlight)
mark_as_advanced(TORCHBOOK_SOURCE_HIGHLIGHT_INCLUDE TORCHBOOK_SOURCE_HIGHLIGHT_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SourceHighlight
  REQUIRED_VARS TORCHBOOK_SOURCE_HIGHLIGHT_LIBRARY TORCHBOOK_SOURCE_HIGHLIGHT_INCLUDE)
if(SourceHighlight_FOUND AND NOT TARGET torchbook::source_highlight)
  add_library(torchbook::source_highlight INTERFACE IMPORTED)
  target_include_directories(torchbook::source_highlight INTERFACE "${TORCHBOOK_SOURCE_HIGHLIGHT_INCLUDE}")
  target_link_libraries(torchbook::source_highlight INTERFACE "${TORCHBOOK_SOURCE_HIGHLIGHT_LIBRARY}")
endif()
