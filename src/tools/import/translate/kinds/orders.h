// Translates sorted(), min() and max() of sequences, with their keys.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `key=len`, `key=counts.get` or `key=lambda item: …` of sorted(), min() and max(), as a lambda of C++.
cpp::Expr key_function(Builder& b, const Node& key, const Type& item);

/// `sorted(values, key=…, reverse=True)`, `min(values)` and `max(values)`
Value ordered(Builder& b, std::string_view name, const Value& values, const Node& call);

}  // namespace torchbook::translate
