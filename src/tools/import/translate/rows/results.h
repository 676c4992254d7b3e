// Infers whether gradients flow through the results of PyTorch's functions and methods.
#pragma once

#include <tools/import/translate/core/definitions.h>

#include <string_view>

namespace torchbook::translate {

/// Notes whether a gradient may flow through the result of a function or method of PyTorch. The first
/// argument of a method is the tensor.
void set_detached(Type& result, std::string_view function, const Arguments& arguments);

}  // namespace torchbook::translate
