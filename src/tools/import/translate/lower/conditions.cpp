// Translates unary operators, comparisons and conditions.
#include <fmt/format.h>
#include <tools/import/translate/dtypes.h>
#include <tools/import/translate/lower/translator.h>

namespace torchbook::translate {
namespace {

/// `x is None`; nullopt if it is another comparison. For a tensor, `==` counts as `is`.
std::optional<Value> compare_with_none(std::string_view operation, const Value& left, const Value& right) {
  const bool tensor = left.is(Kind::tensor);
  const bool is = operation == "Is" || (tensor && operation == "Eq");
  const bool compares = is || operation == "IsNot" || (tensor && operation == "NotEq");
  if (!compares || !right.is(Kind::none)) return std::nullopt;
  if (!tensor && !left.is(Kind::random))
    return value_of(Kind::boolean, cpp::boolean(is == left.is(Kind::none)));
  auto defined = cpp::method(left.expr, "defined");
  return value_of(Kind::boolean, is ? cpp::unary("!", std::move(defined)) : std::move(defined));
}

/// `x is y` of tensors, or of objects that C++ shares, too; nullopt for anything else.
std::optional<Value> compare_identity(std::string_view operation, const Value& left, const Value& right) {
  const bool is = operation == "Is";
  if (!is && operation != "IsNot") return std::nullopt;
  if (left.is(Kind::tensor) && right.is(Kind::tensor)) {
    auto same = cpp::method(left.expr, "is_same", {right.expr});
    return value_of(Kind::boolean, is ? same : cpp::unary("!", same));
  }
  if (left.type != right.type || !left.type.name().starts_with("std::shared_ptr<")) return std::nullopt;
  return value_of(Kind::boolean, cpp::binary(left.expr, is ? "==" : "!=", right.expr));
}

/// Whether C++ compares lists or tuples of the type as Python does.
bool is_compared_by_elements(std::string_view operation, const Type& type) {
  const bool elements =
      !type.items.empty() && (type.is(types::Sequence::list) || type.is(types::Group::tuple));
  const bool equality = operation == "Eq" || operation == "NotEq";
  return elements && (equality ? has_equality(type) : has_order(type.is(Kind::list) ? type.items[0] : type));
}

/// Whether a comparison is one of tensors. Throws NotPorted if C++ does not compare such values as
/// Python does.
bool refuse_unless_comparable(std::string_view operation, const Value& left, const Value& right) {
  const bool known = is_operator(operation);
  if (!known) throw NotPorted("the comparison {} is not translated", operation);
  const bool numbers = left.type.is_number() && right.type.is_number();
  const bool tensor = left.is(Kind::tensor) || right.is(Kind::tensor);
  const bool tensors = tensor && (left.is(Kind::tensor) || left.type.is_number()) &&
                       (right.is(Kind::tensor) || right.type.is_number());
  const bool same = left.type == right.type &&
                    (left.is(Kind::size) || left.is(Kind::string) || left.is(Kind::class_name) ||
                     left.is(Kind::dtype) || left.is(Kind::device) || left.type.name() == "const void*" ||
                     is_compared_by_elements(operation, left.type));
  if (!numbers && !tensors && !same) {
    throw NotPorted("it compares {} with {}", in_words(left.type), in_words(right.type));
  }
  return tensors;
}

}  // namespace

Value Translator::unary(const Node& node) {
  const auto operation = node.child("op").kind();
  if (operation == "Not") {
    auto value = true_or_false(node.child("operand"));
    const bool fills =
        value.expr.is(cpp::Kind::unary, "!") && value.expr.part(0).is(cpp::Kind::method, "empty");
    value.expr = fills ? value.expr.part(0) : cpp::unary("!", value.expr);
    return value;
  }
  auto operand = expression(node.child("operand"));
  const bool negates = operation == "USub";
  if (operation == "UAdd" && operand.type.is_number()) return operand;
  if (negates && operand.type.is_number()) {
    operand.expr = cpp::unary("-", operand.is(Kind::scalar) ? as_any_number(operand) : operand.expr);
    const bool negative = operand.number.starts_with('-');
    if (!operand.number.empty()) operand.number = negative ? operand.number.substr(1) : "-" + operand.number;
    operand.natural = false;
    if (operand.is(Kind::boolean)) throw NotPorted("it negates a bool; int(…) makes it a number");
    return operand;
  }
  if (operation == "Invert" && operand.is(Kind::integer))
    return value_of(Kind::integer, cpp::unary("~", operand.expr));
  if (negates && operand.is(Kind::array) && operand.type.dimensions() > 0)
    return value_of(operand.type, cpp::unary("-", operand.expr));
  if (!operand.is(Kind::tensor) || (!negates && operation != "Invert")) {
    throw NotPorted("the operator {} on {} is not translated", operation, in_words(operand.type));
  }
  auto value = tensor_of(cpp::unary(negates ? "-" : "~", operand.expr));
  value.type.know(operand.type.known());
  return value;
}

/// `x.grad_fn is None`. C++ can only ask whether a tensor has a grad_fn.
std::optional<Value> Translator::compare_origin(const Node& left, const Node& operation, const Node& right) {
  const bool none = right.is("Constant") && right.text("type") == "NoneType";
  const bool compares = operation.is("Is") || operation.is("IsNot");
  if (!none || !compares || !left.is("Attribute") || left.text("attr") != "grad_fn") return std::nullopt;
  const auto tensor = expression(left.child("value"));
  if (!tensor.is(Kind::tensor)) return std::nullopt;
  const auto* const sign = operation.is("Is") ? "==" : "!=";
  return value_of(Kind::boolean,
                  cpp::binary(cpp::method(tensor.expr, "grad_fn"), sign, cpp::name("nullptr")));
}

Value Translator::compare(const Node& node) {
  const auto operations = node.list("ops");
  const auto others = node.list("comparators");
  if (operations.size() != 1) {
    cpp::Expr all;
    auto left = expression(node.child("left"));
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto right = expression(others[i]);
      const auto is_array = [](const Value& each) { return each.is(Kind::tensor) || each.is(Kind::array); };
      if (left.acts() || right.acts() || is_array(left) || is_array(right)) {
        throw NotPorted("a chain of comparisons has more than names and numbers");
      }
      const auto next = compare_two(operations[i].kind(), left, right).expr;
      all = all ? cpp::binary(all, "&&", next) : next;
      left = right;
    }
    return value_of(Kind::boolean, all);
  }
  if (const auto given = asked_for_none(node.child("left"), operations[0], others[0])) return *given;
  if (const auto leaf = compare_origin(node.child("left"), operations[0], others[0])) return *leaf;
  auto [left, right] = two(node.child("left"), others[0]);
  return compare_two(operations[0].kind(), left, right);
}

