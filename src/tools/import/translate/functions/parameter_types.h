// Finds the types of a function's parameters: from Python's run, and from the calls in the C++.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Tells the facts with which types Python called a function. Refuses one whose ints C++ cannot hold.
void note_observed(Builder& b, const Node& node, Function& function);

/// Returns the types of a function's parameters: those of its calls, or else those that its annotations and
/// default values have; tensors otherwise.
std::vector<Type> parameter_types(Builder& b, const Node& node, const Function& function);

/// Whether the types of a function's parameters are known. If they are not, a call shows them.
bool knows_parameters(Builder& b, const Function& function, bool never_called);

/// Translates a definition. The first walk ignores a failure: a call will show more.
void if_learned(Builder& b, const std::function<void()>& definition);

/// Whether Python's run shows that nothing called a function. Of a constructor that tree.py has made, which
/// has one place in all parts, nothing is known.
bool never_called(Builder& b, const Node& function);

}  // namespace torchbook::translate
