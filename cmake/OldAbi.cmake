# Refuses a LibTorch for the old std::string of GCC beside an fmt for the new one, which only the linker would notice.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "${TORCH_CXX_FLAGS}")
set(CMAKE_REQUIRED_LIBRARIES fmt::fmt)
unset(TORCHBOOK_FMT_HAS_OLD_ABI CACHE)
check_cxx_source_compiles([[
  #include <fmt/format.h>
  int main() { return static_cast<int>(fmt::vformat("", {}).size()); }
]] TORCHBOOK_FMT_HAS_OLD_ABI)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT TORCHBOOK_FMT_HAS_OLD_ABI)
  message(FATAL_ERROR "The LibTorch in ${Torch_DIR} was built with _GLIBCXX_USE_CXX11_ABI=0, and fmt in ${fmt_DIR} was "
    "not, so they cannot be linked. Take a LibTorch for the new ABI (the zip that is named cxx11-abi), or build fmt and "
    "GoogleTest with -D_GLIBCXX_USE_CXX11_ABI=0 and name their folder in CMAKE_PREFIX_PATH.")
endif()
