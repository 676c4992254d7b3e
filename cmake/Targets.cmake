# Defines how torchbook's targets are built: language level, include root, warnings, sanitizers.

set(torchbook_include_roots "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/src/tools/part/include"
                             "${PROJECT_SOURCE_DIR}/src/tools/import/include")
add_library(torchbook_settings INTERFACE)
target_compile_features(torchbook_settings INTERFACE cxx_std_20)
target_include_directories(torchbook_settings INTERFACE ${torchbook_include_roots})
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
                                                      -fno-sanitize-recover=all ${TORCHBOOK_LINE_OPTIONS})
  target_link_options(torchbook_settings INTERFACE -fsanitize=${TORCHBOOK_SANITIZE})
endif()

# torchbook_add_layer(NAME SOURCES… [SHAREABLE] [HEADERS headers…] [LINK targets…] [PRIVATE_LINK targets…]
# [HEADER_ONLY targets…]): builds a layer, or a part of one, as the static library torchbook_NAME, alias torchbook::NAME.
# If it is SHAREABLE, BUILD_SHARED_LIBS may make it a shared one. HEADERS are installed. It links only layers below it.
# HEADER_ONLY are libraries without code, which the users of an exported layer do not need. It gets the settings as
# compile options and does not link them, because an installed layer has no use for them.
function(torchbook_add_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "SHAREABLE" "" "HEADERS;LINK;PRIVATE_LINK;HEADER_ONLY")
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
  target_include_directories(torchbook_${name} PUBLIC "$<BUILD_INTERFACE:${torchbook_include_roots}>")
  target_compile_features(torchbook_${name} PUBLIC cxx_std_20)
  set(of_tool ${layer_HEADERS})
  list(FILTER of_tool INCLUDE REGEX "tools/import/include/")
  list(FILTER layer_HEADERS EXCLUDE REGEX "tools/import/include/")
  if(layer_HEADERS)
    target_sources(torchbook_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src"
                                            FILES ${layer_HEADERS})
  endif()
  if(of_tool)
    target_sources(torchbook_${name} PUBLIC FILE_SET of_tool TYPE HEADERS
                   BASE_DIRS "${PROJECT_SOURCE_DIR}/src/tools/import/include" FILES ${of_tool})
  endif()
  set_property(GLOBAL APPEND PROPERTY TORCHBOOK_LAYERS torchbook_${name})
endfunction()

# torchbook_add_released_layer(NAME SOURCES… HEADERS headers… [LINK targets…]): adds a layer that is also a library for
# other projects. BUILD_SHARED_LIBS says whether it is a shared one. Its public headers say which names are visible.
#
# torchbook's own layers and tests also use names that are hidden, so they link torchbook::NAME_internal: the same object
# files in a static library.
function(torchbook_add_released_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "HEADERS;LINK")
  torchbook_add_layer(${name} SHAREABLE ${layer_UNPARSED_ARGUMENTS} HEADERS ${layer_HEADERS} LINK ${layer_LINK})
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

# torchbook_embed_text(TARGET LAYER NAME FILE...): embeds text files of the caller's folder, one after another, in the library
# torchbook_TARGET, as the string torchbook::LAYER::NAME. A header of that layer declares it. The string is empty if no
# file exists when CMake runs.
function(torchbook_embed_text target layer name)
  set(dependencies "${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake" "${PROJECT_SOURCE_DIR}/cmake/embedded_text.cpp.in")
  set(text_files ${ARGN})
  list(TRANSFORM text_files PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  foreach(file IN LISTS text_files)
    if(EXISTS "${file}")
      list(APPEND dependencies "${file}")
    endif()
  endforeach()
  list(JOIN text_files "|" text_file)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -DLAYER=${layer} -DNAME=${name} -DTEXT_FILE=${text_file}
            -DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/embedded_text.cpp.in -DOUTPUT=${output}
            -P "${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake"
    DEPENDS ${dependencies}
    COMMENT "Embedding ${name}" VERBATIM)
  target_sources(torchbook_${target} PRIVATE "${output}")
  # A change of the text compiles nothing else.
  set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
