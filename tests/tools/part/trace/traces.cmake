# Tests of traces. C++ and Python record the same computations.
add_executable(trace_program tools/part/trace/program.cpp)
target_link_libraries(trace_program PRIVATE torchbook::trace torchbook_settings fmt::fmt)  # the header names fmt
torchbook_use_torch_header(trace_program)
target_link_options(trace_program PRIVATE LINKER:--strip-debug)  # every byte of its traces is known, so they have no lines
foreach(name IN ITEMS format languages python)
  add_test(NAME trace_${name} COMMAND "${TORCHBOOK_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/tools/part/trace/${name}_test.py"
                                      $<TARGET_FILE:trace_program> $<TARGET_FILE:torchbook_trace>)
endforeach()
# Programs whose lines are known: as it is common, at a fixed address, in a shared library, and without lines. Their debug
# information names this folder, so a compiler cache must not take it from a build in another one.
function(torchbook_add_lines name type)
  add_library(${name}_code ${type} tools/part/trace/lines.cpp)
  target_link_libraries(${name}_code PRIVATE torchbook::trace torchbook_settings)
  target_compile_options(${name}_code PRIVATE ${ARGN})
  target_compile_definitions(${name}_code PRIVATE TORCHBOOK_BUILT_IN="${PROJECT_BINARY_DIR}")
  add_executable(${name} tools/part/trace/lines_main.cpp)
  target_link_libraries(${name} PRIVATE ${name}_code torchbook_settings)
  set_target_properties(${name} ${name}_code PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/trace_lines" UNITY_BUILD OFF)
endfunction()
torchbook_add_lines(trace_lines STATIC -O2 -g -fPIE)
torchbook_add_lines(trace_lines_fixed STATIC -O2 -g -fno-PIE)
target_link_options(trace_lines_fixed PRIVATE -no-pie)
torchbook_add_lines(trace_lines_shared SHARED -O1 -g1)
torchbook_add_lines(trace_lines_without STATIC -O2 -g0)
add_test(NAME trace_lines
         COMMAND "${TORCHBOOK_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/tools/part/trace/lines_test.py"
                 "${CMAKE_OBJCOPY}" "${CMAKE_CURRENT_BINARY_DIR}/trace_lines")
add_test(NAME trace_installed
         COMMAND "${TORCHBOOK_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/tools/part/trace/installed_test.py"
                 "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}" -G "${CMAKE_GENERATOR}"
                 "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}"
                 "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}" "-DTorch_DIR=${Torch_DIR}" "-Dfmt_DIR=${fmt_DIR}")
set_tests_properties(trace_installed PROPERTIES LABELS packaging)
include(tools/part/parts.cmake)
