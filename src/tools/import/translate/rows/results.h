// Infers properties of the results of PyTorch's functions and methods: kind of numbers, dimensions,
// gradients.
#pragma once

#include <tools/import/translate/core/definitions.h>

#include <string_view>

namespace torchbook::translate {

/// Sets the kind of numbers in the result of a function or method of PyTorch. The first argument of
/// a method is the tensor.
void set_numbers(Type& result, std::string_view function, const Arguments& arguments);

}  // namespace torchbook::translate
