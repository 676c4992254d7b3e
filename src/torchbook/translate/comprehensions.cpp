// Translates comprehensions: a loop that fills a vector, in front of the statement.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {

/// Returns the conditions of a comprehension; empty if there are none.
std::string Translator::comprehension_test(const std::vector<Node>& conditions) {
  std::string test;
  const bool could = may_emit_;
  for (const auto& condition : conditions) {
    may_emit_ = could && test.empty();  // a later one may not be evaluated
    test += fmt::format("{}({})", test.empty() ? "" : " && ", truth(expression(condition)));
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
void Translator::comprehension_loops(const std::vector<Node>& generators, std::size_t place,
                                     const std::function<void()>& add) {
  if (place == generators.size()) return add();
  const auto target = generators[place].child("target");
  const auto hidden = hidden_by(target);
  scope().open();
  ++frame_->loops;
  const auto head = loop_over(target, generators[place].child("iter"), {.of_comprehension = true});
  line(head.opening);
  scope().open();
  begin_body(head);
  ++indent_;
  const auto test = comprehension_test(generators[place].list("ifs"));
  auto inner = captured([&] { comprehension_loops(generators, place + 1, add); });
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

Value Translator::comprehension(const Node& node) {
  const auto items = scope().fresh("items");
  Type type;
  const auto loops = captured([&] {
    comprehension_loops(node.list("generators"), 0, [&] {
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
