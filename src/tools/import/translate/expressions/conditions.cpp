#include <fmt/format.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/conditions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/functions/optionals.h>
#include <tools/import/translate/kinds/array.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/sequences.h>

namespace torchbook::translate {
namespace {

/// `x is None`; nullopt if it is another comparison. For a tensor, `==` counts as `is`.
std::optional<Value> compare_with_none(Ast operation, const Value& left, const Value& right) {
  const bool tensor = left.is(Kind::tensor);
  const bool is = operation == Ast::Is || (tensor && operation == Ast::Eq);
  const bool compares = is || operation == Ast::IsNot || (tensor && operation == Ast::NotEq);
  if (!compares || !right.is(Kind::none)) return std::nullopt;
  if (is_function_of_torch(left.type))
    return value_of(Kind::boolean, cpp::binary(left.expr, is ? "==" : "!=", cpp::name("nullptr")));
  if (!tensor && !left.is(Kind::random))
    return value_of(Kind::boolean, cpp::boolean(is == left.is(Kind::none)));
  auto defined = cpp::method(left.expr, "defined");
  return value_of(Kind::boolean, is ? cpp::unary("!", std::move(defined)) : std::move(defined));
}

/// `x is y` of tensors, or of objects that C++ shares, too; nullopt for anything else.
std::optional<Value> compare_identity(Ast operation, const Value& left, const Value& right) {
  const bool is = operation == Ast::Is;
  if (!is && operation != Ast::IsNot) return std::nullopt;
  if (left.is(Kind::tensor) && right.is(Kind::tensor)) {
    auto same = cpp::method(left.expr, "is_same", {right.expr});
    return value_of(Kind::boolean, is ? same : cpp::unary("!", same));
  }
  if (left.type != right.type || !is_pointer(left.type)) return std::nullopt;
  return value_of(Kind::boolean, cpp::binary(left.expr, is ? "==" : "!=", right.expr));
}

/// Whether C++ compares lists or tuples of the type as Python does.
bool is_compared_by_elements(Ast operation, const Type& type) {
  const bool elements =
      !type.items.empty() && (type.is(types::Sequence::list) || type.is(types::Group::tuple));
  const bool equality = operation == Ast::Eq || operation == Ast::NotEq;
  return elements && (equality ? has_equality(type) : has_order(type.is(Kind::list) ? type.items[0] : type));
}

/// Whether a comparison is one of tensors. Throws NotPorted if C++ does not compare such values as
/// Python does.
bool refuse_unless_comparable(Ast operation, const Value& left, const Value& right) {
  const bool known = is_operator(operation);
  if (operation == Ast::Is || operation == Ast::IsNot)
    refuse("it asks whether {} is {}", in_words(left.type), in_words(right.type));
  if (!known) refuse("the comparison {} is not translated", name_of(operation));
  const bool numbers = left.type.is_number() && right.type.is_number();
  const bool tensor = left.is(Kind::tensor) || right.is(Kind::tensor);
  const bool tensors = tensor && (left.is(Kind::tensor) || left.type.is_number()) &&
                       (right.is(Kind::tensor) || right.type.is_number());
  const bool same =
      left.type == right.type &&
      (left.is(Kind::size) || left.is(Kind::string) || left.is(Kind::class_name) || left.is(Kind::dtype) ||
       left.is(Kind::device) || is_address(left.type) || is_compared_by_elements(operation, left.type));
  if (!numbers && !tensors && !same) {
    refuse("it compares {} with {}", in_words(left.type), in_words(right.type));
  }
  return tensors;
}

}  // namespace

Value unary(Builder& b, const Node& node) {
  const auto operation = node.op().kind();
  if (operation == Ast::Not) {
    auto value = true_or_false(b, node.operand());
    const bool fills = value.expr.is(cpp::form::negation) && value.expr.part(0).is(cpp::form::empty);
    value.expr = fills ? value.expr.part(0) : cpp::unary("!", value.expr);
    return value;
  }
  auto operand = expression(b, node.operand());
  const bool negates = operation == Ast::USub;
  if (operation == Ast::UAdd && operand.type.is_number()) return operand;
  if (negates && operand.type.is_number()) {
    operand.expr = cpp::unary("-", operand.is(Kind::scalar) ? as_any_number(operand) : operand.expr);
    const bool negative = operand.number.starts_with('-');
    if (!operand.number.empty()) operand.number = negative ? operand.number.substr(1) : "-" + operand.number;
    operand.natural = false;
    if (operand.is(Kind::boolean)) refuse("it negates a bool; int(…) makes it a number");
    return operand;
  }
  if (operation == Ast::Invert && operand.is(Kind::integer))
    return value_of(Kind::integer, cpp::unary("~", operand.expr));
  if (negates && operand.is(Kind::array) && operand.type.dimensions() > 0)
    return value_of(operand.type, cpp::unary("-", operand.expr));
  if (!operand.is(Kind::tensor) || (!negates && operation != Ast::Invert)) {
    refuse("the operator {} on {} is not translated", name_of(operation), in_words(operand.type));
  }
  auto value = tensor_of(cpp::unary(negates ? "-" : "~", operand.expr));
  value.type.know(operand.type.known());
  return value;
}

/// `x.grad_fn is None`. C++ can only ask whether a tensor has a grad_fn.
static std::optional<Value> compare_origin(Builder& b, const Node& left, const Node& operation,
                                           const Node& right) {
  const bool none = right.is(Ast::Constant) && right.type() == "NoneType";
  const bool compares = operation.is(Ast::Is) || operation.is(Ast::IsNot);
  if (!none || !compares || !left.is(Ast::Attribute) || left.attr() != "grad_fn") return std::nullopt;
  const auto tensor = expression(b, left.value());
  if (!tensor.is(Kind::tensor)) return std::nullopt;
  const auto* const sign = operation.is(Ast::Is) ? "==" : "!=";
  return value_of(Kind::boolean,
                  cpp::binary(cpp::method(tensor.expr, "grad_fn"), sign, cpp::name("nullptr")));
}

/// `x.shape == (2, 3)`
static Value compare_sizes(Ast operation, const Value& size, const Value& tuple) {
  const auto& items = tuple.type.items;
  const bool ints =
      std::all_of(items.begin(), items.end(), [](const Type& item) { return item.is(Kind::integer); });
  const bool known = operation == Ast::Eq || operation == Ast::NotEq;
  if (!known || !ints || !tuple.literal || tuple.elements.empty())
    refuse("it compares {} with {} in a form that is not translated", in_words(size.type),
           in_words(tuple.type));
  const auto sizes = cpp::call("torch::IntArrayRef", {in_braces(tuple.elements)});
  return value_of(Kind::boolean, cpp::binary(sizes_of(size), operation == Ast::Eq ? "==" : "!=", sizes));
}

static Value compare_two(Builder& b, Ast operation, const Value& left, const Value& right) {
  if (left.is(Kind::element) || right.is(Kind::element)) {
    const auto one = number_of_element(left);
    const auto other = number_of_element(right);
    if (!is_operator(operation) || !one.type.is_number() || !other.type.is_number())
      refuse("it compares {} with {}", in_words(left.type), in_words(right.type));
    return compare_two(b, operation, one, other);
  }
  if (auto value = compare_with_none(operation, left, right)) return *value;
  if (auto value = compare_identity(operation, left, right)) return *value;
  if (left.is(Kind::size) && right.type.is(types::Group::tuple)) return compare_sizes(operation, left, right);
  if (operation == Ast::In) return contained(b, left, right);
  if (operation == Ast::NotIn)
    return value_of(Kind::boolean, cpp::unary("!", contained(b, left, right).expr));
  if (is_operator(operation) && (left.is(Kind::array) || right.is(Kind::array)))
    return array_binary(b, operation, left, right);
  const bool tensors = refuse_unless_comparable(operation, left, right);
  auto first = left;
  auto second = right;
  for (auto* side : {&first, &second}) {
    if (!side->is(Kind::scalar)) continue;  // a double compares as in Python
    side->expr = as_double(*side);
    side->type = Kind::floating;
  }
  const bool texts = first.is(Kind::string) || first.is(Kind::class_name);
  if (first.literal && second.literal && texts) first.expr = as_string(first);
  for (auto* side : {&first, &second}) {
    if (!side->literal || side->elements.empty()) continue;
    side->expr = side->is(Kind::list) ? typed(b, *side, side->type).expr : printable(*side);
  }
  auto value = with_operator(first, operation, second, tensors ? Kind::tensor : Kind::boolean);
  if (tensors) {
    set_numbers_of_operator(value.type, operation, first.type, second.type);
    value.type.know_numbers(Numbers::boolean);
  }
  return value;
}

Value compare(Builder& b, const Node& node) {
  const auto operations = node.ops();
  const auto others = node.comparators();
  if (operations.size() != 1) {
    cpp::Expr all;
    auto left = expression(b, node.left());
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto right = expression(b, others[i]);
      const auto is_array = [](const Value& each) { return each.is(Kind::tensor) || each.is(Kind::array); };
      if (left.acts() || right.acts() || is_array(left) || is_array(right)) {
        refuse("a chain of comparisons has more than names and numbers");
      }
      const auto next = compare_two(b, operations[i].kind(), left, right).expr;
      all = all ? cpp::binary(all, "&&", next) : next;
      left = right;
    }
    return value_of(Kind::boolean, all);
  }
  if (const auto given = asked_for_none(b, node.left(), operations[0], others[0])) return *given;
  if (const auto leaf = compare_origin(b, node.left(), operations[0], others[0])) return *leaf;
  auto [left, right] = two(b, node.left(), others[0]);
  return compare_two(b, operations[0].kind(), left, right);
}

