// Translates assignments, imports and other simple statements.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

void statement(Builder& b, const Node& node);

/// Translates a part of a cell that is refused, and adds the reasons why it, or statements in it, have no
/// C++. Returns whether there were none.
bool tell_refusals(Builder& b, const std::function<void()>& write);
/// Does the same with a statement. The names that it assigns are not known if it is refused.
bool tell_refusals(Builder& b, const Node& node);
void import(Builder& b, const Node& node);
void expression_statement(Builder& b, const Node& node, bool displays);

}  // namespace torchbook::translate
