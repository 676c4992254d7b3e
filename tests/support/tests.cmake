# Functions that make tests. A part is the core, a tool, or the whole; each has a folder whose CMakeLists.txt begins with
# torchbook_part(NAME). The tests of that folder get the label NAME, by which `./torchbook test NAME` runs them.
find_package(GTest REQUIRED)
find_program(TORCHBOOK_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED
             DOC "The Python whose PyTorch judges the tests; Debian's is /usr/bin/python3.")
set(TORCHBOOK_TESTS "${PROJECT_SOURCE_DIR}/tests")

execute_process(COMMAND "${TORCHBOOK_PYTHON}" -c "import importlib.util as i; print(bool(i.find_spec('torch')))"
                OUTPUT_VARIABLE TORCHBOOK_HAS_PYTORCH OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT TORCHBOOK_HAS_PYTORCH)
  message(WARNING "${TORCHBOOK_PYTHON} has no PyTorch, so what it judges is NOT TESTED (Debian's package is python3-torch).")
endif()

file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
string(REGEX MATCH "avx2" TORCHBOOK_AVX2 "${flags}")  # if told to, LibTorch takes it where there is none, and dies

# The test programs in C++: all that a build for the sanitizers makes.
add_custom_target(torchbook_tests)
set(TORCHBOOK_BIN "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")

macro(torchbook_part part)
  link_libraries(torchbook_settings)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL torchbook_label_part ${part})")
endmacro()

function(torchbook_label_part part)
  get_property(tests DIRECTORY PROPERTY TESTS)
  if(tests)
    set_property(TEST ${tests} APPEND PROPERTY LABELS ${part})
  endif()
endfunction()

# torchbook_add_test(NAME SOURCES… LINK targets…) adds a program of GoogleTest and makes it one test of ctest, because starting
# LibTorch takes longer than most programs' tests.
function(torchbook_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "" "LINK")
  add_executable(${name} ${test_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${test_LINK} torchbook_test_support GTest::gtest_main)
  target_compile_options(${name} PRIVATE -O0)  # optimizing takes longer than it saves
  add_dependencies(torchbook_tests ${name})
  torchbook_add_gtest(${name} ${name} "*")
endfunction()

# torchbook_add_script(NAME SCRIPT [PYTORCH] [ARGUMENT…]) makes a script of this folder, in Python or for the shell, a test. A
# script that exits with 77 is skipped. PYTORCH says that PyTorch judges it. Without PyTorch it is skipped, but fails in CI.
function(torchbook_add_script name script)
  set(arguments ${ARGN})
  set(interpreter "${TORCHBOOK_PYTHON}")
  if(script MATCHES "\\.sh$")
    set(interpreter sh)
  endif()
  if(PYTORCH IN_LIST arguments)
    list(REMOVE_ITEM arguments PYTORCH)
    if(NOT TORCHBOOK_HAS_PYTORCH)
      add_test(NAME ${name} COMMAND sh -c "echo 'NOT TESTED: there is no PyTorch for Python'; [ -z \"$CI\" ] && exit 77")
    endif()
  endif()
  if(NOT TEST ${name})
    add_test(NAME ${name} COMMAND "${interpreter}" "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${arguments})
  endif()
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# torchbook_add_cases(FILE [PYTORCH]) makes FILE.cases of this folder, which has commands and their outputs, a test.
function(torchbook_add_cases file)
  cmake_path(GET file FILENAME name)
  file(RELATIVE_PATH script "${CMAKE_CURRENT_SOURCE_DIR}" "${TORCHBOOK_TESTS}/cli/cases.py")
  torchbook_add_script(${name}.cases ${script} ${ARGN} "${TORCHBOOK_BIN}" "${CMAKE_CURRENT_SOURCE_DIR}/${file}.cases")
  set_tests_properties(${name}.cases PROPERTIES COST 100)
endfunction()

# Gives tests whose results depend on the kernels that LibTorch and OpenBLAS choose for the processor the label `kernels`.
# .ci/kernels runs them with the kernels of other processors. Left out are tests that take long and compute nothing that these
# do not.
function(torchbook_depends_on_kernels)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS kernels)
endfunction()

# torchbook_takes_long(TESTS…): these begin first, so that no processor is idle at the end. The limit is for busy machines.
function(torchbook_takes_long)
  set_tests_properties(${ARGN} PROPERTIES COST 200 TIMEOUT 3600)
endfunction()