/// `a and b`, where `translated` translates a and b
static Value joined(const Node& node, const std::function<Value(const Node&)>& translated) {
  const auto* const sign = node.op().is(Ast::And) ? "&&" : "||";
  cpp::Expr all;
  for (const auto& each : node.values()) {
    const auto part = translated(each).expr;
    all = all ? cpp::binary(all, sign, part) : part;
  }
  return value_of(Kind::boolean, all);
}

Value true_or_false(Builder& b, const Node& node) {
  if (node.is(Ast::BoolOp)) return joined(node, [&b](const Node& each) { return true_or_false(b, each); });
  const auto value = expression(b, node);
  return value.is(Kind::boolean) ? value : value_of(Kind::boolean, truth(b, value));
}

Value both_or_either(Builder& b, const Node& node) {
  return joined(node, [&b](const Node& each) {
    auto part = expression(b, each);
    if (!part.is(Kind::boolean)) refuse("'and' and 'or' are translated for bools only");
    return part;
  });
}

/// Converts both sides of `[] if x is None else [x]`, and of `x if flag else None`, to one type. None is an
/// undefined tensor.
static void make_sides_alike(Builder& b, Value& one, Value& other) {
  if (one.is(Kind::none) && other.is(Kind::tensor) && !one.acts()) one = tensor_of(none_of(other.type));
  const bool empty = one.is(Kind::list) && one.literal && one.elements.empty() && !one.acts();
  if (!empty || !other.is(Kind::list) || other.type.items.empty()) return;
  other = typed(b, other, other.type);
  one = typed(b, one, other.type);
}

Value choice(Builder& b, const Node& node) {
  const auto test = true_or_false(b, node.test()).expr;
  auto yes = expression(b, node.single_body());
  auto no = expression(b, node.else_value());
  make_sides_alike(b, yes, no);
  make_sides_alike(b, no, yes);
  if (yes.is(Kind::none) || no.is(Kind::none)) refuse("one side of a conditional expression is None");
  refuse_template(b, yes.type);
  const auto common = common_type(yes.type, no.type);
  const bool mixes = yes.type != no.type && common && common->is(Kind::scalar);
  if (!(yes.type == no.type) && !mixes) refuse("the two sides of an if have different types");
  const bool strings = yes.is(Kind::string) && yes.literal && no.literal;
  auto type = *common;
  const bool functions = is_function_of_torch(type);  // two lambdas of C++ have different types
  const auto chosen = cpp::choice(
      test, functions || mixes ? cpp::call(functions ? type.name() : cpp_type(type), {yes.expr}) : yes.expr,
      mixes ? cpp::call(cpp_type(type), {no.expr}) : no.expr);
  return value_of(std::move(type), strings ? cpp::call(cpp::form::std_string, {chosen}) : chosen);
}

}  // namespace torchbook::translate
