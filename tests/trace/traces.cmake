# Tests of traces. C++ and Python record the same computations.
add_executable(trace_program trace/program.cpp)
target_link_libraries(trace_program PRIVATE torchbook::trace torchbook_settings fmt::fmt)  # the header names fmt
torchbook_use_torch_header(trace_program)
foreach(name IN ITEMS format languages python)
  add_test(NAME trace_${name} COMMAND "${TORCHBOOK_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/trace/${name}_test.py"
                                      $<TARGET_FILE:trace_program> $<TARGET_FILE:torchbook_trace>)
endforeach()
