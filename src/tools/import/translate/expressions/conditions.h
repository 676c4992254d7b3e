// Translates unary operators, comparisons and conditions.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

Value unary(Builder& b, const Node& node);
Value compare(Builder& b, const Node& node);
/// Returns the truth of a condition. In it, `and` and `or` take values of any type.
Value true_or_false(Builder& b, const Node& node);

Value both_or_either(Builder& b, const Node& node);
Value choice(Builder& b, const Node& node);

}  // namespace torchbook::translate
