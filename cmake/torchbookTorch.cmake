# Defines torchbook::torch, which torchbook's targets link: the CPU library and c10 of the LibTorch that
# find_package(Torch) found (`torch` bundles them), and their flags. fmt is found before. torchbook's own build includes
# this file, and it is installed for projects that use pyrepr. The target is imported, so the export names it without
# exporting it, and contains no path of the build machine.
if(NOT TARGET torchbook::torch)
  add_library(torchbook::torch INTERFACE IMPORTED)
  target_link_libraries(torchbook::torch INTERFACE torch ${TORCH_LIBRARIES})
  separate_arguments(torchbook_torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(torchbook::torch INTERFACE ${torchbook_torch_flags})
  unset(torchbook_torch_flags)

  # LibTorch's zips and wheels bring headers of an fmt of their own, without its library, and they stand before the
  # system's. So what includes LibTorch compiles the fmt that it finds.
  get_target_property(torchbook_fmt_folders fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  list(TRANSFORM torchbook_fmt_folders APPEND "/fmt/format.h" OUTPUT_VARIABLE torchbook_fmt_headers)
  foreach(folder IN LISTS TORCH_INCLUDE_DIRS)
    file(REAL_PATH "${folder}/fmt/format.h" torchbook_fmt_header)
    if(EXISTS "${torchbook_fmt_header}" AND NOT torchbook_fmt_header IN_LIST torchbook_fmt_headers)
      target_compile_definitions(torchbook::torch INTERFACE FMT_HEADER_ONLY)
    endif()
  endforeach()
  unset(torchbook_fmt_folders)
  unset(torchbook_fmt_headers)
  unset(torchbook_fmt_header)
endif()
