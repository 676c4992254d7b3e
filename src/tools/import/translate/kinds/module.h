#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

Value module_attribute(Builder& b, const Value& module, std::string_view name);
Value module_method(Builder& b, const Value& module, std::string_view name, const Arguments& arguments);
Value module_item(Builder& b, const Value& module, const Node& slice);
/// Returns the modules of a Sequential or ModuleList.
Value module_rows(Builder& b, const Value& module);

Value module_length(Builder& b, const Value& module);

}  // namespace torchbook::translate
