// Translates literals, names and lists.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

Value expression(Builder& b, const Node& node);
Value constant(Builder& b, const Node& node);
Value name(Builder& b, const Node& node);

}  // namespace torchbook::translate
