# Tests of traces. C++ and Python record the same computations.
add_executable(trace_program trace/program.cpp)
target_link_libraries(trace_program PRIVATE torchbook::trace torchbook_settings fmt::fmt)  # the header names fmt
torchbook_use_torch_header(trace_program)
foreach(name IN ITEMS format languages python)
  add_test(NAME trace_${name} COMMAND "${TORCHBOOK_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/trace/${name}_test.py"
                                      $<TARGET_FILE:trace_program> $<TARGET_FILE:torchbook_trace>)
endforeach()
add_test(NAME trace_installed
         COMMAND "${TORCHBOOK_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/trace/installed_test.py"
                 "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}" -G "${CMAKE_GENERATOR}"
                 "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}"
                 "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}" "-DTorch_DIR=${Torch_DIR}" "-Dfmt_DIR=${fmt_DIR}")
set_tests_properties(trace_installed PROPERTIES LABELS packaging)
include(part/parts.cmake)
