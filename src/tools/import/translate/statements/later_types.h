// Looks up what a name holds from an assignment on, which decides how C++ declares its variable.
#pragma once

#include <tools/import/translate/core/builder.h>

#include <string>

namespace torchbook::translate {

/// Returns the type of a variable that is declared at `target` with a first value of the type `first`: it
/// holds the values that Python's run assigned to the name, as far as C++ has no other variable for them.
Type type_for_all(Builder& b, const Node& target, const std::string& name, const Type& first);

/// Whether the values that a block assigns to a name, which has a variable already, need a second one:
/// numbers become tensors.
bool becomes_tensor_in(Builder& b, const Node& block, const std::string& name, const Type& number);

/// Whether a block assigns to a name, which has a variable already, values that this variable cannot hold.
bool needs_another_in(Builder& b, const Node& block, const std::string& name, const Type& variable);

/// Whether a block assigned a float to a name in Python's run.
bool becomes_float_in(Builder& b, const Node& block, const std::string& name);

/// Returns the type that a variable of the notebook has for a function that reads it, which may run after
/// each assignment of a tensor.
Type type_for_functions(Builder& b, const std::string& name, const Variable& variable);

}  // namespace torchbook::translate
