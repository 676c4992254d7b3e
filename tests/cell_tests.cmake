# torchbook_add_cell_tests(PROGRAM SLUGS…) makes each cell of the notebooks a test of ctest, such as
# mathematical_trick.cell_11_In_49. The names come from the goldens. The test <slug>.run runs all cells of a notebook in
# one process, and the tests of the cells read its log. They require it as a fixture, so ctest runs it before them
# whatever cells are asked for. A last test removes the logs, so no later run can read them.
function(torchbook_add_cell_tests program)
  set(script "${CMAKE_CURRENT_SOURCE_DIR}/cell_tests.sh")
  set(logs "")
  foreach(slug IN LISTS ARGN)
    set(golden "${PROJECT_SOURCE_DIR}/notebooks_ported/${slug}.golden")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${golden}")
    set(log "${CMAKE_CURRENT_BINARY_DIR}/${slug}.log")
    list(APPEND logs "${log}")
    add_test(NAME ${slug}.run COMMAND sh "${script}" run $<TARGET_FILE:${program}> ${slug} "${log}")
    set_tests_properties(${slug}.run PROPERTIES FIXTURES_SETUP ${slug})

    file(STRINGS "${golden}" headings REGEX "^@[0-9]+ In \\[.*\\]$" ENCODING UTF-8)
    foreach(heading IN LISTS headings)
      string(REGEX REPLACE "^@([0-9]+) In \\[(.*)\\]$" "cell_\\1_In_\\2" cell "${heading}")
      string(REGEX REPLACE "^cell_([0-9])_" "cell_0\\1_" cell "${cell}")  # the position has two digits
      set(test ${slug}.${cell})
      add_test(NAME ${test} COMMAND sh "${script}" tell "${log}" ${test})
      set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED ${slug})
    endforeach()
  endforeach()
  add_test(NAME cells_removed COMMAND "${CMAKE_COMMAND}" -E rm -f ${logs})
  set_tests_properties(cells_removed PROPERTIES FIXTURES_CLEANUP "${ARGN}")
endfunction()
