// Translates counters of Python's collections: `Counter(words)`.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns the type of a Counter of such keys.
Type counter_type(const Type& key);

/// `Counter(words)`
Value counter_of(Builder& b, const Arguments& arguments);

/// Returns a counter as a dict.
Value dict_of_counter(const Value& counter);

/// `counts.most_common(3)`
Value counter_method(Builder& b, const Value& counter, std::string_view name, const Arguments& arguments);

/// `counts["a"] = 2`
void assign_counter_item(Builder& b, const Value& counter, const Node& target, const Value& value);
/// `counts["a"]`, which is 0 for a missing key
Value counter_item(Builder& b, const Value& counter, const Node& slice);
Value counter_rows(Builder& b, const Value& counter);
Value counter_contains(Builder& b, const Value& counter, const Value& value);

}  // namespace torchbook::translate
