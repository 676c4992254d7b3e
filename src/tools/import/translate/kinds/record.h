// Translates dicts whose keys never change, such as a configuration, to structs.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `{"channels": 64, "bias": False}`: a struct.
Value record_of(Builder& b, const std::vector<Value>& keys, const std::vector<Value>& values);

/// `config["channels"]`
Value record_item(Builder& b, const Value& record, const Node& slice);

/// Returns the keys of a dict that is a struct, and its values.
std::vector<std::pair<std::string, Value>> fields_of(Builder& b, const Value& record);

/// `config.keys()`, `config.values()`, `config.items()`, `config.get("bias", True)`
Value record_method(Builder& b, const Value& record, std::string_view name, const Arguments& arguments);

/// Returns the text of a struct that was a dict.
Value record_text(Builder& b, const Value& record);
/// Returns a dict as Jupyter shows it, which breaks long ones into lines.
Value record_as_dict(Builder& b, const Value& record);

Value record_rows(Builder& b, const Value& record);
Value record_length(Builder& b, const Value& record);
Value record_contains(Builder& b, const Value& record, const Value& value);

}  // namespace torchbook::translate
