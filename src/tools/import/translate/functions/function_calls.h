// Translates calls of the notebook's functions.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns the arguments in the order of the parameters, up to the last one given.
std::vector<Value> in_order(Builder& b, const Function& function, const Arguments& arguments,
                            std::vector<Type>& types);

/// Adds the effects of a called function to those of the function that is being translated.
void note_called(Builder& b, const Function& function);
Value call_function(Builder& b, Function& function, const Call& call, const Arguments& arguments);

/// Calls a function that is a value.
Value call_function_held(Builder& b, const Value& function, const Arguments& arguments);

/// Refuses a call whose arguments do not fit the types for which the function was translated.
void check_call(Builder& b, const Function& function, const std::vector<Type>& types);

}  // namespace torchbook::translate
