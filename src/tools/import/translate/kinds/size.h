// Translates torch.Size: `x.shape[:-1]`, `x.shape + (2,)`, `view(*x.shape, 2)`.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `x.shape[:-1] + (2,)`: a torch.Size if it begins with one; nullopt for other operators and
/// values.
std::optional<Value> joined_sizes(Ast operation, const Value& left, const Value& right);

/// Joins `*x.shape` in a call with the ints before it: PyTorch takes them as one list.
void add_starred(const Value& starred, std::vector<Value>& positional);

/// Adds an int that follows `*x.shape` in a call.
void add_to_starred(const Value& number, Value& list);

/// `x.shape[-1]`
Value size_of(const Value& size, const cpp::Expr& at);

/// Emits the check that unpacking a shape makes: it has as many sizes as there are names.
void check_sizes(Builder& b, const Value& size, std::size_t names);

Value size_item(Builder& b, const Value& size, const Node& slice);
Value size_method(Builder& b, const Value& size, std::string_view name, const Arguments& arguments);
Value size_rows(Builder& b, const Value& size);
Value size_length(Builder& b, const Value& size);

}  // namespace torchbook::translate
