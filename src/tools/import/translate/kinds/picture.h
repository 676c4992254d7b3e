// Leaves out statements that only draw pictures: a golden has texts only.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Whether a statement only draws pictures, or assigns them to names.
bool only_draws_pictures(Builder& b, const Node& node);

/// Leaves out a statement that only draws pictures. The names that it assigns represent pictures.
/// Names that a loop assigns become unknown.
void leave_out(Builder& b, const Node& node);

}  // namespace torchbook::translate
