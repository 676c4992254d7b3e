// The text that Python shows for an error of LibTorch.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace torchbook {

/// Replaces Python code that never ran and has no translation. Throws std::logic_error.
[[noreturn]] void never_ran(std::string_view where);

/// Returns Python's `str(error)` for an error of LibTorch: its message without the backtrace, with Python's
/// names of tensor types and custom autograd functions.
std::string error_text(const std::exception& error);

}  // namespace torchbook
