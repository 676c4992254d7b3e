# torchbook::torch, what a target of ours links of the LibTorch that find_package(Torch) found: the CPU library and c10,
# which `torch` bundles, and the flags that go with them. Included by our build, and installed for those who use it.
# Being imported, it is named by what we export, not exported itself: no path of the build machine gets into that.
if(NOT TARGET torchbook::torch)
  add_library(torchbook::torch INTERFACE IMPORTED)
  target_link_libraries(torchbook::torch INTERFACE torch ${TORCH_LIBRARIES})
  separate_arguments(torchbook_torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(torchbook::torch INTERFACE ${torchbook_torch_flags})
  unset(torchbook_torch_flags)
endif()
