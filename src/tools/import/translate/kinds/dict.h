// Translates dicts. A dict with keys of one type and values of one type is a torchbook::Dict, if it
// can hold them. Others are structs (record.cpp).
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Whether C++ orders and compares keys of the type as Python hashes and compares them.
bool is_key(const Type& type);

/// Returns the type of a dict with such keys and values.
Type dict_of(const Type& key, const Type& value);

Value dictionary(Builder& b, const Node& node);
/// `dict(channels=64, bias=False)`
Value dict_of_names(Builder& b, const Arguments& arguments);

/// `defaultdict(list)`
Value default_dict(Builder& b, const Node& node);

/// `counts[key]`, where a missing key raises unless it is a defaultdict.
Value dict_item(Builder& b, const Value& dict, const Node& slice);

/// `counts[key] = value`
void assign_dict_item(Builder& b, const Value& dict, const Node& target, const Value& given);

/// `del counts[key]`
void delete_entry(Builder& b, const Node& target);

Value dict_method(Builder& b, const Value& dict, std::string_view name, const Arguments& arguments);
/// `dict(counts)`
Value copy_of_dict(Builder& b, const Value& dict);

Value dict_rows(Builder& b, const Value& dict);
Value dict_contains(Builder& b, const Value& dict, const Value& value);

}  // namespace torchbook::translate
