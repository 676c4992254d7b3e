# Makes a folder of programs that start fast, because servers run them in which LibTorch or PyTorch has started:
# client.cpp says how. cli_test is the server, so it has the notebooks of the program torchbook, and its name in messages.
set(TORCHBOOK_WARM_BIN "${CMAKE_CURRENT_BINARY_DIR}/warm")
target_sources(cli_test PRIVATE "${PROJECT_BINARY_DIR}/notebooks_ported/torchbook_notebooks.cpp")
target_compile_definitions(cli_test PRIVATE TORCHBOOK_PYTHON="${TORCHBOOK_PYTHON}")
add_executable(warm_client support/warm/client.cpp)
target_compile_definitions(warm_client PRIVATE TORCHBOOK_PYTHON="${TORCHBOOK_PYTHON}")
target_link_libraries(warm_client PRIVATE torchbook_test_support)
add_dependencies(cli_test warm_client torchbook_programs throwing excepted where_they_part)

file(MAKE_DIRECTORY "${TORCHBOOK_WARM_BIN}")
foreach(slug IN LISTS slugs)
  target_link_libraries(cli_test PRIVATE torchbook_notebook_${slug})
endforeach()
foreach(name IN ITEMS torchbook python3 ${slugs})
  file(CREATE_LINK "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/warm_client" "${TORCHBOOK_WARM_BIN}/${name}" SYMBOLIC)
endforeach()
foreach(name IN ITEMS throwing excepted)  # cli_test has not linked these
  file(CREATE_LINK "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name}" "${TORCHBOOK_WARM_BIN}/${name}" SYMBOLIC)
endforeach()
