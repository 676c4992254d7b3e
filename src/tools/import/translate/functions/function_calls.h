// Translates calls of the notebook's functions.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns the arguments in the order of the parameters, up to the last one given.
std::vector<Value> in_order(Builder& b, const Function& function, const Arguments& arguments,
                            std::vector<Type>& types);

/// Notes that the function that is translated does what a function does that it calls.
void note_called(Builder& b, const Function& function);
Value call_function(Builder& b, Function& function, const Call& call, const Arguments& arguments);

/// Calls a function that a name or something else holds.
Value call_function_held(Builder& b, const Value& function, const Arguments& arguments);

}  // namespace torchbook::translate
