# Compiles through ccache if it is installed, so that another clone, in whatever folder, compiles only what changed. An
# empty CMAKE_CXX_COMPILER_LAUNCHER compiles without it.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TORCHBOOK_CCACHE ccache)
  mark_as_advanced(TORCHBOOK_CCACHE)
  if(TORCHBOOK_CCACHE)
    # A precompiled header contains no macro of the time, but ccache cannot know.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
        CCACHE_SLOPPINESS=pch_defines,time_macros "${TORCHBOOK_CCACHE}")
    # GoogleTest and LibTorch write __FILE__ into what is compiled.
    add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}=.")
    # ccache passes relative paths, so the folder of the build is all that debug information has of this clone.
    set(TORCHBOOK_LINE_OPTIONS "-fdebug-prefix-map=${PROJECT_SOURCE_DIR}=.")
  endif()
endif()
