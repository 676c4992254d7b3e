// The text that Python shows for an error of LibTorch.
#pragma once

#include <exception>
#include <string>

namespace torchbook {

/// Returns Python's `str(error)` for an error of LibTorch: its message without the backtrace, with Python's
/// names of tensor types and custom autograd functions.
std::string error_text(const std::exception& error);

}  // namespace torchbook
