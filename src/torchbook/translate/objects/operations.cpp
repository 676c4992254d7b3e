#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <map>

namespace torchbook::translate {

const Translator::Operations& Translator::operations_of(Kind kind) {
  using T = Translator;
  static const std::map<Kind, Operations> table = {
      {Kind::boolean, {.truth = &T::boolean_truth}},
      {Kind::integer, {.truth = &T::number_truth}},
      {Kind::floating, {.truth = &T::number_truth}},
      {Kind::string,
       {.method = &T::string_method,
        .element = &T::string_item,
        .rows = &T::string_rows,
        .length = &T::string_length,
        .truth = &T::container_truth}},
      {Kind::size,
       {.method = &T::size_method,
        .element = &T::size_item,
        .rows = &T::size_rows,
        .length = &T::size_length}},
      {Kind::tensor,
       {.attribute = &T::tensor_attribute,
        .method = &T::tensor_method,
        .element = &T::tensor_item,
        .rows = &T::tensor_rows,
        .length = &T::tensor_length,
        .truth = &T::tensor_truth}},
      {Kind::list,
       {.method = &T::list_method,
        .element = &T::list_item,
        .rows = &T::list_rows,
        .length = &T::list_length,
        .truth = &T::container_truth}},
      {Kind::tuple,
       {.attribute = &T::tuple_attribute,
        .element = &T::tuple_item,
        .rows = &T::tuple_rows,
        .length = &T::tuple_length}},
      {Kind::dict,
       {.method = &T::dict_method,
        .element = &T::dict_item,
        .rows = &T::dict_rows,
        .length = &T::dict_length,
        .truth = &T::container_truth}},
      {Kind::record,
       {.method = &T::record_method,
        .element = &T::record_item,
        .rows = &T::record_rows,
        .length = &T::record_length}},
      {Kind::module,
       {.attribute = &T::module_attribute,
        .method = &T::module_method,
        .element = &T::module_item,
        .rows = &T::module_rows,
        .length = &T::module_length}},
      {Kind::optimizer, {.attribute = &T::optimizer_attribute, .method = &T::optimizer_method}},
      {Kind::random, {.method = &T::generator_method}},
      {Kind::file, {.method = &T::file_method}},
      {Kind::object,
       {.attribute = &T::object_attribute,
        .method = &T::object_method,
        .element = &T::object_item,
        .rows = &T::object_rows,
        .length = &T::object_length}}};
  static const Operations none;
  const auto found = table.find(kind);
  return found == table.end() ? none : found->second;
}

Value Translator::attribute_of(const Value& value, std::string_view name) {
  const auto operation = operations_of(value.type.kind()).attribute;
  if (operation == nullptr)
    throw NotPorted(fmt::format("the attribute {} of {} is not translated", name, in_words(value.type)));
  return (this->*operation)(value, name);
}

Value Translator::call_method(const Value& receiver, std::string_view name, const Arguments& arguments) {
  const auto operation = operations_of(receiver.type.kind()).method;
  if (operation == nullptr)
    throw NotPorted(fmt::format("the method {} of {} is not translated", name, in_words(receiver.type)));
  return (this->*operation)(receiver, name, arguments);
}

Value Translator::element(const Value& from, const Node& slice) {
  const auto operation = operations_of(from.type.kind()).element;
  if (operation == nullptr)
    throw NotPorted(fmt::format("an index of {} is not translated", in_words(from.type)));
  return (this->*operation)(from, slice);
}

Value Translator::rows_of(const Value& value) {
  const auto operation = operations_of(value.type.kind()).rows;
  if (operation == nullptr) throw NotPorted(fmt::format("it goes through {}", in_words(value.type)));
  return (this->*operation)(value);
}

Value Translator::length_of(const Value& value) {
  const auto operation = operations_of(value.type.kind()).length;
  if (operation == nullptr)
    throw NotPorted(fmt::format("the length of {} is not translated", in_words(value.type)));
  return (this->*operation)(value);
}

cpp::Expr Translator::truth(const Value& value) {
  const auto operation = operations_of(value.type.kind()).truth;
  if (operation == nullptr) throw NotPorted(fmt::format("it asks whether {} is true", in_words(value.type)));
  return (this->*operation)(value);
}

cpp::Expr Translator::boolean_truth(const Value& value) { return value.expr; }

cpp::Expr Translator::number_truth(const Value& number) {
  return cpp::binary(number.expr, "!=", cpp::number(0));
}

cpp::Expr Translator::container_truth(const Value& container) {
  const auto& expr = container.expr;
  if (expr.is(cpp::Kind::braces) && expr.parts().empty()) return cpp::boolean(false);
  return cpp::unary("!", cpp::method(container.is(Kind::string) ? as_string(container) : expr, "empty"));
}

}  // namespace torchbook::translate
