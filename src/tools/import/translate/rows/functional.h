// Translates torch.nn.functional.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

Value call_functional(Builder& b, const std::string& name, const Arguments& all);

}  // namespace torchbook::translate
