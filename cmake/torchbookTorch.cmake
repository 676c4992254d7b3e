# Defines torchbook::torch, which torchbook's targets link: the CPU library and c10 of the LibTorch that
# find_package(Torch) found (`torch` bundles them), and their flags. torchbook's own build includes this file, and it is
# installed for projects that use pyrepr. The target is imported, so the export names it without exporting it, and
# contains no path of the build machine.
if(NOT TARGET torchbook::torch)
  add_library(torchbook::torch INTERFACE IMPORTED)
  target_link_libraries(torchbook::torch INTERFACE torch ${TORCH_LIBRARIES})
  separate_arguments(torchbook_torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(torchbook::torch INTERFACE ${torchbook_torch_flags})
  unset(torchbook_torch_flags)
endif()
