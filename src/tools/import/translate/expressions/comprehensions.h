// Translates comprehensions: a loop that fills a vector, in front of the statement.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns the variables that others with these names hide.
std::vector<std::pair<std::string, Variable>> hidden_by(Builder& b, const Names& names);

/// Returns the name of the variable that collects the result of a comprehension: the name that the result is
/// assigned to, if that is new, or else one derived from `fallback`.
std::string collector(Builder& b, std::string_view fallback);

/// Declares a name as the variable in which its value was collected. Returns nullptr if the value
/// was not collected in one.
Variable* declare_collector(Builder& b, const std::string& name, const Value& value, const Type& type);

/// `sum(p.numel() for p in parameters)`
Value sum_of_comprehension(Builder& b, const Node& node);

Value comprehension(Builder& b, const Node& node);

}  // namespace torchbook::translate
