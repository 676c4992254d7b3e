// Translates Python's own functions, and those of its module math.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns infinity, and the number that a str names, as in `float("-inf")`.
Value infinity();

/// `float(x)`, `int(x)` and `bool(x)`
Value converted(Builder& b, std::string_view name, const Value& value);

Value call_builtin(Builder& b, std::string_view name, const Node& node);
Value call_math(Builder& b, std::string_view name, const Arguments& arguments);

}  // namespace torchbook::translate
