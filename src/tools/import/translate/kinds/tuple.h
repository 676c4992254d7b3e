#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `tuple(x.shape)`, if the number of parts is known
Value tuple_of(Builder& b, const Value& values);

/// `x.max(dim=1).values`
Value tuple_attribute(Builder& b, const Value& tuple, std::string_view name);

Value tuple_item(Builder& b, const Value& tuple, const Node& slice);
Value tuple_rows(Builder& b, const Value& tuple);
Value tuple_length(Builder& b, const Value& tuple);

}  // namespace torchbook::translate
