# Makes the reference of pyrepr from its public headers: build the target `reference`, and open reference/html/index.html
# in the build folder. It needs Doxygen. A public name without documentation is an error.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  return()
endif()
set(DOXYGEN_PROJECT_NAME pyrepr)
set(DOXYGEN_PROJECT_BRIEF "Python's text for LibTorch's tensors")
set(DOXYGEN_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/reference")
set(DOXYGEN_USE_MDFILE_AS_MAINPAGE "${PROJECT_SOURCE_DIR}/cmake/reference.md")
set(DOXYGEN_STRIP_FROM_INC_PATH "${PROJECT_SOURCE_DIR}/src")
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
# The specializations of Printer have the members that Printer's documentation tells.
set(DOXYGEN_EXCLUDE_SYMBOLS detail torchbook::pyrepr::detail "torchbook::pyrepr::Printer<*" torch c10)
# Doxygen does not know nested inline namespaces, and no user writes this one. It takes an apostrophe for the end of what
# begins with one backtick.
set(DOXYGEN_INPUT_FILTER "sed -e 's/::inline v1//' -e '/[/][/][/]/s/`/``/g'")
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
set(DOXYGEN_AUTOLINK_SUPPORT NO)  # it would link the word Python to pyrepr's class of that name
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_CLASS_GRAPH NO)
set(DOXYGEN_SHOW_FILES NO)
set(DOXYGEN_VERBATIM_HEADERS NO)
set(DOXYGEN_SORT_BRIEF_DOCS YES)
set(DOXYGEN_GENERATE_LATEX NO)
set(DOXYGEN_QUIET YES)
get_target_property(reference_headers torchbook_pyrepr HEADER_SET)
doxygen_add_docs(reference "${DOXYGEN_USE_MDFILE_AS_MAINPAGE}" ${reference_headers}
                 COMMENT "Making the reference of pyrepr")
