#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `global counter` lets a function assign a variable of the notebook.
void declare_globals(Builder& b, const Node& node);

}  // namespace torchbook::translate
