#include <fmt/format.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/kinds/array.h>
#include <tools/import/translate/kinds/counter.h>
#include <tools/import/translate/kinds/data.h>
#include <tools/import/translate/kinds/deque.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/loader.h>
#include <tools/import/translate/kinds/module.h>
#include <tools/import/translate/kinds/number.h>
#include <tools/import/translate/kinds/object.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/optimizer.h>
#include <tools/import/translate/kinds/path.h>
#include <tools/import/translate/kinds/record.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/kinds/size.h>
#include <tools/import/translate/kinds/state_dict.h>
#include <tools/import/translate/kinds/string.h>
#include <tools/import/translate/kinds/tensor.h>
#include <tools/import/translate/kinds/tuple.h>
#include <tools/import/translate/rows/random.h>

#include <map>

namespace torchbook::translate {

static cpp::Expr none_truth(Builder& /*b*/, const Value& /*none*/) { return cpp::boolean(false); }
static cpp::Expr boolean_truth(Builder& /*b*/, const Value& value) { return value.expr; }

static cpp::Expr container_truth(Builder& /*b*/, const Value& container) {
  const auto& expr = container.expr;
  if (expr.is(cpp::Kind::braces) && expr.parts().empty()) return cpp::boolean(false);
  return cpp::unary("!", cpp::method(container.is(Kind::string) ? as_string(container) : expr, "empty"));
}

static cpp::Expr function_truth(Builder& /*b*/, const Value& function) {
  if (!is_function_of_torch(function.type)) return cpp::boolean(true);
  return cpp::binary(function.expr, "!=", cpp::name("nullptr"));
}

static Value container_length(Builder& /*b*/, const Value& container) { return size_in_cpp(container); }

static const std::map<Kind, Operations> operations = {
    {Kind::none, {.truth = none_truth}},
    {Kind::boolean, {.truth = boolean_truth, .binary = number_binary}},
    {Kind::integer, {.truth = number_truth, .binary = number_binary}},
    {Kind::floating, {.truth = number_truth, .binary = number_binary}},
    {Kind::scalar, {.truth = number_truth, .binary = number_binary}},
    {Kind::device, {.attribute = device_attribute}},
    {Kind::string,
     {.method = string_method,
      .element = string_item,
      .rows = string_rows,
      .length = string_length,
      .truth = container_truth,
      .binary = string_binary,
      .contains = string_contains}},
    {Kind::size,
     {.method = size_method,
      .element = size_item,
      .rows = size_rows,
      .length = size_length,
      .binary = sequence_binary}},
    {Kind::tensor,
     {.attribute = tensor_attribute,
      .method = tensor_method,
      .element = tensor_item,
      .rows = tensor_rows,
      .length = tensor_length,
      .truth = tensor_truth,
      .binary = tensor_binary,
      .assign_item = assign_tensor_item}},
    {Kind::array,
     {.attribute = array_attribute,
      .method = array_method,
      .element = array_item,
      .rows = array_rows,
      .length = tensor_length,
      .binary = array_binary,
      .assign_item = assign_tensor_item}},
    {Kind::list,
     {.method = list_method,
      .element = list_item,
      .rows = list_rows,
      .length = list_length,
      .truth = container_truth,
      .binary = sequence_binary,
      .assign_item = assign_list_item}},
    {Kind::tuple,
     {.attribute = tuple_attribute,
      .element = tuple_item,
      .rows = tuple_rows,
      .length = tuple_length,
      .binary = sequence_binary}},
    {Kind::dict,
     {.method = dict_method,
      .element = dict_item,
      .rows = dict_rows,
      .length = container_length,
      .truth = container_truth,
      .contains = dict_contains,
      .assign_item = assign_dict_item}},
    {Kind::record,
     {.method = record_method,
      .element = record_item,
      .rows = record_rows,
      .length = record_length,
      .contains = record_contains}},
    {Kind::module,
     {.attribute = module_attribute,
      .method = module_method,
      .element = module_item,
      .rows = module_rows,
      .length = module_length,
      .call = call_module}},
    {Kind::function, {.truth = function_truth, .call = call_function_held}},
    {Kind::optimizer, {.attribute = optimizer_attribute, .method = optimizer_method}},
    {Kind::random, {.method = generator_method}},
    {Kind::file, {.method = file_method, .rows = file_rows}},
    {Kind::object,
     {.attribute = object_attribute,
      .method = object_method,
      .element = data_item,
      .length = object_length,
      .call = call_object}},
    {Kind::context, {.attribute = attribute_of_context, .method = method_of_context}},
    {Kind::data_set, {.element = data_item, .length = data_length}},
    {Kind::loader, {.attribute = loader_attribute, .rows = loader_rows, .length = data_length}},
    {Kind::counter,
     {.method = counter_method,
      .element = counter_item,
      .rows = counter_rows,
      .length = container_length,
      .contains = counter_contains,
      .assign_item = assign_counter_item}},
    {Kind::deque,
     {.method = deque_method,
      .element = deque_item,
      .rows = deque_rows,
      .length = container_length,
      .truth = container_truth}},
    {Kind::path, {.method = path_method, .binary = path_binary}},
    {Kind::checkpoint, {.element = checkpoint_item}},
    {Kind::state_dict,
     {.method = state_dict_method,
      .element = state_dict_item,
      .rows = state_dict_rows,
      .length = container_length,
      .truth = container_truth}},
    {Kind::parameter_group, {.element = parameter_group_item, .assign_item = assign_parameter_group_item}},
    {Kind::element, {.method = element_method, .binary = element_binary}}};

/// Returns an operation of the kind of a value. If the kind lacks it, refuses with the text `refusal`, in
/// which `{0}` is the description of the value and `{1}` is `name`.
template <typename Operation>
static Operation operation_of(const Value& value, Operation Operations::*operation, std::string_view refusal,
                              std::string_view name = {}) {
  const auto found = operations.find(value.type.kind());
  if (found == operations.end() || found->second.*operation == nullptr)
    refuse("{}", fmt::format(fmt::runtime(refusal), in_words(value.type), name));
  return found->second.*operation;
}

Value attribute_of(Builder& b, const Value& value, std::string_view name) {
  constexpr auto refusal = "the attribute {1} of {0} is not translated";
  return operation_of(value, &Operations::attribute, refusal, name)(b, value, name);
}

Value call_method(Builder& b, const Value& receiver, std::string_view name, const Arguments& arguments) {
  constexpr auto refusal = "the method {1} of {0} is not translated";
  return operation_of(receiver, &Operations::method, refusal, name)(b, receiver, name, arguments);
}

Value element(Builder& b, const Value& from, const Node& slice) {
  return operation_of(from, &Operations::element, "an index of {0} is not translated")(b, from, slice);
}

Value rows_of(Builder& b, const Value& value) {
  return operation_of(value, &Operations::rows, "it goes through {0}")(b, value);
}

Value length_of(Builder& b, const Value& value) {
  return operation_of(value, &Operations::length, "the length of {0} is not translated")(b, value);
}

cpp::Expr truth(Builder& b, const Value& value) {
  return operation_of(value, &Operations::truth, "it uses {0} as a condition")(b, value);
}

Value contained(Builder& b, const Value& value, const Value& values) {
  const auto found = operations.find(values.type.kind());
  const bool says = found != operations.end() && found->second.contains != nullptr;
  return says ? found->second.contains(b, values, value) : found_in_rows(b, value, values);
}

/// Returns the value whose kind implements an operator: the left one, as in Python, except in cases such as
/// `2 * x`, `"models" / path`, and `array * x` with a tensor.
static const Value& deciding(const Value& left, const Value& right) {
  static const std::map<Kind, int> ranks = {{Kind::boolean, -1}, {Kind::integer, -1}, {Kind::floating, -1},
                                            {Kind::scalar, -1},  {Kind::tensor, 1},   {Kind::element, 2},
                                            {Kind::string, 3},   {Kind::path, 4}};
  const auto rank = [](const Value& value) {
    const auto found = ranks.find(value.type.kind());
    return found == ranks.end() ? 0 : found->second;
  };
  return rank(right) > rank(left) ? right : left;
}

Value binary_of(Builder& b, Ast operation, const Value& left, const Value& right) {
  const auto found = operations.find(deciding(left, right).type.kind());
  if (found == operations.end() || found->second.binary == nullptr) refuse_operands(left, right);
  return found->second.binary(b, operation, left, right);
}

void assign_item(Builder& b, const Node& target, const Value& value) {
  const auto to = expression(b, target.value());
  operation_of(to, &Operations::assign_item, "it assigns to an element of {0}")(b, to, target, value);
}

Value call_value(Builder& b, const Value& called, const Arguments& arguments) {
  const auto named = called.expr.is(cpp::Kind::name) ? called.expr.text() + ", which is " : "";
  constexpr auto refusal = "it calls {1}{0}, which is not a function or module";
  return operation_of(called, &Operations::call, refusal, named)(b, called, arguments);
}

}  // namespace torchbook::translate
