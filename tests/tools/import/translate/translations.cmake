# Notebooks that `torchbook import` translates while building: the guide's Python, everyday training code, a small network,
# layers in lists, objects, functions, idioms, a language model, lessons on attention, and plain Python around tensors. What is
# ported must print what Python printed.
set(translated "${CMAKE_CURRENT_BINARY_DIR}/translated")
file(MAKE_DIRECTORY "${translated}")
# Notebooks read translated/words.txt: from here, and beside themselves when they are imported.
foreach(place IN ITEMS "${translated}" "${translated}/translated")
  file(WRITE "${place}/words.txt" "emma\nolivia\n\nava")
endforeach()
add_custom_command(
  OUTPUT "${translated}/guide.ipynb"
  COMMAND "${TORCHBOOK_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/translate/guide_notebook.py"
          "${translated}/guide.ipynb"
  DEPENDS ${guide_chapters} "${guide_script}"
          "${CMAKE_CURRENT_SOURCE_DIR}/translate/guide_notebook.py" "${CMAKE_CURRENT_SOURCE_DIR}/translate/run_notebook.py"
  VERBATIM)
function(torchbook_test_translation slug notebook most)
  set(parts cpp golden py exceptions carried)
  list(TRANSFORM parts PREPEND "${translated}/${slug}.")
  # Import writes them only if it needs them, and what builds a notebook looks for them when it is configured.
  file(TOUCH "${translated}/${slug}.exceptions" "${translated}/${slug}.carried")
  add_custom_command(
    OUTPUT ${parts}
    COMMAND "${CMAKE_COMMAND}" -E rm -f ${parts}
    COMMAND sh -c [["$@" >"$0" 2>&1 || { cat "$0"; exit 1; }]] "${translated}/${slug}.log" $<TARGET_FILE:torchbook-import>
            import "${notebook}" --unproved --slug ${slug} --into "${translated}" --python "${TORCHBOOK_PYTHON}"
    COMMAND sh -c [[[ -e "$0" ] || echo "exceptions of $1" >"$0"]] "${translated}/${slug}.exceptions" ${slug}
    COMMAND "${CMAKE_COMMAND}" -E touch "${translated}/${slug}.carried"
    DEPENDS torchbook-import "${notebook}"
    COMMENT "Translating ${slug}" VERBATIM)
  torchbook_add_notebook(${slug} SOURCE "${translated}/${slug}.cpp" GOLDEN "${translated}/${slug}.golden"
                         TWIN "${translated}/${slug}.py")
  # Names and numbers are used as in Python.
  set_source_files_properties("${translated}/${slug}.cpp" PROPERTIES
    COMPILE_OPTIONS "-Wno-conversion;-Wno-shadow;-Wno-shadow=local;-Wno-shadow=compatible-local")
  torchbook_add_script(${slug} translate/translated_test.py PYTORCH $<TARGET_FILE:${slug}> "${notebook}" ${most})
  set_tests_properties(${slug} PROPERTIES WORKING_DIRECTORY "${translated}")
endfunction()
torchbook_test_translation(translated_guide "${translated}/guide.ipynb" 10)
# hazards.py has what C++ would do in another order, or to copies. What is not certain there must not be ported.
set(most_not_ported_of_hazards 40)
set(run_notebook "${CMAKE_CURRENT_SOURCE_DIR}/translate/run_notebook.py")
foreach(name IN ITEMS everyday functions hazards idioms language_model layers lesson lesson_block lesson_heads
             lesson_module lesson_training network objects plain)
  set(cells "${CMAKE_CURRENT_SOURCE_DIR}/translate/notebooks/${name}.py")
  add_custom_command(OUTPUT "${translated}/${name}.ipynb" DEPENDS "${run_notebook}" "${cells}" VERBATIM
                     WORKING_DIRECTORY "${translated}"
                     COMMAND "${TORCHBOOK_PYTHON}" "${run_notebook}" "${cells}" "${translated}/${name}.ipynb")
  set(most 0)
  if(DEFINED most_not_ported_of_${name})
    set(most ${most_not_ported_of_${name}})
  endif()
  torchbook_test_translation(translated_${name} "${translated}/${name}.ipynb" ${most})
endforeach()

set_property(SOURCE "${translated}/translated_hazards.cpp" APPEND PROPERTY  # they compute what nobody uses
             COMPILE_OPTIONS "-Wno-unused;-Wno-unused-parameter;-Wno-unused-but-set-variable;-Wno-unused-value;-Wno-tautological-compare;-Wno-bool-compare;-Wno-parentheses")

# What only the proof finds. Import builds its program in this build folder.
add_custom_command(OUTPUT "${translated}/taken_back.ipynb" VERBATIM
                   DEPENDS "${run_notebook}" "${CMAKE_CURRENT_SOURCE_DIR}/translate/notebooks/taken_back.py"
                   COMMAND "${TORCHBOOK_PYTHON}" "${run_notebook}"
                           "${CMAKE_CURRENT_SOURCE_DIR}/translate/notebooks/taken_back.py" "${translated}/taken_back.ipynb")
add_custom_target(taken_back_notebook ALL DEPENDS "${translated}/taken_back.ipynb")
torchbook_add_script(taken_back translate/proved_test.py PYTORCH $<TARGET_FILE:torchbook-import> "${translated}/taken_back.ipynb")

# Random programs. random_test.py says how to look for faults with others. The proof builds in this folder, so this is no part
# of the build.
torchbook_add_script(translated_random translate/random_test.py PYTORCH --most 5 $<TARGET_FILE:torchbook-import>)
set_tests_properties(translated_random PROPERTIES COST 100)

# Sampled: each change takes three imports. update_sweep.py says how to make all changes.
torchbook_add_script(update_sweep update_sweep.py PYTORCH $<TARGET_FILE:torchbook-import>
  "${translated}/language_model.ipynb" "${translated}/layers.ipynb" "${translated}/objects.ipynb")
set_tests_properties(update_sweep PROPERTIES COST 100)

torchbook_add_script(translate translate/cases_test.py PYTORCH $<TARGET_FILE:torchbook-import>)
