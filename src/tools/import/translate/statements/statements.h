// Translates assignments, imports and other simple statements.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

void statement(Builder& b, const Node& node);
void import(Builder& b, const Node& node);
void expression_statement(Builder& b, const Node& node, bool displays);

}  // namespace torchbook::translate
