// Says what Python does with the objects of each kind.
#include <fmt/format.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/array.h>
#include <tools/import/translate/kinds/counter.h>
#include <tools/import/translate/kinds/data.h>
#include <tools/import/translate/kinds/deque.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/loader.h>
#include <tools/import/translate/kinds/module.h>
#include <tools/import/translate/kinds/object.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/optimizer.h>
#include <tools/import/translate/kinds/path.h>
#include <tools/import/translate/kinds/record.h>
#include <tools/import/translate/kinds/size.h>
#include <tools/import/translate/kinds/state_dict.h>
#include <tools/import/translate/kinds/string.h>
#include <tools/import/translate/kinds/tensor.h>
#include <tools/import/translate/kinds/tuple.h>
#include <tools/import/translate/rows/random.h>

#include <map>

namespace torchbook::translate {

static cpp::Expr boolean_truth(Builder& /*b*/, const Value& value) { return value.expr; }

static cpp::Expr number_truth(Builder& /*b*/, const Value& number) {
  return cpp::binary(number.is(Kind::scalar) ? as_double(number) : number.expr, "!=", cpp::number(0));
}

static cpp::Expr container_truth(Builder& /*b*/, const Value& container) {
  const auto& expr = container.expr;
  if (expr.is(cpp::Kind::braces) && expr.parts().empty()) return cpp::boolean(false);
  return cpp::unary("!", cpp::method(container.is(Kind::string) ? as_string(container) : expr, "empty"));
}

static Value container_length(Builder& /*b*/, const Value& container) { return size_in_cpp(container); }

static const std::map<Kind, Operations> operations = {
    {Kind::boolean, {.truth = boolean_truth}},
    {Kind::integer, {.truth = number_truth}},
    {Kind::floating, {.truth = number_truth}},
    {Kind::scalar, {.truth = number_truth}},
    {Kind::device, {.attribute = device_attribute}},
    {Kind::string,
     {.method = string_method,
      .element = string_item,
      .rows = string_rows,
      .length = string_length,
      .truth = container_truth}},
    {Kind::size, {.method = size_method, .element = size_item, .rows = size_rows, .length = size_length}},
    {Kind::tensor,
     {.attribute = tensor_attribute,
      .method = tensor_method,
      .element = tensor_item,
      .rows = tensor_rows,
      .length = tensor_length,
      .truth = tensor_truth}},
    {Kind::array,
     {.attribute = array_attribute, .method = array_method, .element = array_item, .length = tensor_length}},
    {Kind::list,
     {.method = list_method,
      .element = list_item,
      .rows = list_rows,
      .length = list_length,
      .truth = container_truth}},
    {Kind::tuple,
     {.attribute = tuple_attribute, .element = tuple_item, .rows = tuple_rows, .length = tuple_length}},
    {Kind::dict,
     {.method = dict_method,
      .element = dict_item,
      .rows = dict_rows,
      .length = container_length,
      .truth = container_truth}},
    {Kind::record,
     {.method = record_method, .element = record_item, .rows = record_rows, .length = record_length}},
    {Kind::module,
     {.attribute = module_attribute,
      .method = module_method,
      .element = module_item,
      .rows = module_rows,
      .length = module_length}},
    {Kind::optimizer, {.attribute = optimizer_attribute, .method = optimizer_method}},
    {Kind::random, {.method = generator_method}},
    {Kind::file, {.method = file_method, .rows = file_rows}},
    {Kind::object,
     {.attribute = object_attribute, .method = object_method, .element = data_item, .length = object_length}},
    {Kind::context, {.attribute = attribute_of_context, .method = method_of_context}},
    {Kind::data_set, {.element = data_item, .length = data_length}},
    {Kind::loader, {.attribute = loader_attribute, .rows = loader_rows, .length = data_length}},
    {Kind::counter,
     {.method = counter_method, .element = counter_item, .rows = counter_rows, .length = container_length}},
    {Kind::deque,
     {.method = deque_method,
      .element = deque_item,
      .rows = deque_rows,
      .length = container_length,
      .truth = container_truth}},
    {Kind::path, {.method = path_method}},
    {Kind::state_dict,
     {.method = state_dict_method,
      .element = state_dict_item,
      .rows = state_dict_rows,
      .length = container_length}},
    {Kind::parameter_group, {.element = parameter_group_item}},
    {Kind::element, {.method = element_method}}};

static const Operations& operations_of(Kind kind) {
  static const Operations none;
  const auto found = operations.find(kind);
  return found == operations.end() ? none : found->second;
}

Value attribute_of(Builder& b, const Value& value, std::string_view name) {
  const auto operation = operations_of(value.type.kind()).attribute;
  if (operation == nullptr) refuse("the attribute {} of {} is not translated", name, in_words(value.type));
  return operation(b, value, name);
}

Value call_method(Builder& b, const Value& receiver, std::string_view name, const Arguments& arguments) {
  const auto operation = operations_of(receiver.type.kind()).method;
  if (operation == nullptr) refuse("the method {} of {} is not translated", name, in_words(receiver.type));
  return operation(b, receiver, name, arguments);
}

Value element(Builder& b, const Value& from, const Node& slice) {
  const auto operation = operations_of(from.type.kind()).element;
  if (operation == nullptr) refuse("an index of {} is not translated", in_words(from.type));
  return operation(b, from, slice);
}

Value rows_of(Builder& b, const Value& value) {
  const auto operation = operations_of(value.type.kind()).rows;
  if (operation == nullptr) refuse("it goes through {}", in_words(value.type));
  return operation(b, value);
}

Value length_of(Builder& b, const Value& value) {
  const auto operation = operations_of(value.type.kind()).length;
  if (operation == nullptr) refuse("the length of {} is not translated", in_words(value.type));
  return operation(b, value);
}

cpp::Expr truth(Builder& b, const Value& value) {
  const auto operation = operations_of(value.type.kind()).truth;
  if (operation == nullptr) refuse("it asks whether {} is true", in_words(value.type));
  return operation(b, value);
}

}  // namespace torchbook::translate
