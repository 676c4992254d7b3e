# Tests of comparisons of traces.
# Causes planted in networks, and the same programs in C++ and in Python.
add_executable(part_program tools/part/program.cpp)
target_link_libraries(part_program PRIVATE torchbook::trace torchbook_settings fmt::fmt)  # the header names fmt
torchbook_use_torch_header(part_program)
foreach(name IN ITEMS planted languages pairs)
  add_test(NAME part_${name} COMMAND "${TORCHBOOK_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/tools/part/${name}_test.py"
                                     $<TARGET_FILE:torchbook-part> "${PROJECT_SOURCE_DIR}/src/tools/part/trace"
                                     $<TARGET_FILE:part_program>)
  set_tests_properties(part_${name} PROPERTIES ENVIRONMENT "TORCHBOOK_TRACE_LIBRARY=$<TARGET_FILE:torchbook_trace>")
endforeach()
