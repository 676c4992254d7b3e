# Compiles through ccache if it is installed, so that another clone, in whatever folder, compiles only what changed. An
# empty CMAKE_CXX_COMPILER_LAUNCHER compiles without it.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TORCHBOOK_CCACHE ccache)
  mark_as_advanced(TORCHBOOK_CCACHE)
  if(TORCHBOOK_CCACHE)
    # A precompiled header contains no macro of the time, but ccache cannot know.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
        CCACHE_SLOPPINESS=pch_defines,time_macros "${TORCHBOOK_CCACHE}")
  endif()
endif()
