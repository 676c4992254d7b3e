# Defines how torchbook's targets are built: language level, include root, warnings, sanitizers.

add_library(torchbook_settings INTERFACE)
target_compile_features(torchbook_settings INTERFACE cxx_std_20)
target_include_directories(torchbook_settings INTERFACE "${PROJECT_SOURCE_DIR}/src")
if(PROJECT_IS_TOP_LEVEL)
  # To clang, -Wconversion includes signs; to GCC it does not.
  target_compile_options(torchbook_settings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion)
  # In a unity build all names of the files are global, so hiding one is no mistake.
  target_compile_options(torchbook_settings INTERFACE $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>)
  # GCC 12 wrongly warns of an overlap if a short literal is assigned to a std::string (GCC bug 105651).
  target_compile_options(torchbook_settings INTERFACE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
endif()
if(TORCHBOOK_WARNINGS_AS_ERRORS)
  target_compile_options(torchbook_settings INTERFACE -Werror)
endif()
if(TORCHBOOK_SANITIZE)
  target_compile_options(torchbook_settings INTERFACE -fsanitize=${TORCHBOOK_SANITIZE} -fno-omit-frame-pointer
                                                      -fno-sanitize-recover=all)
  target_link_options(torchbook_settings INTERFACE -fsanitize=${TORCHBOOK_SANITIZE})
endif()

# torchbook_add_layer(NAME SOURCES… [SHAREABLE] [COMPONENT name] [INCLUDE_ROOT folder] [HEADERS headers…]
# [LINK targets…] [PRIVATE_LINK targets…] [HEADER_ONLY targets…]): builds a layer, or a part of one, as the static library torchbook_NAME,
# alias torchbook::NAME. If it is SHAREABLE, BUILD_SHARED_LIBS may make it a shared one. HEADERS are installed; they are
# below src, or below INCLUDE_ROOT. COMPONENT is that in which it is installed: notebook, site, or none. It links only layers below it.
# HEADER_ONLY are libraries without code, which the users of an exported layer do not need. It gets the settings as
# compile options and does not link them, because an installed layer has no use for them.
function(torchbook_add_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "SHAREABLE" "COMPONENT;INCLUDE_ROOT" "HEADERS;LINK;PRIVATE_LINK;HEADER_ONLY")
  set(type STATIC)
  if(layer_SHAREABLE)
    unset(type)
  endif()
  add_library(torchbook_${name} ${type} ${layer_UNPARSED_ARGUMENTS})
  add_library(torchbook::${name} ALIAS torchbook_${name})
  set_target_properties(torchbook_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(torchbook_${name} PUBLIC ${layer_LINK} PRIVATE ${layer_PRIVATE_LINK})
  foreach(library IN LISTS layer_HEADER_ONLY)
    target_include_directories(torchbook_${name} SYSTEM PRIVATE
      $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  target_compile_options(torchbook_${name} PRIVATE $<TARGET_PROPERTY:torchbook_settings,INTERFACE_COMPILE_OPTIONS>)
  target_include_directories(torchbook_${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>")
  target_compile_features(torchbook_${name} PUBLIC cxx_std_20)
  if(layer_HEADERS)
    set(root "${PROJECT_SOURCE_DIR}/src")
    if(layer_INCLUDE_ROOT)
      set(root "${layer_INCLUDE_ROOT}")
      target_include_directories(torchbook_${name} PUBLIC "$<BUILD_INTERFACE:${root}>")
    endif()
    target_sources(torchbook_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${root}" FILES ${layer_HEADERS})
  endif()
  if(NOT layer_COMPONENT)
    set(layer_COMPONENT notebook)
  endif()
  set_property(GLOBAL APPEND PROPERTY TORCHBOOK_LAYERS_OF_${layer_COMPONENT} torchbook_${name})
endfunction()

# torchbook_add_released_layer(NAME SOURCES… HEADERS headers… [LINK targets…] [HEADER_ONLY targets…]): adds a layer that is also a library for
# other projects. BUILD_SHARED_LIBS says whether it is a shared one. Its public headers say which names are visible.
#
# torchbook's own layers and tests also use names that are hidden, so they link torchbook::NAME_internal: the same object
# files in a static library.
function(torchbook_add_released_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "HEADERS;LINK;HEADER_ONLY")
  torchbook_add_layer(${name} SHAREABLE ${layer_UNPARSED_ARGUMENTS} HEADERS ${layer_HEADERS} LINK ${layer_LINK}
                      HEADER_ONLY ${layer_HEADER_ONLY})
  set_target_properties(torchbook_${name} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH "$ORIGIN"
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(NOT BUILD_SHARED_LIBS)
    add_library(torchbook::${name}_internal ALIAS torchbook_${name})
    return()
  endif()
  list(TRANSFORM layer_LINK REPLACE "^torchbook::pyrepr$" "torchbook::pyrepr_internal")
  torchbook_add_layer(${name}_internal $<TARGET_OBJECTS:torchbook_${name}> LINK ${layer_LINK})
  set_target_properties(torchbook_${name}_internal PROPERTIES EXCLUDE_FROM_ALL ON LINKER_LANGUAGE CXX UNITY_BUILD OFF)
endfunction()

# torchbook_embed_texts(TARGET LAYER NAME=FILE [FILE...] ...): embeds text files of the caller's folder in TARGET. Each NAME
# becomes the string torchbook::LAYER::NAME, which a header of that layer declares: its files, one after another. The string
# is empty if no file exists when CMake runs.
function(torchbook_embed_texts target layer)
  set(script "${PROJECT_SOURCE_DIR}/cmake/EmbedTexts.cmake")
  set(dependencies "${script}" "${PROJECT_SOURCE_DIR}/cmake/embedded_texts.cpp.in")
  set(texts "")
  foreach(word IN LISTS ARGN)
    string(REGEX MATCH "^([a-z_]+=)?(.*)$" word "${word}")
    set(file "${CMAKE_CURRENT_SOURCE_DIR}/${CMAKE_MATCH_2}")
    list(APPEND texts "${CMAKE_MATCH_1}${file}")
    if(EXISTS "${file}")
      list(APPEND dependencies "${file}")
    endif()
  endforeach()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_texts.cpp")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -DLAYER=${layer} -DOUTPUT=${output} -P "${script}" -- ${texts}
    DEPENDS ${dependencies}
    COMMENT "Embedding the texts of ${target}" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
  # A change of a text compiles nothing else.
  set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# torchbook_add_commands(VARIABLE NAMES…): makes the source of torchbook::cli::commands(), the list of a program's commands, and
# sets VARIABLE in the caller to it. The command NAME has the function add_NAME.
function(torchbook_add_commands variable)
  list(TRANSFORM ARGN PREPEND add_ OUTPUT_VARIABLE functions)
  list(JOIN functions ", " FUNCTIONS)
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${variable}.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/commands.cpp.in" "${list}" @ONLY)
  set(${variable} "${list}" PARENT_SCOPE)
endfunction()

set(TORCHBOOK_TOOL_MAIN "${PROJECT_SOURCE_DIR}/src/torchbook/cli/main/tool_main.cpp")

# torchbook_add_tool(NAME SOURCES… [COMMANDS names…] [LINK targets…] [HEADER_ONLY targets…]): builds the program
# torchbook-NAME, a tool that needs no notebooks. Without COMMANDS, it has the command NAME.
function(torchbook_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 tool "" "" "COMMANDS;LINK;HEADER_ONLY")
  if(NOT tool_COMMANDS)
    set(tool_COMMANDS ${name})
  endif()
  torchbook_add_commands(${name}_commands ${tool_COMMANDS})
  add_executable(torchbook-${name} ${tool_UNPARSED_ARGUMENTS} ${${name}_commands} "${TORCHBOOK_TOOL_MAIN}"
                                   "${PROJECT_SOURCE_DIR}/src/torchbook/cli/main/no_notebooks.cpp")
  target_link_libraries(torchbook-${name} PRIVATE torchbook::cli_shared torchbook_settings CLI11::CLI11 ${tool_LINK})
  foreach(library IN LISTS tool_HEADER_ONLY)
    target_include_directories(torchbook-${name} SYSTEM PRIVATE
      $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  torchbook_optimize_lightly(torchbook-${name})
  set_property(GLOBAL APPEND PROPERTY TORCHBOOK_TOOL_PROGRAMS torchbook-${name})
endfunction()
