# The libraries that torchbook stands on. Debian packages all of them.
find_package(Torch REQUIRED)           # tensors: every value that is computed or printed
find_package(fmt 9 REQUIRED)           # format strings, checked while compiling
find_package(CLI11 2.1 REQUIRED)       # options, help and usage errors
find_package(nlohmann_json 3.9 REQUIRED)  # the json report

# What of LibTorch a target of ours links: the CPU library and c10, which `torch` bundles.
add_library(torchbook_torch INTERFACE)
target_link_libraries(torchbook_torch INTERFACE torch ${TORCH_LIBRARIES})
separate_arguments(torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
target_compile_options(torchbook_torch INTERFACE ${torch_flags})
