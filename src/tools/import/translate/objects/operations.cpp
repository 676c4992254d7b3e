#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <map>

namespace torchbook::translate {

const std::map<Kind, Translator::Operations> Translator::operations = {
    {Kind::boolean, {.truth = &Translator::boolean_truth}},
    {Kind::integer, {.truth = &Translator::number_truth}},
    {Kind::floating, {.truth = &Translator::number_truth}},
    {Kind::scalar, {.truth = &Translator::number_truth}},
    {Kind::string,
     {.method = &Translator::string_method,
      .element = &Translator::string_item,
      .rows = &Translator::string_rows,
      .length = &Translator::string_length,
      .truth = &Translator::container_truth}},
    {Kind::size,
     {.method = &Translator::size_method,
      .element = &Translator::size_item,
      .rows = &Translator::size_rows,
      .length = &Translator::size_length}},
    {Kind::tensor,
     {.attribute = &Translator::tensor_attribute,
      .method = &Translator::tensor_method,
      .element = &Translator::tensor_item,
      .rows = &Translator::tensor_rows,
      .length = &Translator::tensor_length,
      .truth = &Translator::tensor_truth}},
    {Kind::array,
     {.attribute = &Translator::array_attribute,
      .method = &Translator::array_method,
      .element = &Translator::array_item,
      .length = &Translator::tensor_length}},
    {Kind::list,
     {.method = &Translator::list_method,
      .element = &Translator::list_item,
      .rows = &Translator::list_rows,
      .length = &Translator::list_length,
      .truth = &Translator::container_truth}},
    {Kind::tuple,
     {.attribute = &Translator::tuple_attribute,
      .element = &Translator::tuple_item,
      .rows = &Translator::tuple_rows,
      .length = &Translator::tuple_length}},
    {Kind::dict,
     {.method = &Translator::dict_method,
      .element = &Translator::dict_item,
      .rows = &Translator::dict_rows,
      .length = &Translator::dict_length,
      .truth = &Translator::container_truth}},
    {Kind::record,
     {.method = &Translator::record_method,
      .element = &Translator::record_item,
      .rows = &Translator::record_rows,
      .length = &Translator::record_length}},
    {Kind::module,
     {.attribute = &Translator::module_attribute,
      .method = &Translator::module_method,
      .element = &Translator::module_item,
      .rows = &Translator::module_rows,
      .length = &Translator::module_length}},
    {Kind::optimizer,
     {.attribute = &Translator::optimizer_attribute, .method = &Translator::optimizer_method}},
    {Kind::random, {.method = &Translator::generator_method}},
    {Kind::file, {.method = &Translator::file_method, .rows = &Translator::file_rows}},
    {Kind::object,
     {.attribute = &Translator::object_attribute,
      .method = &Translator::object_method,
      .element = &Translator::object_item,
      .rows = &Translator::object_rows,
      .length = &Translator::object_length}}};

const Translator::Operations& Translator::operations_of(Kind kind) {
  static const Operations none;
  const auto found = operations.find(kind);
  return found == operations.end() ? none : found->second;
}

Value Translator::attribute_of(const Value& value, std::string_view name) {
  const auto operation = operations_of(value.type.kind()).attribute;
  if (operation == nullptr)
    throw NotPorted("the attribute {} of {} is not translated", name, in_words(value.type));
  return (this->*operation)(value, name);
}

Value Translator::call_method(const Value& receiver, std::string_view name, const Arguments& arguments) {
  const auto operation = operations_of(receiver.type.kind()).method;
  if (operation == nullptr)
    throw NotPorted("the method {} of {} is not translated", name, in_words(receiver.type));
  return (this->*operation)(receiver, name, arguments);
}

Value Translator::element(const Value& from, const Node& slice) {
  const auto operation = operations_of(from.type.kind()).element;
  if (operation == nullptr) throw NotPorted("an index of {} is not translated", in_words(from.type));
  return (this->*operation)(from, slice);
}

Value Translator::rows_of(const Value& value) {
  const auto operation = operations_of(value.type.kind()).rows;
  if (operation == nullptr) throw NotPorted("it goes through {}", in_words(value.type));
  return (this->*operation)(value);
}

Value Translator::length_of(const Value& value) {
  const auto operation = operations_of(value.type.kind()).length;
  if (operation == nullptr) throw NotPorted("the length of {} is not translated", in_words(value.type));
  return (this->*operation)(value);
}

cpp::Expr Translator::truth(const Value& value) {
  const auto operation = operations_of(value.type.kind()).truth;
  if (operation == nullptr) throw NotPorted("it asks whether {} is true", in_words(value.type));
  return (this->*operation)(value);
}

cpp::Expr Translator::boolean_truth(const Value& value) { return value.expr; }

cpp::Expr Translator::number_truth(const Value& number) {
  return cpp::binary(number.is(Kind::scalar) ? as_double(number) : number.expr, "!=", cpp::number(0));
}

cpp::Expr Translator::container_truth(const Value& container) {
  const auto& expr = container.expr;
  if (expr.is(cpp::Kind::braces) && expr.parts().empty()) return cpp::boolean(false);
  return cpp::unary("!", cpp::method(container.is(Kind::string) ? as_string(container) : expr, "empty"));
}

}  // namespace torchbook::translate
