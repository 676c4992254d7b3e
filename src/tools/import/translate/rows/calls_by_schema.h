// Translates calls of PyTorch's functions by LibTorch's signatures.
#pragma once

#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/rows/signatures.h>

namespace torchbook::translate {

/// Returns the TensorOptions of a factory's keyword arguments; empty if it has none of them.
cpp::Expr options(const Arguments& arguments, std::vector<std::string>& taken);

/// Notes it if a detached tensor may get gradients because a value changes it in place.
void note_attached(Builder& b, const Type& to, const Type& value);

/// Notes a call that changes arguments in place, by which a detached tensor may get gradients.
void note_attached(Builder& b, const Arguments& arguments, std::string_view name);

std::optional<Value> bound(Builder& b, const Signature& signature, std::string_view name,
                           const Arguments& arguments, bool as_method);
Value call_torch(Builder& b, std::string_view name, const Arguments& given, bool as_method);

}  // namespace torchbook::translate
