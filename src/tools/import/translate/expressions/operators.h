// Translates operators between two values. What they do is in the files of their kinds.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Refuses a variable that is still an int in Python, but a double in C++.
[[noreturn]] void refuse_int(std::string_view name);

/// Refuses it unless int and double are equivalent beside the other operand.
void refuse_int_beside(std::string_view name, const Value& partner);

std::pair<Value, Value> two(Builder& b, const Node& left, const Node& right, bool divides = false);
Value binary(Builder& b, const Node& node);

}  // namespace torchbook::translate
