// Translates operators between two values. What they do is in the files of their kinds.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Gives a variable that is still an int in Python, but a double in C++, a type for both.
[[noreturn]] void widen_int(Builder& b, const Variable& number, std::string_view name);

/// Calls widen_int(), unless int and double are equivalent beside the other operand.
void widen_int_beside(Builder& b, const Variable& number, std::string_view name, const Value& partner);

std::pair<Value, Value> two(Builder& b, const Node& left, const Node& right, bool divides = false);
Value binary(Builder& b, const Node& node);

}  // namespace torchbook::translate
