#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

cpp::Expr number_truth(Builder& b, const Value& number);
Value number_binary(Builder& b, Ast operation, const Value& left, const Value& right);

}  // namespace torchbook::translate
