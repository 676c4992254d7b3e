#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// The operations of Python on the objects of one kind. One that is nullptr is refused.
struct Operations {
  Value (*attribute)(Builder& b, const Value& value, std::string_view name) = nullptr;
  Value (*method)(Builder& b, const Value& value, std::string_view name,
                  const Arguments& arguments) = nullptr;
  Value (*element)(Builder& b, const Value& value, const Node& slice) = nullptr;
  Value (*rows)(Builder& b, const Value& value) = nullptr;  ///< the items of a loop over it, as a list in C++
  Value (*length)(Builder& b, const Value& value) = nullptr;
  cpp::Expr (*truth)(Builder& b, const Value& value) = nullptr;
  /// At least one of the two values has the kind.
  Value (*binary)(Builder& b, Ast operation, const Value& left, const Value& right) = nullptr;
  Value (*contains)(Builder& b, const Value& values, const Value& value) = nullptr;
  void (*assign_item)(Builder& b, const Value& to, const Node& target, const Value& value) = nullptr;
  Value (*call)(Builder& b, const Value& called, const Arguments& arguments) = nullptr;
};

Value attribute_of(Builder& b, const Value& value, std::string_view name);
Value call_method(Builder& b, const Value& receiver, std::string_view name, const Arguments& arguments);
Value element(Builder& b, const Value& from, const Node& slice);
Value rows_of(Builder& b, const Value& value);
Value length_of(Builder& b, const Value& value);
cpp::Expr truth(Builder& b, const Value& value);
Value binary_of(Builder& b, Ast operation, const Value& left, const Value& right);
/// `value in values`. If the kind has no `contains`, C++ searches the rows.
Value contained(Builder& b, const Value& value, const Value& values);
/// `x[1] = value`, of which `target` is the left side
void assign_item(Builder& b, const Node& target, const Value& value);
Value call_value(Builder& b, const Value& called, const Arguments& arguments);

}  // namespace torchbook::translate
