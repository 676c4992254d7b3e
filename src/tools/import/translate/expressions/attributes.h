// Translates attributes of tensors and modules, and the names of PyTorch itself.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

Value path_value(Builder& b, const std::string& path);
/// Notes where an expression that is printed or displayed only shows `torch.__version__`.
void note_shown(Builder& b, const Node& node);

/// `torch.__version__` where it is only shown: Python's text includes the build, as in `2.6.0+cpu`.
Value shown_release(Builder& b, const Node& node);

Value attribute(Builder& b, const Node& node);
/// Returns the value of `self.name`.
Value own_member(Builder& b, std::string_view name);

/// `Config.rate`: a constant in a class, which nothing changes.
Value class_attribute(Builder& b, const Node& node);

}  // namespace torchbook::translate
