# How a target of ours is made: language level, include root, warnings, sanitizers.

add_library(torchbook_settings INTERFACE)
target_compile_features(torchbook_settings INTERFACE cxx_std_20)
target_include_directories(torchbook_settings INTERFACE "${PROJECT_SOURCE_DIR}/src")
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(torchbook_settings INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
  # Where files are compiled as one, every name of theirs is global, and hiding it no mistake.
  target_compile_options(torchbook_settings INTERFACE $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>)
  # GCC 12 takes the assignment of a short literal to a std::string for an overlap (its bug 105651).
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

# torchbook_add_layer(NAME SOURCES… [LINK targets…] [PRIVATE_LINK targets…]): a layer, or a part of one, as a static
# library torchbook_NAME, also called torchbook::NAME. It links the layers below it and none above. The settings reach
# it as compile options, not as a library that it links: an installed layer has no use for them.
function(torchbook_add_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "LINK;PRIVATE_LINK")
  add_library(torchbook_${name} STATIC ${layer_UNPARSED_ARGUMENTS})
  add_library(torchbook::${name} ALIAS torchbook_${name})
  target_link_libraries(torchbook_${name} PUBLIC ${layer_LINK} PRIVATE ${layer_PRIVATE_LINK})
  target_compile_options(torchbook_${name} PRIVATE $<TARGET_PROPERTY:torchbook_settings,INTERFACE_COMPILE_OPTIONS>)
  target_include_directories(torchbook_${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>")
  target_compile_features(torchbook_${name} PUBLIC cxx_std_20)
endfunction()

# Code that runs once, or only calls LibTorch's, gains nothing from the seconds that full optimization costs.
function(torchbook_optimize_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# torch/torch.h costs ten seconds and more a file: it is compiled once, and every target that needs it shares that.
# A compiler takes it only where it optimizes as it did for the header: lightly.
function(torchbook_use_torch_header target)
  torchbook_optimize_lightly(${target})
  target_precompile_headers(${target} REUSE_FROM torchbook_torch_header)
endfunction()

# torchbook_embed_text(TARGET LAYER NAME FILE): makes of a text file beside the caller the string torchbook::LAYER::NAME
# in the library torchbook_TARGET. A header of that layer declares it. The file may be missing when CMake runs; then the
# string is empty.
function(torchbook_embed_text target layer name file)
  set(text_file "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set(dependencies "${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake" "${PROJECT_SOURCE_DIR}/cmake/embedded_text.cpp.in")
  if(EXISTS "${text_file}")
    list(APPEND dependencies "${text_file}")
  endif()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -DLAYER=${layer} -DNAME=${name} -DTEXT_FILE=${text_file}
            -DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/embedded_text.cpp.in -DOUTPUT=${output}
            -P "${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake"
    DEPENDS ${dependencies}
    COMMENT "Embedding ${file}" VERBATIM)
  target_sources(torchbook_${target} PRIVATE "${output}")
endfunction()
