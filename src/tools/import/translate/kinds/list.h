// Translates the methods of lists.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Throws NotPorted if C++ cannot change a list or dict: it is neither a variable nor a member of the class
/// that is being translated. A list that is an element, a variable of a loop or an argument is a copy or
/// constant.
void refuse_unless_changeable(Builder& b, const Value& list);

/// `values.sort()`, `values.reverse()` and `values.extend(others)`: assigns a new list.
Value change_list(Builder& b, const Value& list, std::string_view name, const Node& call);

/// `values += others`
Value extend_list(Builder& b, const Value& list, const Value& from);

Value list_method(Builder& b, const Value& list, std::string_view name, const Arguments& arguments);
Value list_item(Builder& b, const Value& list, const Node& slice);
Value list_rows(Builder& b, const Value& list);
Value list_length(Builder& b, const Value& list);
/// `values[0] = value`
void assign_list_item(Builder& b, const Value& list, const Node& target, const Value& value);

}  // namespace torchbook::translate
