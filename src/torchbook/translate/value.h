// Defines a translated expression.
#pragma once

#include <torchbook/translate/type.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::translate {

/// How strongly the outermost operator of an expression binds in C++; a stronger one has a larger number.
enum class Binding { ternary, either, both, equality, relation, sum, product, unary, postfix };

/// An expression in C++, and what is known of its value.
struct Value {
  Type type;
  std::string code;
  Binding binding = Binding::postfix;
  bool acts = false;              ///< evaluating it draws random numbers or changes something
  bool reads = false;             ///< evaluating it reads what another operand may change
  bool place = false;             ///< an attribute or element, which may be assigned anew
  bool natural = false;           ///< an int that is not negative
  std::size_t lines = 0;          ///< how many lines the cell had when it was translated
  bool literal = false;           ///< a number, a string, or a list or tuple that is written out
  bool temporary = true;          ///< no name holds it
  bool lasting = false;           ///< a list or dict with a name, which nothing ever changes in place
  std::vector<Value> elements{};  ///< those of a list or tuple that is written out
  std::string number{};           ///< the int that it is, if that is known
  std::string in_place{};         ///< for the value of `total += 2`: how C++ adds it, `+= 2`
  /// For a torch.Size, an expression for LibTorch's IntArrayRef; for a call that gives its module, the
  /// module.
  std::string sizes{};

  bool is(Kind kind) const { return type.is(kind); }
  /// Returns the code, in parentheses if it binds more weakly than `least`.
  std::string in(Binding least) const { return binding < least ? "(" + code + ")" : code; }
};

/// Returns a value that is a call or a name.
inline Value value_of(Kind kind, std::string code) {
  return {.type = {.kind = kind}, .code = std::move(code)};
}
inline Value value_of(Type type, std::string code) {
  return {.type = std::move(type), .code = std::move(code)};
}
inline Value tensor_of(std::string code) { return value_of(Kind::tensor, std::move(code)); }

/// Returns the numbers of a torch.Size as a std::vector, which that of a variable has.
std::string sizes_as_vector(const Value& size);

/// Returns the type of the sum of such items. Throws NotPorted if they cannot be summed up.
Type summed(const Type& item);

/// Returns the declaration of a variable that sums up values, as Python's sum does from the int 0 on.
std::string declared_sum(const Type& type, const std::string& name);

struct Variable;
class Node;
class Scope;
/// Returns the variable that is named, if in Python it may still be an int or a number, and is a float or a
/// tensor in C++; otherwise nullptr.
const Variable* number_as_other(Scope& scope, const Node& node);

/// Refuse the use of a variable that may still be another number than its value in C++: anywhere, or beside
/// such a value.
void refuse_number(const Variable& number);
void refuse_number_beside(const Variable& number, const Value& partner);

/// Returns the statement that assigns a value: `total = 2;`, `total += 2;`.
std::string stored(const std::string& to, const Value& value);

/// Whether a value is or holds a list or dict that has a name: in C++, it would be a copy.
bool holds_named_list(const Value& value);

/// Throws NotPorted if a copy of a list would share its items, lists or dicts, with the list.
void refuse_shared_items(const Value& list);

/// Whether an operator of Python, as `Add` or `LtE`, is one of C++ as well.
bool is_operator(std::string_view operation);

/// Returns the operator between two values.
Value with_operator(const Value& left, std::string_view operation, const Value& right, Kind kind);

/// Returns a text as a literal of C++. Throws NotPorted if C++ cannot hold it in a literal.
std::string string_literal(std::string_view text);

/// Returns a number as a floating-point literal, also if it is a whole one.
std::string floating_literal(const Value& number);

/// Returns the number of a tensor, `x.item()` or a variable that holds it, as a double.
std::string as_double(const Value& scalar);

/// Returns the number of a tensor as that type of C++.
std::string as_number(const Value& scalar, std::string_view type);

/// Returns the list or tuple in the braces of an initializer: `{1, 2}`.
std::string in_braces(const std::vector<Value>& elements);

/// Returns values as the arguments of a call of a function that the notebook defines. None becomes `{}`.
std::vector<std::string> argument_codes(const std::vector<Value>& values);

/// Returns the parts of a tuple that is written out or has a name.
std::vector<Value> parts_of(const Value& tuple);

/// Returns a tuple of tensors.
Value tuple_of_tensors(const std::vector<std::string>& codes, const Type& type);

/// Returns a device, or the text that names one, as a device.
std::string device_code(const Value& value);

/// Returns the code of a value as print and display take it: the text of `f` with the tensors that it shows.
std::string with_tensors(const Value& value, const std::string& code);

/// Makes the classes in a value print as Jupyter displays them. Returns whether there are any.
bool show_classes(Value& value);

/// Returns a module as a part of an nn.Sequential, in which one of LibTorch's own cannot stand.
std::string in_row(const Value& module);

/// Returns the value as an argument of print and display, where C++ must be told the type.
std::string printable(const Value& value);

}  // namespace torchbook::translate
