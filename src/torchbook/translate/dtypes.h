// Tells what kind of numbers a tensor has, as far as that is known before it is computed.
#pragma once

#include <torchbook/translate/lower/definitions.h>
#include <torchbook/translate/type.h>

#include <string_view>

namespace torchbook::translate {

/// Whether a cell may make complex tensors.
bool mentions_complex(const Node& tree);

/// Returns the kind of a dtype in C++: of `torch::kFloat64`, floating.
Numbers numbers_of_dtype(const cpp::Expr& dtype);

/// Returns the kind of a tensor's numbers, or that of a number of Python.
Numbers numbers_of(const Type& type);

/// Whether no gradient flows through a value: it is no tensor, or a detached one, or holds only such.
bool is_detached(const Type& type);

/// Returns the kind that an operator gives, if it is not one that compares or divides.
Numbers promoted(Numbers one, Numbers other);

/// Returns the type with numbers that are not known.
Type without_numbers(Type type);

/// Sets the kind of the numbers of a tensor that an operator gives.
void set_numbers_of_operator(Type& result, std::string_view operation, const Type& left, const Type& right);

/// Returns a type whose numbers are those of both types, which are otherwise the same.
Type with_common_numbers(Type one, const Type& other);

/// Whether two types, which are otherwise the same, have the same kinds of numbers.
bool same_numbers(const Type& one, const Type& other);

/// Gives the result of a function or method of PyTorch the kind of its numbers. A method's first argument is
/// the tensor.
void set_numbers(Type& result, std::string_view function, const Arguments& arguments);

}  // namespace torchbook::translate
