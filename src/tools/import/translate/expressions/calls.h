#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

Arguments arguments(Builder& b, const Node& node);
Value call(Builder& b, const Node& node);

}  // namespace torchbook::translate
