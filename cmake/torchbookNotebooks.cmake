# Makes programs and tests of ported notebooks. torchbook's own notebooks use these functions, and so do projects with
# notebooks of their own: the file is installed.

# Optimizes little: code that runs once, or only calls LibTorch, would gain nothing from the longer compilation.
function(torchbook_optimize_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Gives a target the least debug information that has lines, so that a trace tells the line of each operation.
function(torchbook_keep_lines target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-g1>)
endfunction()

# Adds the precompiled torch/torch.h of a project, which is built if a target uses it. ccache, if it is installed, keeps
# it for the next project. It cannot know that a precompiled header contains no macro of the time.
function(torchbook_add_torch_header)
  add_library(torchbook_torch_header OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/torch_header.cpp")
  target_link_libraries(torchbook_torch_header PRIVATE torchbook::torch fmt::fmt)
  target_compile_features(torchbook_torch_header PRIVATE cxx_std_20)
  target_precompile_headers(torchbook_torch_header PRIVATE <torch/torch.h> <fmt/format.h>)
  set_target_properties(torchbook_torch_header PROPERTIES UNITY_BUILD OFF)
  torchbook_optimize_lightly(torchbook_torch_header)
  torchbook_keep_lines(torchbook_torch_header)
  find_program(TORCHBOOK_CCACHE ccache)
  mark_as_advanced(TORCHBOOK_CCACHE)
  if(TORCHBOOK_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set_target_properties(torchbook_torch_header PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;CCACHE_SLOPPINESS=pch_defines,time_macros;${TORCHBOOK_CCACHE}")
  endif()
endfunction()

# Compiles a target that includes torch/torch.h. That takes ten seconds per file, so all such targets of a project share
# a precompiled one. It must match its users' optimization level and debug information: GCC rejects it otherwise.
function(torchbook_use_torch_header target)
  if(NOT TARGET torchbook_torch_header)
    torchbook_add_torch_header()
  endif()
  torchbook_optimize_lightly(${target})
  torchbook_keep_lines(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  target_precompile_headers(${target} REUSE_FROM torchbook_torch_header)
endfunction()

# Makes the source that lists the notebooks linked into `target`, and names the program in messages.
function(torchbook_link_notebooks target program)
  set(DECLARATIONS "")
  set(ENTRIES "")
  foreach(slug IN LISTS ARGN)
    string(APPEND DECLARATIONS "extern const PortedNotebook ${slug}_notebook;\n")
    string(APPEND ENTRIES "\n      ${slug}_notebook,")
    target_link_libraries(${target} PRIVATE torchbook_notebook_${slug})
  endforeach()
  get_property(PROGRAMS GLOBAL PROPERTY TORCHBOOK_PROGRAMS)  # of an installed torchbook
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/linked_notebooks.cpp.in"
                 "${CMAKE_CURRENT_BINARY_DIR}/${target}_notebooks.cpp" @ONLY)
  target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${target}_notebooks.cpp")
endfunction()

# Sets notebook_SOURCE, _GOLDEN, _TWIN and _RECORDING in the caller to absolute paths. Without a name, a file lies beside
# the source and has its name. The twin and the recording are empty if they do not exist and were not named.
macro(torchbook_find_parts slug)
  cmake_path(REPLACE_EXTENSION notebook_SOURCE LAST_ONLY OUTPUT_VARIABLE notebook_stem)
  foreach(part_extension IN ITEMS SOURCE.cpp GOLDEN.golden TWIN.py RECORDING.json)
    string(REGEX MATCH "^[A-Z]+" part ${part_extension})
    string(REGEX MATCH "[.].+$" extension ${part_extension})
    set(named ${notebook_${part}})
    if(NOT named)
      set(notebook_${part} "${notebook_stem}${extension}")
    endif()
    cmake_path(ABSOLUTE_PATH notebook_${part} NORMALIZE)
    get_source_file_property(generated "${notebook_${part}}" GENERATED)
    if(generated OR EXISTS "${notebook_${part}}")
      continue()
    elseif(named OR part MATCHES "SOURCE|GOLDEN")
      string(TOLOWER ${part} what)
      message(FATAL_ERROR "torchbook_add_notebook: the ${what} of ${slug} is missing; it should be ${notebook_${part}}")
    endif()
    set(notebook_${part} "")
  endforeach()
endmacro()

# Stops with a message if `name` can be no target. `function` is what the message begins with.
function(torchbook_require_new_target function name)
  if(TARGET ${name})
    message(FATAL_ERROR "${function}: there is a target ${name} already; a program and the notebooks need names of "
                        "their own")
  endif()
endfunction()

# Writes a file with the place of a program, which `torchbook import` reads after it has had the program built.
function(torchbook_tell_place program)
  get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/${program}.program" CONTENT "$<TARGET_FILE:${program}>"
       CONDITION "$<IF:$<BOOL:${several_configurations}>,$<CONFIG:Release>,1>")
endfunction()

# torchbook_add_notebook(SLUG [SOURCE file] [GOLDEN file] [TWIN file] [RECORDING file] [IN library]): builds the
# executable SLUG from SLUG.cpp, and SLUG.golden, SLUG.py and SLUG.json beside it. SLUG is also the name of the function
# in the source. The twin and the recording may be missing. Files can be named otherwise; relative paths begin in the
# caller's folder. IN names a static library that compiles the source, with those of other notebooks.
function(torchbook_add_notebook slug)
  cmake_parse_arguments(PARSE_ARGV 1 notebook "" "SOURCE;GOLDEN;TWIN;RECORDING;IN" "")
  if(notebook_UNPARSED_ARGUMENTS OR notebook_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "torchbook_add_notebook: it takes no '${notebook_UNPARSED_ARGUMENTS}"
                        "${notebook_KEYWORDS_MISSING_VALUES}'; after the slug may come SOURCE, GOLDEN, TWIN or RECORDING, "
                        "each with a file")
  endif()
  if(NOT slug MATCHES "^[A-Za-z_][A-Za-z0-9_]*$" OR slug STREQUAL "main")
    message(FATAL_ERROR "torchbook_add_notebook: '${slug}' names no C++ function; "
                        "a slug has letters, digits and underscores, begins with no digit, and is not main")
  endif()
  torchbook_require_new_target(torchbook_add_notebook ${slug})
  if(NOT notebook_SOURCE)
    set(notebook_SOURCE ${slug}.cpp)
  endif()
  torchbook_find_parts(${slug})

  # Exceptions, goldens and recordings of single releases, questions and carried values are taken from when they appear.
  cmake_path(REMOVE_EXTENSION notebook_GOLDEN LAST_ONLY OUTPUT_VARIABLE stem)
  string(REGEX REPLACE "([[*?])" "[\\1]" stem "${stem}")
  file(GLOB others CONFIGURE_DEPENDS "${stem}.exceptions" "${stem}.*.exceptions" "${stem}.*.golden" "${stem}.*.json"
       "${stem}.questions" "${stem}.carried")

  # The program that makes the table of the cells rejects a port, twin and golden whose cells differ.
  set(embedded "${CMAKE_CURRENT_BINARY_DIR}/${slug}_notebook.cpp")
  add_custom_command(
    OUTPUT "${embedded}"
    COMMAND torchbook::torchbook-cells ${slug} "${notebook_SOURCE}" "${notebook_GOLDEN}" "${notebook_TWIN}"
            "${notebook_RECORDING}" "${embedded}" ${others}
    DEPENDS torchbook::torchbook-cells "${notebook_SOURCE}" "${notebook_GOLDEN}" ${notebook_TWIN} ${notebook_RECORDING}
            ${others}
    COMMENT "Reading the cells of ${slug}" VERBATIM)
  add_library(torchbook_notebook_${slug} OBJECT "${embedded}")
  target_link_libraries(torchbook_notebook_${slug} PUBLIC torchbook::notebook)
  if(notebook_IN)
    target_sources(${notebook_IN} PRIVATE "${notebook_SOURCE}")
    target_link_libraries(torchbook_notebook_${slug} PUBLIC ${notebook_IN})
  else()
    target_sources(torchbook_notebook_${slug} PRIVATE "${notebook_SOURCE}")
    torchbook_use_torch_header(torchbook_notebook_${slug})
    set_source_files_properties("${embedded}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  # Only what a notebook uses of it gets into the program. torchbook's own are added before it, and need nothing of it.
  if(TARGET torchbook::runtime)
    target_link_libraries(torchbook_notebook_${slug} PUBLIC torchbook::runtime)
  endif()

  set_property(GLOBAL APPEND PROPERTY TORCHBOOK_SLUGS_OF_${PROJECT_NAME} ${slug})
  set_property(GLOBAL PROPERTY TORCHBOOK_GOLDEN_OF_${slug} "${notebook_GOLDEN}")
  add_executable(${slug})
  torchbook_link_notebooks(${slug} ${slug} ${slug})
  target_link_libraries(${slug} PRIVATE torchbook::main)
  torchbook_tell_place(${slug})
endfunction()

# torchbook_add_proof(): lets `torchbook import` build the program torchbook_proof, with which it proves the C++ of a
# notebook before it writes a port. It writes the parts of that program.
function(torchbook_add_proof)
  if(TARGET torchbook_proof)
    return()
  endif()
  set(stem "${CMAKE_BINARY_DIR}/proof/torchbook_proof")
  set_source_files_properties("${stem}.cpp" "${stem}.golden" "${stem}.py" PROPERTIES GENERATED ON)
  get_property(slugs GLOBAL PROPERTY TORCHBOOK_SLUGS_OF_${PROJECT_NAME})
  torchbook_add_notebook(torchbook_proof SOURCE "${stem}.cpp")
  set_property(GLOBAL PROPERTY TORCHBOOK_SLUGS_OF_${PROJECT_NAME} ${slugs})  # it is none of the project's notebooks
  set_target_properties(torchbook_proof torchbook_notebook_torchbook_proof PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# Sets `slugs` in the caller to the arguments behind it, otherwise to the notebooks that this project has added so far.
# Stops with a message that begins with `function` if there are none, or no such ones.
function(torchbook_take_slugs function)
  set(slugs ${ARGN})
  if(NOT slugs)
    get_property(slugs GLOBAL PROPERTY TORCHBOOK_SLUGS_OF_${PROJECT_NAME})
  endif()
  if(NOT slugs)
    message(FATAL_ERROR "${function}: this project has no notebook yet; torchbook_add_notebook must come before")
  endif()
  foreach(slug IN LISTS slugs)
    if(NOT TARGET torchbook_notebook_${slug})
      message(FATAL_ERROR "${function}: there is no notebook ${slug}; torchbook_add_notebook(${slug}) must come before")
    endif()
  endforeach()
  set(slugs ${slugs} PARENT_SCOPE)
endfunction()

# torchbook_add_program(NAME [NOTEBOOKS slugs…]): builds the program NAME of several notebooks. Without NOTEBOOKS, it has
# those that this project has added so far. Where the tool `site` is installed, also builds NAME-site.
function(torchbook_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "" "NOTEBOOKS")
  if(program_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torchbook_add_program: it takes no '${program_UNPARSED_ARGUMENTS}'; behind the name may stand "
                        "NOTEBOOKS and slugs")
  endif()
  torchbook_require_new_target(torchbook_add_program ${name})
  torchbook_take_slugs(torchbook_add_program ${program_NOTEBOOKS})
  add_executable(${name})
  torchbook_link_notebooks(${name} ${name} ${slugs})
  target_link_libraries(${name} PRIVATE torchbook::main)
  set_property(GLOBAL PROPERTY TORCHBOOK_SLUGS_OF_PROGRAM_${name} ${slugs})
  if(TARGET torchbook::site_main)
    torchbook_add_site(${name})
  endif()
endfunction()

# torchbook_add_site(NAME): builds NAME-site, with which the program NAME writes pages of its notebooks.
function(torchbook_add_site name)
  get_property(slugs GLOBAL PROPERTY TORCHBOOK_SLUGS_OF_PROGRAM_${name})
  add_executable(${name}-site)
  torchbook_link_notebooks(${name}-site ${name} ${slugs})
  target_link_libraries(${name}-site PRIVATE torchbook::site_main)
  torchbook_tell_place(${name}-site)
endfunction()

# torchbook_add_run(NAME PATTERN PROGRAM [ARGUMENT…]) makes a run of a program a test of ctest. It fails unless the program exits
# with 0 and prints what the extended regular expression matches, so also if the program does nothing.
function(torchbook_add_run name pattern program)
  add_test(NAME ${name} COMMAND sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/must_print.sh" "${pattern}" $<TARGET_FILE:${program}> ${ARGN})
endfunction()

# Makes the tests `filter` of a program of GoogleTest a test of ctest. It fails if the program fails or runs no test.
function(torchbook_add_gtest name program filter)
  torchbook_add_run(${name} "\\[ +(PASSED|SKIPPED) +\\] [1-9]" ${program} --gtest_brief=1 "--gtest_filter=${filter}")
endfunction()

# torchbook_add_tests([SLUGS…]) makes each cell of the notebooks a test of GoogleTest and of ctest, such as
# mathematical_trick_11_In_49. Without slugs, it takes all notebooks that this project has added so far. They are linked into
# one program, PROJECT_cell_tests. The test of that name runs all cells in one process. Each test of a cell, with the label `cell`,
# runs that cell's notebook in a process of its own. The names come from the goldens.
function(torchbook_add_tests)
  torchbook_take_slugs(torchbook_add_tests ${ARGN})
  set(program ${PROJECT_NAME}_cell_tests)
  torchbook_require_new_target(torchbook_add_tests ${program})
  find_package(GTest QUIET)
  if(NOT TARGET GTest::gtest_main)
    message(WARNING "torchbook_add_tests: GoogleTest is not here (Debian's package is libgtest-dev), so the test ${program} fails")
    add_test(NAME ${program} COMMAND "${CMAKE_COMMAND}" -E false)
    return()
  endif()
  add_executable(${program} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cell_tests.cpp")
  target_link_libraries(${program} PRIVATE torchbook::cli GTest::gtest_main)
  torchbook_link_notebooks(${program} ${program} ${slugs})
  torchbook_add_gtest(${program} ${program} "*")
  set(tests ${program})
  foreach(slug IN LISTS slugs)
    get_property(golden GLOBAL PROPERTY TORCHBOOK_GOLDEN_OF_${slug})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${golden}")
    file(STRINGS "${golden}" headings REGEX "^@[0-9]+ In \\[.*\\]$" ENCODING UTF-8)
    foreach(heading IN LISTS headings)
      string(REGEX REPLACE "^@([0-9]+) In \\[(.*)\\]$" "_\\1_In_\\2" cell "${heading}")
      string(REGEX REPLACE "^_([0-9])_" "_0\\1_" cell "${cell}")  # the position has at least two digits
      string(MAKE_C_IDENTIFIER "${slug}${cell}" test)
      torchbook_add_gtest(${test} ${program} "*/${test}")
      set_tests_properties(${test} PROPERTIES LABELS cell SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
      list(APPEND tests ${test})
    endforeach()
  endforeach()
  # Notebooks read files from this folder.
  set_tests_properties(${tests} PROPERTIES WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()
