// Translates augmented assignments: `total += x`.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `total += x`: Python finds the target, then evaluates the value, and then changes the target.
void change(Builder& b, const Node& node);

}  // namespace torchbook::translate
