// Translates str and its methods.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

Value string_method(Builder& b, const Value& text, std::string_view name, const Arguments& arguments);
Value string_item(Builder& b, const Value& text, const Node& slice);
Value string_rows(Builder& b, const Value& text);
Value string_length(Builder& b, const Value& text);
Value string_contains(Builder& b, const Value& text, const Value& value);
Value string_binary(Builder& b, Ast operation, const Value& left, const Value& right);

}  // namespace torchbook::translate