/// `x.shape == (2, 3)`
Value Translator::compare_sizes(std::string_view operation, const Value& size, const Value& tuple) {
  const auto& items = tuple.type.items;
  const bool ints =
      std::all_of(items.begin(), items.end(), [](const Type& item) { return item.is(Kind::integer); });
  const bool known = operation == "Eq" || operation == "NotEq";
  if (!known || !ints || !tuple.literal || tuple.elements.empty())
    throw NotPorted("it compares {} with {} in a form that is not translated", in_words(size.type),
                    in_words(tuple.type));
  const auto sizes = cpp::call("torch::IntArrayRef", {in_braces(tuple.elements)});
  return value_of(Kind::boolean, cpp::binary(sizes_of(size), operation == "Eq" ? "==" : "!=", sizes));
}

Value Translator::compare_two(std::string_view operation, const Value& left, const Value& right) {
  if (left.type.name() == element_of_numpy || right.type.name() == element_of_numpy) {
    const auto one = number_of_element(left);
    const auto other = number_of_element(right);
    if (!is_operator(operation) || !one.type.is_number() || !other.type.is_number())
      throw NotPorted("it compares {} with {}", in_words(left.type), in_words(right.type));
    return compare_two(operation, one, other);
  }
  if (auto value = compare_with_none(operation, left, right)) return *value;
  if (auto value = compare_identity(operation, left, right)) return *value;
  if (left.is(Kind::size) && right.type.is(types::Group::tuple)) return compare_sizes(operation, left, right);
  if (operation == "In") return contained(left, right);
  if (operation == "NotIn") return value_of(Kind::boolean, cpp::unary("!", contained(left, right).expr));
  if (is_operator(operation) && (left.is(Kind::array) || right.is(Kind::array)))
    return array_binary(operation, left, right);
  const bool tensors = refuse_unless_comparable(operation, left, right);
  auto first = left;
  auto second = right;
  for (auto* side : {&first, &second}) {
    if (!side->is(Kind::scalar)) continue;  // as a double, it compares as it does in Python
    side->expr = as_double(*side);
    side->type = Kind::floating;
  }
  const bool texts = first.is(Kind::string) || first.is(Kind::class_name);
  if (first.literal && second.literal && texts) first.expr = as_string(first);
  for (auto* side : {&first, &second}) {
    if (!side->literal || side->elements.empty()) continue;
    side->expr = side->is(Kind::list) ? typed(*side, side->type).expr : printable(*side);
  }
  auto value = with_operator(first, operation, second, tensors ? Kind::tensor : Kind::boolean);
  if (tensors) {
    set_numbers_of_operator(value.type, operation, first.type, second.type);
    value.type.know_numbers(Numbers::boolean);
  }
  return value;
}

