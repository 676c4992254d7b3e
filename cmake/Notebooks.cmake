# Builds an executable for each ported notebook, and the program `torchbook` that contains all of them.

# Makes a source at build time that contains the table of a notebook's cells and names its function. The program that
# makes it rejects a port, twin and golden whose cells differ.
function(torchbook_embed_notebook slug document source golden output)
  cmake_path(REPLACE_EXTENSION source LAST_ONLY py OUTPUT_VARIABLE twin)
  cmake_path(REPLACE_EXTENSION golden LAST_ONLY json OUTPUT_VARIABLE recording)
  foreach(part IN ITEMS twin recording)
    if(NOT EXISTS "${${part}}")  # a notebook may lack these
      set(${part} "")
    endif()
  endforeach()
  # Exceptions, and goldens of single releases, are taken from when they appear.
  cmake_path(REMOVE_EXTENSION golden LAST_ONLY OUTPUT_VARIABLE stem)
  string(REGEX REPLACE "([[*?])" "[\\1]" stem "${stem}")
  file(GLOB others CONFIGURE_DEPENDS "${stem}.exceptions" "${stem}.*.exceptions" "${stem}.*.golden")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND torchbook-cells ${slug} ${document} "${source}" "${golden}" "${twin}" "${recording}" "${output}" ${others}
    DEPENDS torchbook-cells "${source}" "${golden}" ${twin} ${recording} ${others}
    COMMENT "Reading the cells of ${slug}" VERBATIM)
endfunction()

# Makes the source that lists the notebooks linked into `target`.
function(torchbook_link_notebooks target)
  set(DECLARATIONS "")
  set(ENTRIES "")
  foreach(slug IN LISTS ARGN)
    string(APPEND DECLARATIONS "extern const PortedNotebook ${slug}_notebook;\n")
    string(APPEND ENTRIES "${slug}_notebook, ")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/linked_notebooks.cpp.in"
                 "${CMAKE_CURRENT_BINARY_DIR}/${target}_notebooks.cpp" @ONLY)
  target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${target}_notebooks.cpp")
  foreach(slug IN LISTS ARGN)
    target_link_libraries(${target} PRIVATE torchbook_notebook_${slug})
  endforeach()
  target_link_libraries(${target} PRIVATE torchbook_settings)
endfunction()

# torchbook_add_notebook(SLUG DOCUMENT [SOURCE file] [GOLDEN file]): builds the executable SLUG from SLUG.cpp and
# SLUG.golden in the caller's folder. SOURCE and GOLDEN name other files. The twin, SLUG.py beside the source, and the
# recording, SLUG.json beside the golden, may be missing.
function(torchbook_add_notebook slug document)
  cmake_parse_arguments(PARSE_ARGV 2 notebook "" "SOURCE;GOLDEN" "")
  if(NOT notebook_SOURCE)
    set(notebook_SOURCE "${CMAKE_CURRENT_SOURCE_DIR}/${slug}.cpp")
  endif()
  if(NOT notebook_GOLDEN)
    set(notebook_GOLDEN "${CMAKE_CURRENT_SOURCE_DIR}/${slug}.golden")
  endif()
  if(NOT slug MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "torchbook_add_notebook: '${slug}' names no C++ function; "
                        "a slug has letters, digits and underscores, and begins with no digit")
  endif()
  foreach(part IN ITEMS SOURCE GOLDEN)
    string(TOLOWER ${part} what)
    if(NOT EXISTS "${notebook_${part}}")
      get_source_file_property(generated "${notebook_${part}}" GENERATED)
      if(NOT generated)
        message(FATAL_ERROR "torchbook_add_notebook: the ${what} of ${slug} is missing; it should be ${notebook_${part}}")
      endif()
    endif()
  endforeach()
  set(source "${notebook_SOURCE}")
  set(embedded "${CMAKE_CURRENT_BINARY_DIR}/${slug}_notebook.cpp")
  torchbook_embed_notebook(${slug} ${document} "${source}" "${notebook_GOLDEN}" "${embedded}")
  add_library(torchbook_notebook_${slug} OBJECT "${source}" "${embedded}")
  target_link_libraries(torchbook_notebook_${slug} PUBLIC torchbook::notebook PRIVATE torchbook_settings)
  set_target_properties(torchbook_notebook_${slug} PROPERTIES UNITY_BUILD OFF)  # the header is only for the notebook
  torchbook_use_torch_header(torchbook_notebook_${slug})
  set_source_files_properties("${embedded}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

  set_property(GLOBAL APPEND PROPERTY TORCHBOOK_SLUGS ${slug})
  add_executable(${slug})
  torchbook_link_notebooks(${slug} ${slug})
  target_link_libraries(${slug} PRIVATE torchbook_notebook_main)
endfunction()

# Builds the program `torchbook` with every notebook added so far, and the target that builds all programs.
function(torchbook_add_program)
  get_property(slugs GLOBAL PROPERTY TORCHBOOK_SLUGS)
  add_executable(torchbook)
  torchbook_link_notebooks(torchbook ${slugs})
  target_link_libraries(torchbook PRIVATE torchbook_main)
  add_custom_target(torchbook_programs DEPENDS torchbook ${slugs})
endfunction()
