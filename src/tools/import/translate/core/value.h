// Defines a translated expression.
#pragma once

#include <tools/import/translate/core/type.h>
#include <tools/import/translate/cpp/expr.h>
#include <tools/import/translate/syntax/syntax.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::translate {

/// An expression in C++, and the known properties of its value.
struct Value {
  Type type;
  cpp::Expr expr;
  bool place = false;             ///< an attribute or element, which may be assigned anew
  bool natural = false;           ///< an int that is not negative
  bool literal = false;           ///< a number, a string, or a list or tuple that is written out
  bool temporary = true;          ///< no name holds it
  std::vector<Value> elements{};  ///< those of a list or tuple that is written out
  std::string number{};           ///< the int that it is, if that is known
  Type displayed{};             ///< for a call that returns its module only in Python: the type of the module
  cpp::Expr returned_module{};  ///< with it, the module
  std::string sign{};           ///< for `total += 2`, if C++ can do the same: `+=`
  cpp::Expr operand{};          ///< with it, the operand

  bool is(Kind kind) const { return type.is(kind); }
  bool acts() const { return expr.acts(); }
  /// Whether it is a str literal with this text.
  bool is_text(std::string_view text) const { return literal && expr.is(cpp::Kind::string, text); }
};

inline Value value_of(Type type, cpp::Expr expr) {
  return {.type = std::move(type), .expr = std::move(expr)};
}
inline Value tensor_of(cpp::Expr expr) { return value_of(Kind::tensor, std::move(expr)); }

/// Returns a value that may be None as one that is not: C++ throws if it is None.
Value not_none(Value value);

/// Returns a value without an expression: there is nothing to do in C++.
inline Value nothing() { return {.type = Kind::none, .expr = {}}; }

/// Whether a torch.Size is `x.shape`, an expression whose only part is the tensor.
bool is_shape_of_tensor(const Value& size);

/// Returns the numbers of a torch.Size as LibTorch's IntArrayRef, and as a std::vector.
cpp::Expr sizes_of(const Value& size);
cpp::Expr sizes_as_vector(const Value& size);

/// Returns the type of a sum of items. Throws NotPorted if they have none.
Type summed(const Type& item);

/// Returns the assignment of a value: `total = 2;`, `total += 2;`.
cpp::Assign assignment(cpp::Expr to, const Value& value);

/// Returns the declaration of a variable before it is assigned: `int64_t n = 0;`.
cpp::Declare declared_first(const Type& type, std::string name);

struct Variable;
class Scope;
/// Returns the variable that a node names if C++ holds a double where Python still has an int; otherwise
/// nullptr.
const Variable* int_as_double(Scope& scope, const Node& node);

/// Whether an operator of Python, as `Add` or `LtE`, is one of C++ as well.
bool is_operator(Ast operation);

/// Applies an operator of C++ to two values.
Value with_operator(const Value& left, Ast operation, const Value& right, Kind kind);

/// Returns a text as a literal. Throws NotPorted if C++ cannot hold it in a literal.
cpp::Expr string_literal(std::string_view text);

/// Returns a str as a std::string: `std::string("a")` if it is written out.
cpp::Expr as_string(const Value& text);

/// Returns a number as a floating-point expression: `2.0` for `2`.
cpp::Expr floating_literal(const Value& number);

/// Returns the number of a tensor, `x.item()` or a variable that holds it, as a double.
cpp::Expr as_double(const Value& scalar);
/// Returns an int or a float as one with Python's arithmetic, which LibTorch's Scalar lacks.
cpp::Expr as_any_number(const Value& scalar);

/// Returns the number of a tensor as a number of the type in C++.
cpp::Expr as_number(const Value& scalar, const std::string& type);

/// Returns the list or tuple in the braces of an initializer: `{1, 2}`.
cpp::Expr in_braces(const std::vector<Value>& elements);

/// Returns a literal list or tuple in braces, with the statements that make its elements.
cpp::Expr braces_of(const Value& written);

/// Returns values as the arguments of a call of a function that the notebook defines. None becomes `{}`.
std::vector<cpp::Expr> argument_codes(const std::vector<Value>& values);

/// Returns the expressions of values.
std::vector<cpp::Expr> expressions_of(const std::vector<Value>& values);

/// Returns an element of a list or tuple that is written out.
Value element_at(const Value& written, std::size_t place);

/// Returns an element by its index as written, such as `-1`. Throws NotPorted if there is none.
Value element_written_out(const Value& written, const std::string& at);

/// Converts an index as written, such as `-1`, to a position in a sequence of the size. Throws
/// NotPorted if there is none.
std::size_t place_in(std::size_t size, const std::string& at);

/// Returns an element of a vector by its index as written. A negative one counts from the end.
cpp::Expr from_the_end(const cpp::Expr& list, const std::string& at);

/// Returns a known length as a value.
Value counted(std::size_t number);

/// Returns `value.size()`.
Value size_in_cpp(const Value& value);

/// Returns a literal or named list or tuple with these elements as a list that has a type in C++.
Value list_with_type(const Value& value, const std::vector<Value>& elements, const Type& type);

/// Returns the parts of a tuple that is written out or has a name.
std::vector<Value> parts_of(const Value& tuple);

/// Returns a device, or the text that names one, as a device.
cpp::Expr device_code(const Value& value);

/// Returns the argument of LibTorch's `to` for a dtype, a device or a text that names one; empty for anything
/// else.
cpp::Expr moved_to(const Value& value);

/// Returns a value as print and display take it: the text of `f` with the tensors that it shows.
cpp::Expr with_tensors(const Value& value, const cpp::Expr& shown);

/// Returns a module as a part of an nn.Sequential. LibTorch's own Sequential cannot be a part of
/// another one, so it is wrapped.
cpp::Expr as_sequential_part(const Value& module);

/// Returns an expression for the torch::nn::Module itself: `*model`.
cpp::Expr module_itself(const Value& module);

/// Returns the call of a method of a module, and a member of it.
cpp::Expr method_of_module(const Value& module, const std::string& name,
                           std::vector<cpp::Expr> arguments = {});
cpp::Expr member_of_module(const Value& module, const std::string& name);

/// Returns the value as an argument of print and display, with its type if C++ cannot deduce it.
cpp::Expr printable(const Value& value);

/// Refuses an operator between two values.
[[noreturn]] void refuse_operands(const Value& left, const Value& right);

}  // namespace torchbook::translate
