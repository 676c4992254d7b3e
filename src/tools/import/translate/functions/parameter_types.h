// Determines the types of a function's parameters from Python's run and from its calls.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Adds the types with which Python called a function to the facts. Refuses a function whose ints C++ cannot
/// hold.
void note_observed(Builder& b, const Node& node, Function& function);

/// Returns the types of a function's parameters: those of its calls, or else those that its annotations and
/// default values have; tensors otherwise.
std::vector<Type> parameter_types(Builder& b, const Node& node, const Function& function);

/// Whether the types of a function's parameters are known. If they are not, a call shows them.
bool knows_parameters(Builder& b, const Function& function, bool never_called);

/// Translates a definition. The first walk ignores a failure: a call will show more.
void if_learned(Builder& b, const std::function<void()>& definition);

/// Whether nothing called a function in Python's run. False for a constructor that tree.py has added, because
/// its place in the text is not unique.
bool never_called(Builder& b, const Node& function);

}  // namespace torchbook::translate
