// Tells what numbers a tensor holds.
#pragma once

#include <torchbook/translate/definitions.h>

#include <string>
#include <string_view>

namespace torchbook::translate {

/// Returns `bool`, `int` or `float` for a dtype in C++; empty if it is another one.
std::string numbers_of_dtype(std::string_view code);

/// Returns what the tensor holds that a function or method of PyTorch gives; empty if that is not known.
std::string numbers_of_result(std::string_view function, const Arguments& arguments);

}  // namespace torchbook::translate
