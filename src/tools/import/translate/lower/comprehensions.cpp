// Translates comprehensions: a loop that fills a vector, in front of the statement.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {

/// Returns the conditions of a comprehension, joined by `&&`; empty if there are none.
cpp::Expr Translator::comprehension_test(const std::vector<Node>& conditions) {
  cpp::Expr test;
  for (const auto& condition : conditions) {
    const auto value = true_or_false(condition).expr;
    test = test ? cpp::binary(test, "&&", value) : value;
  }
  return test;
}

/// Returns the variables that others with these names hide.
std::vector<std::pair<std::string, Variable>> Translator::hidden_by(const Names& names) {
  std::vector<std::pair<std::string, Variable>> hidden;
  for (const auto& name : names) {
    if (const auto* variable = scope().own(name)) hidden.emplace_back(name, *variable);
  }
  return hidden;
}

/// Writes the loops of a comprehension, beginning with the one at `place`. `add` writes the body of
/// the innermost one.
void Translator::comprehension_loops(const Node& comprehension, std::size_t place,
                                     const std::function<void()>& add) {
  const auto generators = comprehension.list("generators");
  if (place == generators.size()) return add();
  const auto target = generators[place].child("target");
  const auto hidden = hidden_by(assigned_to(target));
  scope().open();
  auto head = loop_over(target, generators[place].child("iter"), {.of_comprehension = true});
  ++frame_->loops;
  scope().open();
  auto body = captured([&] {
    const auto test = comprehension_test(generators[place].list("ifs"));
    auto inner = captured([&] { comprehension_loops(comprehension, place + 1, add); });
    if (!test) return this->add(std::move(inner));
    const bool is_short = inner.size() == 1 && (std::holds_alternative<cpp::Evaluate>(inner[0].kind) ||
                                                std::holds_alternative<cpp::Assign>(inner[0].kind));
    emit(cpp::If{.test = test, .body = std::move(inner), .is_short = is_short});
  });
  scope().close();
  end_loop(head, std::move(body));
  --frame_->loops;
  scope().close();
  for (const auto& [name, variable] : hidden) scope().show(name, variable);
}

/// Returns the name of the variable that collects the result of a comprehension. It is made of the
/// name that the result is assigned to, if that is new, or else of `otherwise`.
std::string Translator::collector(std::string_view otherwise) {
  const auto wish = std::exchange(wish_, {});
  if (wish.empty()) return scope().fresh(otherwise);
  return collector_ = scope().fresh(wish);
}

/// Declares a name as the variable in which its value was collected. Returns nullptr if the value
/// was not collected in one.
Variable* Translator::declare_collector(const std::string& name, const Value& value, const Type& type) {
  const auto collector = std::exchange(collector_, {});
  if (collector.empty() || !value.expr.is(cpp::Kind::let) ||
      !value.expr.part(0).is(cpp::Kind::name, collector))
    return nullptr;
  this->add(value.expr.node().body);
  auto& variable = scope().declare(name, type);
  variable.code = collector;
  variable.branches = frame_->branches;
  return &variable;
}

/// Returns the declaration of a variable that sums up values. It starts with the int 0, as Python's sum does.
static cpp::Stmt declared_sum(const Type& type, const std::string& name) {
  const auto zero = cpp::number(0);
  const bool tensor = type.is(Kind::tensor);
  return {.kind = cpp::Declare{.type = cpp_type(type),
                               .name = name,
                               .value = tensor ? cpp::call("torchbook::wrapped", {zero}) : zero}};
}

/// `sum(p.numel() for p in parameters)`
Value Translator::sum_of_comprehension(const Node& node) {
  const auto total = collector("total");
  Type type;
  auto loops = captured([&] {
    comprehension_loops(node, 0, [&] {
      const auto item = expression(node.child("elt"));
      type = summed(item.type);
      const auto to = cpp::name(total);
      emit(type.is(Kind::tensor)
               ? cpp::Assign{.to = to, .value = cpp::binary(to, "+", item.expr)}
               : cpp::Assign{.to = to, .value = item.expr, .sign = "+=", .of_number = true});
    });
  });
  loops.insert(loops.begin(), declared_sum(type, total));
  auto value = value_of(type, cpp::let(std::move(loops), cpp::name(total)));
  value.temporary = false;
  return value;
}

Value Translator::comprehension(const Node& node) {
  const auto items = collector("items");
  Type type;
  auto loops = captured([&] {
    comprehension_loops(node, 0, [&] {
      const bool dict = node.is("DictComp");
      const auto key = dict ? expression(node.child("key")) : Value{};
      const auto item = expression(node.child(dict ? "value" : "elt"));
      if (key.acts()) throw NotPorted("the key of a dict draws or changes something");
      type = dict ? dict_of(key.type, item.type) : list_of(as_item(item.type));
      const auto to = cpp::name(items);
      if (dict) return emit(cpp::Assign{.to = cpp::subscript(to, key.expr), .value = item.expr});
      emit(cpp::Evaluate{cpp::method(to, "push_back", {item.expr})});
    });
  });
  loops.insert(loops.begin(), {.kind = cpp::Declare{.type = cpp_type(type), .name = items}});
  auto value = value_of(type, cpp::let(std::move(loops), cpp::name(items)));
  return value;
}

}  // namespace torchbook::translate
