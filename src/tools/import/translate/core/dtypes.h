// Infers the kind of numbers in a tensor before it is computed.
#pragma once

#include <tools/import/translate/core/definitions.h>
#include <tools/import/translate/core/type.h>

#include <string_view>

namespace torchbook::translate {

/// Returns the dtype with this name in torch or in NumPy, as `float32`; empty if there is none that is
/// translated.
cpp::Expr dtype_of_torch(std::string_view name);
cpp::Expr dtype_of_numpy(std::string_view name);

/// Returns the kind of a dtype in C++: floating for `torch::kFloat64`.
Numbers numbers_of_dtype(const cpp::Expr& dtype);

/// Returns the kind of a tensor's numbers, or that of a number of Python.
Numbers numbers_of(const Type& type);

/// Whether no gradient flows through a value: it is no tensor, a detached tensor, or a container of
/// such values.
bool is_detached(const Type& type);

/// Returns the type without the known properties of its tensors: numbers, dimensions, detached.
Type without_numbers(Type type);

/// Sets the kind of numbers in the tensor that an operator returns.
void set_numbers_of_operator(Type& result, Ast operation, const Type& left, const Type& right);

/// Keeps of what is known about a type's tensors only what both types agree on. The types are equal
/// otherwise.
Type with_common_numbers(Type one, const Type& other);

}  // namespace torchbook::translate
