// The names of CMake targets that a project of notebooks cannot give to its own.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::notebook {

/// CMake targets of CMake, PyTorch and torchbook, and commands of the program.
inline constexpr std::string_view target_names =
    " torchbook torch torch_cpu torch_cuda torch_library torch_python c10 c10_cuda fmt mkl dnnl gflags "
    "glog protobuf pthreadpool cpuinfo kineto tensorpipe nvtx3 all clean edit_cache help install list "
    "package package_source rebuild_cache test cli cells golden notebook pyrepr report doctor check "
    "compare run site matrix ";

/// Whether CMake, PyTorch or torchbook have a target of this name.
inline bool is_target_name(std::string_view text) {
  return target_names.find(' ' + std::string(text) + ' ') != target_names.npos;
}

}  // namespace torchbook::notebook
