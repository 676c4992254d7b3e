// Translates deques of Python's collections: `deque([1, 2], maxlen=3)`.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `deque(values, maxlen=3)`
/// Returns the type of a deque of such items.
Type deque_type(const Type& item);

Value deque_of(Builder& b, const Arguments& arguments);

/// `last.append(loss)`
Value deque_method(Builder& b, const Value& deque, std::string_view name, const Arguments& arguments);

Value deque_item(Builder& b, const Value& deque, const Node& slice);
Value deque_rows(Builder& b, const Value& deque);

}  // namespace torchbook::translate
