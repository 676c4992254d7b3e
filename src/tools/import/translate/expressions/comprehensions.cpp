#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/comprehensions.h>
#include <tools/import/translate/expressions/conditions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/statements/loops.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {

/// Returns the declaration of a variable that sums up values. It starts with the int 0, as Python's sum does.
static cpp::Stmt declared_sum(const Type& type, const std::string& name) {
  const auto zero = cpp::number(0);
  const bool tensor = type.is(Kind::tensor);
  return {.kind = cpp::Declare{.type = cpp_type(type),
                               .name = name,
                               .value = tensor ? cpp::call("torchbook::wrapped", {zero}) : zero}};
}

/// Returns the conditions of a comprehension, joined by `&&`; empty if there are none.
static cpp::Expr comprehension_test(Builder& b, const std::vector<Node>& conditions) {
  cpp::Expr test;
  for (const auto& condition : conditions) {
    const auto value = true_or_false(b, condition).expr;
    test = test ? cpp::binary(test, "&&", value) : value;
  }
  return test;
}

std::vector<std::pair<std::string, Variable>> hidden_by(Builder& b, const Names& names) {
  std::vector<std::pair<std::string, Variable>> hidden;
  for (const auto& name : names) {
    if (const auto* variable = b.scope().own(name)) hidden.emplace_back(name, *variable);
  }
  return hidden;
}

/// Writes the loops of a comprehension, beginning with the one at `place`. `add` writes the body of
/// the innermost one.
static void comprehension_loops(Builder& b, const Node& comprehension, std::size_t place,
                                const std::function<void()>& add) {
  const auto generators = comprehension.generators();
  if (place == generators.size()) return add();
  const auto target = generators[place].target();
  const auto hidden = hidden_by(b, assigned_to(target));
  b.scope().open();
  auto head = loop_over(b, target, generators[place].iter(), {.of_comprehension = true});
  ++b.frame->loops;
  b.scope().open();
  auto body = b.captured([&] {
    const auto test = comprehension_test(b, generators[place].ifs());
    auto inner = b.captured([&] { comprehension_loops(b, comprehension, place + 1, add); });
    if (!test) return b.add(std::move(inner));
    const bool is_short = inner.size() == 1 && (std::holds_alternative<cpp::Evaluate>(inner[0].kind) ||
                                                std::holds_alternative<cpp::Assign>(inner[0].kind));
    b.emit(cpp::If{.test = test, .body = std::move(inner), .is_short = is_short});
  });
  b.scope().close();
  end_loop(b, head, std::move(body));
  --b.frame->loops;
  b.scope().close();
  for (const auto& [name, variable] : hidden) b.scope().show(name, variable);
}

std::string collector(Builder& b, std::string_view fallback) {
  const auto hint = std::exchange(b.here.name_hint, {});
  if (hint.empty()) return b.scope().fresh(fallback);
  return b.here.collector = b.scope().fresh(hint);
}

Variable* declare_collector(Builder& b, const std::string& name, const Value& value, const Type& type) {
  const auto collector = std::exchange(b.here.collector, {});
  if (collector.empty() || !value.expr.is(cpp::Kind::let) ||
      !value.expr.part(0).is(cpp::Kind::name, collector))
    return nullptr;
  b.add(value.expr.node().body);
  auto& variable = b.scope().declare(name, type);
  variable.code = collector;
  variable.branches = b.frame->branches;
  return &variable;
}

Value sum_of_comprehension(Builder& b, const Node& node) {
  const auto total = collector(b, "total");
  Type type;
  auto loops = b.captured([&] {
    comprehension_loops(b, node, 0, [&] {
      const auto item = expression(b, node.elt());
      type = summed(item.type);
      const auto to = cpp::name(total);
      b.emit(type.is(Kind::tensor)
                 ? cpp::Assign{.to = to, .value = cpp::binary(to, "+", item.expr)}
                 : cpp::Assign{.to = to, .value = item.expr, .sign = "+=", .of_number = true});
    });
  });
  loops.insert(loops.begin(), declared_sum(type, total));
  auto value = value_of(type, cpp::let(std::move(loops), cpp::name(total)));
  value.temporary = false;
  return value;
}

Value comprehension(Builder& b, const Node& node) {
  const auto items = collector(b, "items");
  Type type;
  auto loops = b.captured([&] {
    comprehension_loops(b, node, 0, [&] {
      const bool dict = node.is(Ast::DictComp);
      const auto key = dict ? expression(b, node.key()) : Value{};
      const auto item = expression(b, dict ? node.value() : node.elt());
      if (key.acts()) refuse("the key of a dict draws or changes something");
      type = dict ? dict_of(key.type, item.type) : list_of(as_item(item.type));
      const auto to = cpp::name(items);
      if (dict) return b.emit(cpp::Assign{.to = cpp::subscript(to, key.expr), .value = item.expr});
      b.emit(cpp::Evaluate{cpp::method(to, "push_back", {item.expr})});
    });
  });
  loops.insert(loops.begin(), {.kind = cpp::Declare{.type = cpp_type(type), .name = items}});
  auto value = value_of(type, cpp::let(std::move(loops), cpp::name(items)));
  return value;
}

}  // namespace torchbook::translate
