// Determines the types of a function's parameters from Python's run and from its calls.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Notes the types with which Python called a function. Refuses a function whose ints C++ cannot hold.
void note_observed(Builder& b, const Node& node, const Function& function);

/// Returns the types of a function's parameters: those of Python's run, or else those that its annotations
/// and default values have; tensors otherwise.
std::vector<Type> parameter_types(Builder& b, const Node& node, const Function& function);

/// Whether nothing called a function in Python's run. False for a constructor that tree.py has added, because
/// its place in the text is not unique.
bool never_called(Builder& b, const Node& function);

}  // namespace torchbook::translate