/// Returns the truth of a condition. In it, `and` and `or` take values of any type.
Value Translator::true_or_false(const Node& node) {
  if (node.is("BoolOp")) return joined(node, [this](const Node& each) { return true_or_false(each); });
  const auto value = expression(node);
  return value.is(Kind::boolean) ? value : value_of(Kind::boolean, truth(value));
}

Value Translator::both_or_either(const Node& node) {
  return joined(node, [this](const Node& each) {
    auto part = expression(each);
    if (!part.is(Kind::boolean)) throw NotPorted("and and or are translated for bools only");
    return part;
  });
}

/// `a and b`, where `translated` translates a and b
Value Translator::joined(const Node& node, const std::function<Value(const Node&)>& translated) {
  const auto* const sign = node.child("op").is("And") ? "&&" : "||";
  cpp::Expr all;
  for (const auto& each : node.list("values")) {
    const auto part = translated(each).expr;
    all = all ? cpp::binary(all, sign, part) : part;
  }
  return value_of(Kind::boolean, all);
}

/// Gives the sides of `[] if x is None else [x]`, and of `x if flag else None`, one type. None is a tensor
/// that is not defined.
void Translator::make_sides_alike(Value& one, Value& other) {
  if (one.is(Kind::none) && other.is(Kind::tensor) && !one.acts()) one = tensor_of(none_of(other.type));
  const bool empty = one.is(Kind::list) && one.literal && one.elements.empty() && !one.acts();
  if (!empty || !other.is(Kind::list) || other.type.items.empty()) return;
  other = typed(other, other.type);
  one = typed(one, other.type);
}

Value Translator::choice(const Node& node) {
  const auto test = true_or_false(node.child("test")).expr;
  auto yes = expression(node.child("body"));
  auto no = expression(node.child("orelse"));
  make_sides_alike(yes, no);
  make_sides_alike(no, yes);
  if (yes.is(Kind::none) || no.is(Kind::none))
    throw NotPorted("one side of a conditional expression is None");
  refuse_template(yes.type);
  const auto common = common_type(yes.type, no.type);
  const bool mixes = yes.type != no.type && common && common->is(Kind::scalar);
  if (!(yes.type == no.type) && !mixes) throw NotPorted("the two sides of an if have different types");
  const bool strings = yes.is(Kind::string) && yes.literal && no.literal;
  auto type = *common;
  const bool functions = is_function_of_torch(type);  // two lambdas of C++ have different types
  const auto chosen = cpp::choice(
      test, functions || mixes ? cpp::call(functions ? type.name() : cpp_type(type), {yes.expr}) : yes.expr,
      mixes ? cpp::call(cpp_type(type), {no.expr}) : no.expr);
  return value_of(std::move(type), strings ? cpp::call("std::string", {chosen}) : chosen);
}

}  // namespace torchbook::translate
