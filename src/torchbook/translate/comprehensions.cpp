// Translates comprehensions: a loop that fills a vector, in front of the statement.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {

/// Returns the conditions of a comprehension; empty if there are none.
std::string Translator::comprehension_test(const std::vector<Node>& conditions) {
  std::string test;
  const bool could = may_emit_;
  for (const auto& condition : conditions) {
    may_emit_ = could && test.empty();  // a later one may not be evaluated
    const auto value = true_or_false(condition);
    test +=
        (test.empty() ? "" : " && ") + (conditions.size() == 1 ? value.code : value.in(Binding::equality));
  }
  may_emit_ = could;
  return test;
}

/// Returns the variables whose names the target of a loop has.
std::vector<std::pair<std::string, Variable>> Translator::hidden_by(const Node& target) {
  std::vector<std::pair<std::string, Variable>> hidden;
  target.walk([&](const Node& each) {
    const auto* variable = each.is("Name") ? scope().own(each.text("id")) : nullptr;
    if (variable != nullptr) hidden.emplace_back(each.text("id"), *variable);
    return true;
  });
  return hidden;
}

/// Writes the loops of a comprehension from the one at `place` on. `add` writes what the innermost one does.
void Translator::comprehension_loops(const Node& comprehension, std::size_t place,
                                     const std::function<void()>& add) {
  const auto generators = comprehension.list("generators");
  if (place == generators.size()) return add();
  const auto target = generators[place].child("target");
  const auto hidden = hidden_by(target);
  scope().open();
  ++frame_->loops;
  const auto over = generators[place].child("iter");
  const auto head = loop_over(target, over, {.of_comprehension = true});
  const int calls = calls_that_resize_;
  line(head.opening);
  scope().open();
  begin_body(head);
  ++indent_;
  const auto test = comprehension_test(generators[place].list("ifs"));
  auto inner = captured([&] { comprehension_loops(comprehension, place + 1, add); });
  refuse_changes_of(over, {comprehension}, calls);
  if (test.empty()) {
    lines_->insert(lines_->end(), inner.begin(), inner.end());
  } else if (inner.size() == 1) {
    line(fmt::format("if ({}) {}", test, inner[0].substr(inner[0].find_first_not_of(' '))));
  } else {
    line(fmt::format("if ({}) {{", test));
    for (const auto& each : inner) lines_->push_back("  " + each);
    line("}");
  }
  --indent_;
  end_body(head);
  scope().close();
  --frame_->loops;
  scope().close();
  for (const auto& [name, variable] : hidden) scope().show(name, variable);
}

/// Returns the name of the variable that collects what a comprehension gives: that of the name which it is
/// assigned to, if C++ has no variable for it yet.
std::string Translator::collector(std::string_view otherwise) {
  const auto wish = std::exchange(wish_, {});
  if (wish.empty()) return scope().fresh(otherwise);
  return collector_ = scope().fresh(wish);
}

/// Declares the name that the last comprehension was collected in; returns nullptr if the value is another
/// one.
Variable* Translator::declare_collector(const std::string& name, const Value& value, const Type& type) {
  const auto collector = std::exchange(collector_, {});
  if (collector.empty() || collector != value.code) return nullptr;
  auto& variable = scope().declare(name, type);
  variable.code = collector;
  variable.branches = frame_->branches;
  return &variable;
}

/// `sum(p.numel() for p in parameters)`
Value Translator::sum_of_comprehension(const Node& node) {
  const auto total = collector("total");
  const auto generators = node.list("generators");
  const bool filters = std::any_of(generators.begin(), generators.end(),
                                   [](const Node& each) { return !each.list("ifs").empty(); });
  Type type;
  const auto loops = captured([&] {
    comprehension_loops(node, 0, [&] {
      const auto item = expression(node.child("elt"));
      type = summed(item.type);
      if (filters && !type.is(Kind::integer))
        throw NotPorted("a filter may leave nothing to sum up, which is the int 0 in Python");
      line(type.is(Kind::tensor) ? fmt::format("{0} = {0} + {1};", total, item.in(Binding::product))
                                 : fmt::format("{} += {};", total, item.code));
    });
  });
  line(declared_sum(type, total));
  lines_->insert(lines_->end(), loops.begin(), loops.end());
  auto value = value_of(type, total);
  value.temporary = false;
  return value;
}

Value Translator::comprehension(const Node& node) {
  const auto items = collector("items");
  Type type;
  const auto loops = captured([&] {
    comprehension_loops(node, 0, [&] {
      const bool dict = node.is("DictComp");
      const auto key = dict ? expression(node.child("key")) : Value{};
      const auto item = expression(node.child(dict ? "value" : "elt"));
      if ((item.is(Kind::list) || item.is(Kind::dict)) && !item.temporary)
        throw NotPorted("a list gets a second name");
      if (key.acts) throw NotPorted("the key of a dict draws or changes something");
      type = dict ? dict_of(key.type, item.type) : list_of(item.type);
      line(dict ? fmt::format("{}[{}] = {};", items, key.code, item.code)
                : fmt::format("{}.push_back({});", items, item.code));
    });
  });
  line(fmt::format("{} {};", cpp_type(type), items));
  lines_->insert(lines_->end(), loops.begin(), loops.end());
  return value_of(type, items);
}

}  // namespace torchbook::translate
